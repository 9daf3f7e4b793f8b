/// Which text is plain in a dialect: nothing begins in it. That is most of every answer; only marks are looked at.
@usableFromInline
package struct PlainText: Sendable {
  /// The bytes at which something may begin, one bit each: those below 64, and the others below 128.
  @usableFromInline let low: UInt64
  @usableFromInline let high: UInt64
  /// Whether something may begin where `TextMarks` has no mark: at any colon, where there are directives.
  @usableFromInline package let hasUnmarkedStops: Bool

  init(_ extensions: Dialect.Extensions) {
    hasUnmarkedStops = extensions.contains(.directives)
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
    if hasUnmarkedStops { return unmarkedEnd(text, from: begin, before: end) }
    var mark = marks.next(from: begin, before: end, in: text)
    while mark < end {
      if let place = beginning(markedAt: mark, of: text, from: begin, before: end) { return place }
      mark = marks.next(from: mark &+ 1, before: end, in: text)
    }
    return end
  }

  /// As `end`, byte by byte.
  private func unmarkedEnd(_ text: borrowing Span<UInt8>, from begin: Int, before end: Int) -> Int {
    var index = begin
    while index < end && text[index] != UInt8(ascii: ":") && !isStop(text, at: index, before: end) {
      index += 1
    }
    return index
  }

  /// Where something may begin that has its mark at `mark`: there, or before that, from `begin` on, if it is the colon of
  /// an address, which has its mark at its slashes.
  @inlinable @inline(__always)
  func beginning(
    markedAt mark: Int, of bytes: borrowing Span<UInt8>, from begin: Int, before end: Int
  ) -> Int? {
    if isStop(bytes, at: mark, before: end) { return mark }
    guard bytes[mark] == UInt8(ascii: "/") && mark > begin else { return nil }
    return isStop(bytes, at: mark &- 1, before: end) ? mark &- 1 : nil
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

  /// Where something begins that has its mark at `mark` in a final text, which ends at `end`; `nil` if the mark stands for
  /// itself: nothing begins there, or a line ends without white space around it, which would go or make it a hard break.
  @inlinable @inline(__always)
  package func beginning(
    markedAt mark: Int, ofFinal bytes: borrowing Span<UInt8>, before end: Int
  ) -> Int? {
    let next = mark &+ 1
    if bytes[mark] == 0x0A {
      let isAlone =
        mark > 0 && !Self.isSpaceOrTab(bytes[mark &- 1]) && !(next < end && Self.isSpaceOrTab(bytes[next]))
      return isAlone ? nil : mark
    }
    if bytes[mark] == UInt8(ascii: "!") && next == end { return nil }
    return beginning(markedAt: mark, of: bytes, from: 0, before: end)
  }

  @inlinable @inline(__always)
  static func isSpaceOrTab(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
