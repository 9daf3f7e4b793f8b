/// Which text is plain in a dialect: nothing begins in it. That is most of every answer; only marks are looked at.
@usableFromInline
package struct PlainText: Sendable {
  /// The bytes at which something may begin, one bit each: those below 64, and the others below 128.
  @usableFromInline let low: UInt64
  @usableFromInline let high: UInt64

  init(_ extensions: Dialect.Extensions) {
    var bytes = "\n\\`*_[]!<&"
    if extensions.contains(.tables) { bytes += "~:w@" }
    if extensions.contains(.math) { bytes += "$" }
    var bits: (low: UInt64, high: UInt64) = (0, 0)
    for byte in bytes.utf8 {
      if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte - 64) }
    }
    (low, high) = bits
  }

  /// The end of the plain text from `begin` on: where something may begin, or `end`.
  ///
  /// - Parameter text: the text, best with what follows `end`.
  @inline(__always)
  func end(
    _ text: borrowing Span<UInt8>, from begin: Int, before end: Int, _ marks: inout TextMarks
  ) -> Int {
    var index = marks.next(from: begin, before: end, in: text)
    while index < end && !isStop(text, at: index, before: end) {
      index = marks.next(from: index &+ 1, before: end, in: text)
    }
    return index
  }

  /// Whether something may begin at `index` in text that ends at `end`.
  @inlinable @inline(__always)
  func isStop(_ bytes: borrowing Span<UInt8>, at index: Int, before end: Int) -> Bool {
    let byte = bytes[index]
    return byte < 0x80 && ((byte < 64 ? low : high) >> UInt64(byte & 63)) & 1 != 0
      && !Self.isAlone(byte, before: index &+ 1 < end ? bytes[index &+ 1] : 0)
  }

  /// Whether a byte lacks the one after it without which it means nothing; 0 stands for the end.
  @inlinable @inline(__always)
  static func isAlone(_ byte: UInt8, before next: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "w"): next != UInt8(ascii: "w")
    case UInt8(ascii: ":"): next != UInt8(ascii: "/")
    // At the end of open text it is held.
    case UInt8(ascii: "!"): next != UInt8(ascii: "[") && next != 0
    default: false
    }
  }

  /// Whether a mark in a final text, which ends at `end`, stands for itself: nothing begins there, or a line ends
  /// without white space around it, which would go or make it a hard break.
  @inlinable @inline(__always)
  package func contains(markAt index: Int, of bytes: borrowing Span<UInt8>, before end: Int) -> Bool {
    guard isStop(bytes, at: index, before: end) else { return true }
    let next = index &+ 1
    switch bytes[index] {
    case 0x0A:
      return index > 0 && !Self.isSpaceOrTab(bytes[index &- 1])
        && !(next < end && Self.isSpaceOrTab(bytes[next]))
    case UInt8(ascii: "!"): return next == end
    default: return false
    }
  }

  @inlinable @inline(__always)
  static func isSpaceOrTab(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
