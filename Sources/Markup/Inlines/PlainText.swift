/// Which text is plain in a dialect: nothing begins in it. That is most of every answer, so it is looked at by whole
/// vectors, and a byte alone only where these find a mark.
package struct PlainText: Sendable {
  /// The bytes at which something may begin, one bit each: those below 64, and the others below 128.
  private let low: UInt64
  private let high: UInt64

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

  /// The end of the plain text from `begin` on: where something may begin, or the end.
  @inline(__always)
  func end(_ bytes: borrowing Span<UInt8>, from begin: Int) -> Int {
    var rest = bytes.extracting(begin...)
    while rest.count >= Span<UInt8>.markReach {
      let mark = rest.firstMark(TextMarks.self).mark
      guard mark < Span<UInt8>.markWidth else {
        rest = rest.extracting(droppingFirst: Span<UInt8>.markWidth)
        continue
      }
      let index = bytes.count &- rest.count &+ mark
      if isStop(bytes, at: index, before: bytes.count) { return index }
      rest = rest.extracting(droppingFirst: mark &+ 1)
    }
    var index = bytes.count &- rest.count
    while index < bytes.count && !isStop(bytes, at: index, before: bytes.count) { index &+= 1 }
    return index
  }

  /// Whether something may begin at `index` in text that ends at `end`.
  @inline(__always)
  private func isStop(_ bytes: borrowing Span<UInt8>, at index: Int, before end: Int) -> Bool {
    let byte = bytes[index]
    return byte < 0x80 && ((byte < 64 ? low : high) >> UInt64(byte & 63)) & 1 != 0
      && !Self.isAlone(byte, before: index &+ 1 < end ? bytes[index &+ 1] : 0)
  }

  /// Whether a byte lacks the one after it without which it means nothing; 0 stands for the end.
  @inline(__always)
  private static func isAlone(_ byte: UInt8, before next: UInt8) -> Bool {
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
  package func contains(markAt index: Int, of bytes: borrowing Span<UInt8>, before end: Int) -> Bool {
    guard isStop(bytes, at: index, before: end) else { return true }
    let next = index &+ 1
    switch bytes[index] {
    case 0x0A:
      return index > 0 && !ASCII.isSpaceOrTab(Int(bytes[index &- 1]))
        && !(next < end && ASCII.isSpaceOrTab(Int(bytes[next])))
    case UInt8(ascii: "!"): return next == end
    default: return false
    }
  }
}

/// The bytes at which inline content may begin in any dialect, or which HTML escapes, and few others: what vectors tell
/// apart cheaply, so that whoever looks at text looks once.
@usableFromInline
package enum TextMarks: ByteMarks {
  @inlinable @inline(__always)
  package static func distance(_ byte: UInt8, _ next: UInt8) -> UInt8 {
    // Without this bit, a line end is an asterisk, an at sign a backtick, and a bracket a brace.
    let folded = byte | 0x20
    let runs = min(folded ^ UInt8(ascii: "*"), folded ^ UInt8(ascii: "`"))
    // `[`, and `\` to `_`; `{`, and `|` to `~`.
    let brackets = min(folded ^ UInt8(ascii: "{"), (folded | 3) ^ 0x7F)
    // `!` to `&`.
    let signs = max(byte &- UInt8(ascii: "!"), 5) &- 5
    // `<` and `>`.
    let angles = (byte | 2) ^ UInt8(ascii: ">")
    // Letters and colons are common, but not before these.
    let colon = (byte ^ UInt8(ascii: ":")) | (next ^ UInt8(ascii: "/"))
    let double = (byte ^ UInt8(ascii: "w")) | (next ^ UInt8(ascii: "w"))
    return min(min(min(runs, brackets), min(signs, angles)), min(colon, double))
  }
}
