// Numbers that are mostly small, in as many bytes as they need (unsigned LEB128): seven bits a byte, the lowest first; all
// bytes but the last have the highest bit.

extension OutputSpan<UInt8> {
  /// Appends a number, which is not negative.
  @inlinable @inline(__always)
  package mutating func append(leb128 number: Int) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}

extension [UInt8] {
  /// The most bytes that a number takes.
  @usableFromInline static var maxLEB128Bytes: Int { 9 }

  /// Appends a number, which is not negative.
  @inlinable
  package mutating func append(leb128 number: Int) {
    append(addingCapacity: Self.maxLEB128Bytes) { $0.append(leb128: number) }
  }
}

extension Span<UInt8> {
  /// The number at `place`, which moves behind it.
  @inlinable @inline(__always)
  package func leb128(at place: inout Int) -> Int {
    var result = 0
    var shift = 0
    while true {
      let byte = Int(self[place])
      place += 1
      result |= (byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
  }
}
