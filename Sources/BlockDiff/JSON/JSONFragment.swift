/// Bytes of JSON that are always the same, made once.
///
/// Held as words and not as an array: whoever writes one copies some registers, and counts no references.
package struct JSONFragment: Sendable, ExpressibleByStringLiteral {
  /// The most bytes of one.
  static let maxBytes = 48

  /// The bytes, eight to a word, the first one lowest; 0 behind the last.
  let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
  /// How many bytes there are.
  let count: Int

  package init(stringLiteral literal: String) { self.init(literal.utf8) }

  init(_ bytes: some Collection<UInt8>) {
    precondition(bytes.count <= Self.maxBytes, "a fragment has at most \(Self.maxBytes) bytes")
    var all: InlineArray<6, UInt64> = .init(repeating: 0)
    var count = 0
    for byte in bytes {
      all[count / 8] |= UInt64(byte) << UInt64(count % 8 * 8)
      count += 1
    }
    words = (all[0], all[1], all[2], all[3], all[4], all[5])
    self.count = count
  }
}

extension JSONFragment {
  static let `true`: JSONFragment = "true"
  static let `false`: JSONFragment = "false"
  static let unicodeEscape: JSONFragment = #"\u00"#
}
