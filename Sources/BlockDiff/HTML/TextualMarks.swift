import Markup

/// Marks in what is written as text.
protocol TextualMarks: ByteMarks {
  /// What the mark at `index` is written as.
  mutating func meaning(of source: borrowing Span<UInt8>, at index: Int) -> MarkMeaning
}

/// What a mark is written as.
enum MarkMeaning {
  case itself, space, reference
  /// As in URLs.
  case apostrophe, percent
  /// It is not written, nor is what follows.
  case end
}

/// For bytes that are written as they are.
struct NoMarks: TextualMarks {
  @inline(__always)
  static func distance(_ byte: UInt8, _ next: UInt8) -> UInt8 { 1 }

  @inline(__always)
  func meaning(of source: borrowing Span<UInt8>, at index: Int) -> MarkMeaning { .itself }
}

/// `&`, `<`, `>` and `"`, which are written as references.
struct EscapedMarks: TextualMarks {
  @inline(__always)
  static func distance(_ byte: UInt8, _ next: UInt8) -> UInt8 {
    min((byte | 4) ^ UInt8(ascii: "&"), (byte | 2) ^ UInt8(ascii: ">"))
  }

  @inline(__always)
  func meaning(of source: borrowing Span<UInt8>, at index: Int) -> MarkMeaning { .reference }
}

/// The same, and line ends, which are spaces in code spans.
struct CodeSpanMarks: TextualMarks {
  @inline(__always)
  static func distance(_ byte: UInt8, _ next: UInt8) -> UInt8 {
    min(EscapedMarks.distance(byte, next), byte ^ 0x0A)
  }

  @inline(__always)
  func meaning(of source: borrowing Span<UInt8>, at index: Int) -> MarkMeaning {
    source[index] == 0x0A ? .space : .reference
  }
}

/// What URLs in attributes cannot hold.
struct URLMarks: TextualMarks {
  /// And some bytes more, in between.
  @inline(__always)
  static func distance(_ byte: UInt8, _ next: UInt8) -> UInt8 {
    let controls = max(byte, 0x20) &- 0x20
    let others = (byte | 0x7F) ^ 0xFF
    // `"` to `'`, `[` to `` ` ``, `{` to the last.
    let signs = max(byte &- UInt8(ascii: "\""), 5) &- 5
    let brackets = max(byte &- UInt8(ascii: "["), 5) &- 5
    let braces = max(byte &- UInt8(ascii: "{"), 4) &- 4
    let angles = (byte | 2) ^ UInt8(ascii: ">")
    return min(min(controls, min(others, signs)), min(brackets, min(braces, angles)))
  }

  @inline(__always)
  func meaning(of source: borrowing Span<UInt8>, at index: Int) -> MarkMeaning {
    switch source[index] {
    case UInt8(ascii: "&"): .reference
    case UInt8(ascii: "'"): .apostrophe
    case UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "_"), UInt8(ascii: "~"):
      .itself
    default: .percent
    }
  }
}

/// Where text that is meant to be plain may not be.
struct PlainMarks: TextualMarks {
  private let plainText: PlainText
  private let end: Int
  /// The first line end, or the end.
  private(set) var firstLineEnd: Int

  init(_ plainText: PlainText, _ end: Int) {
    self.plainText = plainText
    self.end = end
    firstLineEnd = end
  }

  @inline(__always)
  static func distance(_ byte: UInt8, _ next: UInt8) -> UInt8 { TextMarks.distance(byte, next) }

  @inline(__always)
  mutating func meaning(of source: borrowing Span<UInt8>, at index: Int) -> MarkMeaning {
    let byte = source[index]
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ">") { return .reference }
    guard plainText.contains(markAt: index, of: source, before: end) else { return .end }
    if byte == 0x0A { firstLineEnd = min(firstLineEnd, index) }
    return .itself
  }
}

extension MutableSpan<UInt8> {
  /// The room that a vector needs, and the longest reference behind it.
  static var markRoom: Int { Span<UInt8>.markWidth + 8 }

  /// Stores a vector at a place: one store.
  @inline(__always) @_lifetime(self: copy self)
  mutating func store(_ vector: SIMD16<UInt8>, at place: Int) {
    var room = _mutatingExtracting(place..<place &+ 16)
    for lane in 0..<16 { room[lane] = vector[lane] }
  }

  /// Writes a byte as it is meant, and moves `place` behind; `false` if it is the end.
  @inline(__always) @_lifetime(self: copy self)
  mutating func put(_ meaning: MarkMeaning, _ byte: UInt8, at place: inout Int) -> Bool {
    switch meaning {
    case .itself: put(byte, at: &place)
    case .space: put(0x20 as UInt8, at: &place)
    case .reference: putReference(to: byte, at: &place)
    case .apostrophe: put(text: "&#x27;", at: &place)
    case .percent:
      put(UInt8(ascii: "%"), at: &place)
      put(Self.hexDigit(byte >> 4), at: &place)
      put(Self.hexDigit(byte & 15), at: &place)
    case .end: return false
    }
    return true
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  @inline(__always) @_lifetime(self: copy self)
  private mutating func putReference(to byte: UInt8, at place: inout Int) {
    switch byte {
    case UInt8(ascii: "&"): put(text: "&amp;", at: &place)
    case UInt8(ascii: "<"): put(text: "&lt;", at: &place)
    case UInt8(ascii: ">"): put(text: "&gt;", at: &place)
    default: put(text: "&quot;", at: &place)
    }
  }

  /// Stores the bytes of a text with one check: of one that is known, only some words are left.
  @inline(__always) @_lifetime(self: copy self)
  mutating func put(text: StaticString, at place: inout Int) {
    let length = text.utf8CodeUnitCount
    precondition(place >= 0 && place <= count &- length)
    for index in 0..<length { unsafe self[place &+ index] = text.utf8Start[index] }
    place &+= length
  }
}
