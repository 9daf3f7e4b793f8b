/// What the characters around a delimiter run are (CommonMark 0.31.2 §6.2).
enum Flanking {
  enum Class { case whitespace, punctuation, other }

  /// The class of the character that ends before `index`; the text's ends count as white space.
  static func before(_ index: Int, in bytes: borrowing Span<UInt8>) -> Class {
    guard index > 0 else { return .whitespace }
    var begin = index - 1
    while begin > 0 && index - begin < 4 && bytes[begin] & 0xC0 == 0x80 { begin -= 1 }
    return classOfCharacter(at: begin, in: bytes)
  }

  /// The class of the character that begins at `index`.
  static func after(_ index: Int, in bytes: borrowing Span<UInt8>) -> Class {
    guard index < bytes.count else { return .whitespace }
    return classOfCharacter(at: index, in: bytes)
  }

  private static func classOfCharacter(at index: Int, in bytes: borrowing Span<UInt8>) -> Class {
    let byte = bytes[index]
    if byte < 0x80 {
      switch byte {
      case 0x09, 0x0A, 0x0C, 0x0D, 0x20: return .whitespace
      default: return ASCII.isPunctuation(Int(byte)) ? .punctuation : .other
      }
    }
    return classOf(scalar(at: index, in: bytes))
  }

  /// The character at `index`; the text is well-formed.
  static func scalar(at index: Int, in bytes: borrowing Span<UInt8>) -> Unicode.Scalar {
    let first = UInt32(bytes[index])
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = first & (0x7F >> UInt32(length))
    for step in 1..<length where index + step < bytes.count {
      value = value << 6 | UInt32(bytes[index + step] & 0x3F)
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private static func classOf(_ scalar: Unicode.Scalar) -> Class {
    if CharacterClass.isPunctuation(scalar) { return .punctuation }
    return CharacterClass.isSpace(scalar) ? .whitespace : .other
  }
}
