/// Bytes that a scan stops at, told apart by arithmetic that works on many bytes at once.
@usableFromInline
package protocol ByteMarks {
  /// 0 for a mark, from the byte and the one after it. Made of least and greatest values and of bit operations: comparisons
  /// would become a jump for each byte.
  static func distance(_ byte: UInt8, _ next: UInt8) -> UInt8
}

extension Span<UInt8> {
  /// How many bytes a scan for marks looks at at once, and how many must be there: the last one needs one after it.
  @inlinable package static var markWidth: Int { 16 }
  @inlinable package static var markReach: Int { 17 }

  /// The first `markWidth` bytes, and where among them the first mark is; beyond them if there is none.
  ///
  /// Loops of a fixed length, without branches, which become vector operations.
  @inlinable @inline(__always)
  package func firstMark<Marks: ByteMarks>(_ marks: Marks.Type) -> (mark: Int, bytes: SIMD16<UInt8>) {
    precondition(count >= Self.markReach)
    // Of its own, or the two loads become one and some shifts.
    let nexts = extracting(droppingFirst: 1)
    var bytes = SIMD16<UInt8>()
    for lane in 0..<16 { bytes[lane] = self[lane] }
    var first: UInt8 = .max
    for lane in 0..<16 {
      // Nothing but ones where there is no mark.
      let others = 0 &- Swift.min(Marks.distance(self[lane], nexts[lane]), 1)
      first = Swift.min(first, others | UInt8(truncatingIfNeeded: lane))
    }
    return (Int(first), bytes)
  }

  /// Whether the first byte is a mark.
  @inlinable @inline(__always)
  package func beginsWithMark<Marks: ByteMarks>(_ marks: Marks.Type) -> Bool {
    Marks.distance(self[0], count > 1 ? self[1] : 0) == 0
  }
}
