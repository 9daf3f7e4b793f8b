/// Backslash escapes and character references (CommonMark 0.31.2 §2.4 and §2.5).
enum Escapes {
  /// The bytes with backslash escapes and character references resolved.
  static func removed(from bytes: [UInt8]) -> [UInt8] { resolved(bytes, backslashes: true) }

  /// The bytes with character references resolved.
  static func referencesResolved(in bytes: [UInt8]) -> [UInt8] { resolved(bytes, backslashes: false) }

  private static func resolved(_ bytes: [UInt8], backslashes: Bool) -> [UInt8] {
    guard bytes.contains(where: { $0 == 0x26 || $0 == 0x5C && backslashes }) else { return bytes }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x5C && backslashes && index + 1 < bytes.count
        && ASCII.isPunctuation(Int(bytes[index + 1]))
      {
        result.append(bytes[index + 1])
        index += 2
      } else if byte == 0x26, let (text, end) = reference(in: bytes, at: index) {
        result.append(contentsOf: text)
        index = end
      } else {
        result.append(byte)
        index += 1
      }
    }
    return result
  }

  /// The character reference at an ampersand: its text and the index after its semicolon.
  static func reference(in bytes: [UInt8], at ampersand: Int) -> (text: [UInt8], end: Int)? {
    // The longest name has 31 bytes; numbers have at most 7 digits.
    let limit = min(bytes.count, ampersand + 34)
    guard let semicolon = bytes[ampersand..<limit].firstIndex(of: 0x3B) else { return nil }
    let body = bytes[ampersand + 1..<semicolon]
    guard let first = body.first else { return nil }
    if first == UInt8(ascii: "#") {
      guard let text = numeric(body.dropFirst()) else { return nil }
      return (text, semicolon + 1)
    }
    guard let text = NamedCharacterReferences.text(of: Array(body)) else { return nil }
    return (text, semicolon + 1)
  }

  private static func numeric(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    var rest = digits
    var radix: UInt32 = 10
    if let first = rest.first, first | 0x20 == UInt8(ascii: "x") {
      radix = 16
      rest = rest.dropFirst()
    }
    guard !rest.isEmpty && rest.count <= (radix == 10 ? 7 : 6) else { return nil }
    var value: UInt32 = 0
    for byte in rest {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix else { return nil }
      value = value * radix + UInt32(digit)
    }
    guard value != 0, let scalar = Unicode.Scalar(value) else { return replacementCharacter }
    return Array(String(scalar).utf8)
  }
}

/// Repairs UTF-8.
enum UTF8Text {
  /// The bytes with each maximal ill-formed subpart, and each NUL, replaced by U+FFFD.
  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 >= 0x80 || $0 == 0 }) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let (length, isValid) = sequence(in: bytes, at: index)
      if isValid && bytes[index] != 0 {
        result.append(contentsOf: bytes[index..<index + length])
      } else {
        result.append(contentsOf: replacementCharacter)
      }
      index += length
    }
    return result
  }

  /// What follows a non-ASCII first byte: the character's length, and the bounds of its second byte; `nil` for a byte
  /// that begins none (Unicode 15, table 3-7).
  @inline(__always)
  static func lead(_ first: UInt8) -> (length: Int, low: UInt8, high: UInt8)? {
    switch first {
    case 0xC2...0xDF: (2, 0x80, 0xBF)
    case 0xE0: (3, 0xA0, 0xBF)
    case 0xE1...0xEC, 0xEE, 0xEF: (3, 0x80, 0xBF)
    case 0xED: (3, 0x80, 0x9F)
    case 0xF0: (4, 0x90, 0xBF)
    case 0xF1...0xF3: (4, 0x80, 0xBF)
    case 0xF4: (4, 0x80, 0x8F)
    default: nil
    }
  }

  /// The length of the character, or maximal ill-formed subpart, at `index`, and whether it is well-formed.
  static func sequence(in bytes: [UInt8], at index: Int) -> (length: Int, isValid: Bool) {
    let first = bytes[index]
    if first < 0x80 { return (1, true) }
    guard let lead = Self.lead(first) else { return (1, false) }
    let length = lead.length
    var (low, high) = (lead.low, lead.high)
    for step in 1..<length {
      guard index + step < bytes.count else { return (step, false) }
      let next = bytes[index + step]
      guard next >= low && next <= high else { return (step, false) }
      (low, high) = (0x80, 0xBF)
    }
    return (length, true)
  }
}
