/// What Unicode says of characters beyond ASCII, from the generated tables.
enum CharacterClass {
  /// Whether a character's general category is P or S: Unicode punctuation (CommonMark 0.31.2 §2.1).
  ///
  /// - Complexity: O(log of the number of ranges).
  static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool { punctuation.contains(scalar.value) }

  /// Whether a character's general category is Zs.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool { spaces.contains(scalar.value) }

  /// What a character folds to, in full case folding; itself, if nothing is said.
  static func appendFolded(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    if let folded = foldings[scalar.value] {
      bytes.append(contentsOf: folded)
    } else {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
    }
  }

  private static let punctuation = CodePointRanges(UnicodeTables.punctuation)
  private static let spaces = CodePointRanges(UnicodeTables.spaces)

  /// The UTF-8 of what a code point folds to.
  private static let foldings: [UInt32: [UInt8]] = {
    var result: [UInt32: [UInt8]] = [:]
    for entry in UnicodeTables.foldings.split(separator: " ") {
      let parts = entry.split(separator: "=")
      guard let code = UInt32(parts[0], radix: 16) else { continue }
      for text in parts[1].split(separator: "+") {
        guard let scalar = UInt32(text, radix: 16).flatMap(Unicode.Scalar.init) else { continue }
        result[code, default: []].append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
    return result
  }()
}

/// A set of code points as sorted ranges.
private struct CodePointRanges: Sendable {
  private var firsts: [UInt32] = []
  private var lasts: [UInt32] = []

  /// Reads `A1-A9 AB …`, byte by byte: the first document that asks pays for it.
  init(_ list: String) {
    var code: UInt32 = 0
    var isLast = false
    for byte in list.utf8 {
      switch byte {
      case UInt8(ascii: "-"):
        firsts.append(code)
        (code, isLast) = (0, true)
      case UInt8(ascii: " "):
        add(last: code, isLast)
        (code, isLast) = (0, false)
      default: code = code << 4 | ASCII.hexValue(byte)
      }
    }
    add(last: code, isLast)
  }

  /// Ends a range, which is one code point if its first one is not there yet.
  private mutating func add(last: UInt32, _ hasFirst: Bool) {
    if !hasFirst { firsts.append(last) }
    lasts.append(last)
  }

  func contains(_ code: UInt32) -> Bool {
    let place = lasts.indices.partitionPoint { lasts[$0] < code }
    return place < firsts.count && firsts[place] <= code
  }
}
