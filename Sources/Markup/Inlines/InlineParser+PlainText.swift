// Text in which nothing begins: most of every answer. It is looked at by whole vectors.

extension InlineParser {
  /// The bytes at which something may begin in a dialect.
  static func stops(_ extensions: Dialect.Extensions) -> StopSet {
    var bytes = "\n\\`*_[]!<&"
    if extensions.contains(.tables) { bytes += "~:w@" }
    if extensions.contains(.math) { bytes += "$" }
    return StopSet(bytes)
  }

  /// The end of the plain text from `begin` on.
  ///
  /// - Parameter single: bytes before it are looked at one by one, since not all of them are plain.
  func plainEnd(_ bytes: borrowing Span<UInt8>, from begin: Int, _ single: inout Int) -> Int {
    var index = begin
    while true {
      while index < single {
        let byte = bytes[index]
        if byte < 0x80 && stops.contains(byte) && !isAlone(byte, index, bytes) { return index }
        index &+= 1
      }
      while bytes.count &- index >= Self.vectorWidth
        && Self.isPlain(bytes.extracting(index..<index &+ Self.vectorWidth))
      {
        index &+= Self.vectorWidth
      }
      if index == bytes.count { return index }
      single = min(index &+ Self.vectorWidth, bytes.count)
    }
  }

  /// Whether a `w` or `:` is not followed by what an address needs.
  @inline(__always)
  private func isAlone(_ byte: UInt8, _ index: Int, _ bytes: borrowing Span<UInt8>) -> Bool {
    switch byte {
    case UInt8(ascii: "w"): index &+ 1 >= bytes.count || bytes[index &+ 1] != UInt8(ascii: "w")
    case UInt8(ascii: ":"): index &+ 1 >= bytes.count || bytes[index &+ 1] != UInt8(ascii: "/")
    default: false
    }
  }

  private static let vectorWidth = 16

  /// Whether none of the bytes is a stop in any dialect: a loop without branches, which becomes vector operations.
  @inline(__always)
  private static func isPlain(_ bytes: borrowing Span<UInt8>) -> Bool {
    var distance: UInt8 = .max
    for index in 0..<vectorWidth { distance = min(distance, Self.distance(bytes[index])) }
    return distance != 0
  }

  /// 0 for a stop of any dialect, and for `^`. By least values, since comparisons become a jump for each byte.
  @inline(__always)
  private static func distance(_ byte: UInt8) -> UInt8 {
    // `[` to `` ` `` lie side by side.
    let brackets = min(max(byte &- 0x5B, 5) &- 5, byte ^ 0x0A)
    let runs = min(min(byte ^ UInt8(ascii: "*"), byte ^ UInt8(ascii: "~")), byte ^ UInt8(ascii: "$"))
    let begins = min(min(byte ^ UInt8(ascii: "<"), byte ^ UInt8(ascii: "&")), byte ^ UInt8(ascii: "!"))
    let addresses = min(min(byte ^ UInt8(ascii: ":"), byte ^ UInt8(ascii: "w")), byte ^ UInt8(ascii: "@"))
    return min(min(brackets, runs), min(begins, addresses))
  }

  /// Whether the inline content of a final text is that text and nothing else but soft line breaks.
  package func isPlain(_ bytes: borrowing Span<UInt8>) -> Bool {
    var single = 0
    var index = plainEnd(bytes, from: 0, &single)
    while index < bytes.count {
      // White space around a line end goes, or makes it a hard break.
      guard bytes[index] == 0x0A, !isSpace(bytes, at: index &- 1), !isSpace(bytes, at: index &+ 1) else {
        return false
      }
      index = plainEnd(bytes, from: index &+ 1, &single)
    }
    return true
  }

  private func isSpace(_ bytes: borrowing Span<UInt8>, at index: Int) -> Bool {
    index >= 0 && index < bytes.count && ASCII.isSpaceOrTab(Int(bytes[index]))
  }
}
