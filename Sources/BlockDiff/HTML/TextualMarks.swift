import Markup

/// Marks in what is written as text.
protocol TextualMarks {
  /// The marks among some bytes.
  static func marks(of bytes: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>

  /// What a mark is written as.
  static func meaning(of mark: UInt8) -> MarkMeaning
}

/// What a mark is written as.
enum MarkMeaning {
  case itself, space, reference
  /// As in URLs.
  case apostrophe, percent
}

/// `&`, `<`, `>` and `"`, which are written as references.
enum EscapedMarks: TextualMarks {
  @inline(__always)
  static func marks(of bytes: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    ((bytes | .all(4)) .== .all("&")) .| ((bytes | .all(2)) .== .all(">"))
  }

  @inline(__always)
  static func meaning(of mark: UInt8) -> MarkMeaning { .reference }
}

/// The same, and line ends, which are spaces in code spans.
enum CodeSpanMarks: TextualMarks {
  @inline(__always)
  static func marks(of bytes: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    EscapedMarks.marks(of: bytes) .| (bytes .== .all(0x0A))
  }

  @inline(__always)
  static func meaning(of mark: UInt8) -> MarkMeaning { mark == 0x0A ? .space : .reference }
}

/// What URLs in attributes cannot hold.
enum URLMarks: TextualMarks {
  /// And some bytes more, in between.
  @inline(__always)
  static func marks(of bytes: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    let (controls, others) = (bytes .<= .all(" "), bytes .>= .all(0x80))
    // `"` to `'`, `[` to `` ` ``, `{` to the last.
    let signs = (bytes &- .all("\"")) .< .all(6)
    let brackets = (bytes &- .all("[")) .< .all(6)
    let braces = (bytes &- .all("{")) .< .all(5)
    let angles = (bytes | .all(2)) .== .all(">")
    return controls .| others .| signs .| brackets .| braces .| angles
  }

  @inline(__always)
  static func meaning(of mark: UInt8) -> MarkMeaning {
    switch mark {
    case UInt8(ascii: "&"): .reference
    case UInt8(ascii: "'"): .apostrophe
    case UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "_"), UInt8(ascii: "~"):
      .itself
    default: .percent
    }
  }
}

extension MutableSpan<UInt8> {
  /// The room that a vector needs, and the longest reference behind it.
  static var markRoom: Int { Span<UInt8>.vectorWidth + 8 }

  /// Stores a vector at a place: one store.
  @inline(__always) @_lifetime(self: copy self)
  mutating func store(_ vector: SIMD16<UInt8>, at place: Int) {
    var room = _mutatingExtracting(place..<place &+ 16)
    for lane in 0..<16 { room[lane] = vector[lane] }
  }

  /// Stores a short text, for which there must be room for a vector.
  @inline(__always) @_lifetime(self: copy self)
  mutating func put(_ text: ShortText, at place: inout Int) {
    store(text.bytes, at: place)
    place &+= text.count
  }

  /// Writes a byte as it is meant, and moves `place` behind.
  @inline(__always) @_lifetime(self: copy self)
  mutating func put(_ meaning: MarkMeaning, _ byte: UInt8, at place: inout Int) {
    switch meaning {
    case .itself: put(byte, at: &place)
    case .space: put(0x20 as UInt8, at: &place)
    case .reference: putReference(to: byte, at: &place)
    case .apostrophe: put(text: "&#x27;", at: &place)
    case .percent:
      put(UInt8(ascii: "%"), at: &place)
      put(Self.hexDigit(byte >> 4), at: &place)
      put(Self.hexDigit(byte & 15), at: &place)
    }
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
