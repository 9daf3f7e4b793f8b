/// Where in a leaf's text inline content may begin in any dialect, where HTML has something to escape, and few places
/// more: what vectors tell apart cheaply. A vector is looked at once, however many marks are in it.
@usableFromInline
package struct TextMarks: Sendable {
  /// The place of the vector that was looked at last, and the marks in it, the first byte's the lowest bit.
  private var place = -Span<UInt8>.vectorWidth
  private var marks: UInt16 = 0

  /// The first mark from `begin` on, `end` if none is before it.
  ///
  /// - Parameter text: the same each time, best with what follows `end`, so that there is a vector at its end.
  @inline(__always)
  mutating func next(from begin: Int, before end: Int, in text: borrowing Span<UInt8>) -> Int {
    var begin = begin
    while begin < end {
      if begin &- place >= Span<UInt8>.vectorWidth {
        (place, marks) = (begin, Self.first(of: text.extracting(begin...)).marks)
      }
      let left = marks & (.max &<< UInt16(truncatingIfNeeded: begin &- place))
      if left != 0 { return min(end, place &+ left.trailingZeroBitCount) }
      begin = place &+ Span<UInt8>.vectorWidth
    }
    return end
  }

  /// The first bytes, and the marks among them.
  @inlinable @inline(__always)
  package static func first(of bytes: borrowing Span<UInt8>) -> (bytes: SIMD16<UInt8>, marks: UInt16) {
    // The last byte needs the one after it.
    guard bytes.count > Span<UInt8>.vectorWidth else { return last(of: bytes) }
    return (bytes.vector, marks(of: bytes.vector, before: bytes.extracting(droppingFirst: 1).vector))
  }

  @inline(never)
  @usableFromInline
  static func last(of bytes: borrowing Span<UInt8>) -> (bytes: SIMD16<UInt8>, marks: UInt16) {
    let nexts = bytes.extracting(droppingFirst: min(1, bytes.count)).paddedVector
    return (bytes.paddedVector, marks(of: bytes.paddedVector, before: nexts))
  }

  /// - Parameter nexts: the bytes after each of `bytes`.
  @inlinable @inline(__always)
  static func marks(of bytes: SIMD16<UInt8>, before nexts: SIMD16<UInt8>) -> UInt16 {
    // Without this bit, a line end is an asterisk, an at sign a backtick, and a bracket a brace.
    let folded = bytes | .all(0x20)
    let runs = (folded .== .all("*")) .| (folded .== .all("`"))
    // `[` to `_`, `{` to `~`.
    let brackets = (folded &- .all("{")) .< .all(5)
    // `!` to `&`.
    let signs = (folded &- .all("!")) .< .all(6)
    // `<` and `>`.
    let angles = (folded | .all(2)) .== .all(">")
    // `//` and `ww`, and few others twice.
    let doubles = (bytes .== nexts) .& ((bytes | .all(0x58)) .== .all(0x7F))
    return (runs .| brackets .| signs .| angles .| doubles).bits
  }
}
