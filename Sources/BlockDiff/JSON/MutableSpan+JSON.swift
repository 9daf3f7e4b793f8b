import Markup

// What JSON is put together from, written into room that is there already: whoever calls has made it. Every operation
// moves `place` behind what it wrote; it may store up to seven bytes more, which the next overwrites.
extension MutableSpan<UInt8> {
  /// The bytes that any of these needs at most: a fragment's.
  static var jsonRoom: Int { JSONFragment.maxBytes }

  /// Writes one byte.
  @inline(__always) @_lifetime(self: copy self)
  mutating func put(_ byte: UInt8, at place: inout Int) {
    self[place] = byte
    place &+= 1
  }

  /// Writes a fragment.
  @inline(__always) @_lifetime(self: copy self)
  mutating func put(_ fragment: borrowing JSONFragment, at place: inout Int) {
    store(fragment.words.0, at: place)
    store(fragment.words.1, at: place &+ 8)
    store(fragment.words.2, at: place &+ 16)
    if fragment.count > 24 {
      store(fragment.words.3, at: place &+ 24)
      store(fragment.words.4, at: place &+ 32)
      store(fragment.words.5, at: place &+ 40)
    }
    place &+= fragment.count
  }

  /// Writes a number that is not negative in decimal digits.
  @_lifetime(self: copy self)
  mutating func put(_ number: Int, at place: inout Int) {
    if number >= 100_000_000 {
      let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
      put(high, at: &place)
      return put(eightDigits: UInt64(low), at: &place)
    }
    let digits = Self.digits(of: UInt32(truncatingIfNeeded: number))
    // A zero has one digit, too.
    let zeros = Swift.min(digits.trailingZeroBitCount >> 3, 7)
    store((digits | Self.digitZeros) >> UInt64(truncatingIfNeeded: zeros &* 8), at: place)
    place &+= 8 &- zeros
  }

  /// Writes a number below 10^16 with its leading zeros, as offset tokens have it.
  @inline(__always) @_lifetime(self: copy self)
  mutating func put(sixteenDigits number: UInt64, at place: inout Int) {
    if number < 100_000_000 {
      store(Self.digitZeros, at: place)
      place &+= 8
      return put(eightDigits: number, at: &place)
    }
    let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    put(eightDigits: high, at: &place)
    put(eightDigits: low, at: &place)
  }

  @inline(__always) @_lifetime(self: copy self)
  private mutating func put(eightDigits number: UInt64, at place: inout Int) {
    store(Self.digits(of: UInt32(truncatingIfNeeded: number)) | Self.digitZeros, at: place)
    place &+= 8
  }

  /// Writes the 33 bytes of a token, and stores nothing behind them.
  @inline(__always) @_lifetime(self: copy self)
  mutating func put(_ token: OffsetToken, at place: inout Int) {
    put(sixteenDigits: token.incarnation, at: &place)
    put(UInt8(ascii: "_"), at: &place)
    put(sixteenDigits: UInt64(token.position.value), at: &place)
  }

  /// Writes bytes of a string up to the first that needs an escape, and gives its place in `source`, or the end's.
  @inline(__always) @_lifetime(self: copy self)
  mutating func put(
    plain source: borrowing Span<UInt8>, from start: Int, at place: inout Int
  ) -> Int {
    var rest = source.extracting(droppingFirst: start)
    while rest.count >= Span<UInt8>.vectorWidth {
      let bytes = rest.vector
      store(bytes, at: place)
      let escaped = (bytes .< .all(" ")) .| (bytes .== .all("\"")) .| (bytes .== .all("\\"))
      // All of them, if no bit is set.
      let plain = escaped.bits.trailingZeroBitCount
      place &+= plain
      rest = rest.extracting(droppingFirst: plain)
      if plain < Span<UInt8>.vectorWidth { return source.count &- rest.count }
    }
    for index in rest.indices {
      let byte = rest[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        return source.count &- rest.count &+ index
      }
      put(byte, at: &place)
    }
    return source.count
  }

  // MARK: - Words

  /// Stores eight bytes, the lowest first. Spelled out, which the compiler makes one store of.
  @inline(__always) @_lifetime(self: copy self)
  private mutating func store(_ word: UInt64, at place: Int) {
    precondition(place >= 0 && place <= count &- 8)
    self[place] = UInt8(truncatingIfNeeded: word)
    self[place &+ 1] = UInt8(truncatingIfNeeded: word >> 8)
    self[place &+ 2] = UInt8(truncatingIfNeeded: word >> 16)
    self[place &+ 3] = UInt8(truncatingIfNeeded: word >> 24)
    self[place &+ 4] = UInt8(truncatingIfNeeded: word >> 32)
    self[place &+ 5] = UInt8(truncatingIfNeeded: word >> 40)
    self[place &+ 6] = UInt8(truncatingIfNeeded: word >> 48)
    self[place &+ 7] = UInt8(truncatingIfNeeded: word >> 56)
  }

  /// Eight zeros in ASCII.
  private static var digitZeros: UInt64 { 0x3030_3030_3030_3030 }

  /// The eight decimal digits of a number below 10^8, one a byte, the first one lowest: halves, quarters and digits are
  /// told apart in all lanes at once, by a multiplication that stands for the division.
  @inline(__always)
  private static func digits(of number: UInt32) -> UInt64 {
    let high = number / 10_000
    var lanes = UInt64(high) | UInt64(number &- high &* 10_000) << 32
    var quotients = (lanes &* 10_486) >> 20 & 0x0000_007F_0000_007F
    lanes = quotients | (lanes &- quotients &* 100) << 16
    quotients = (lanes &* 103) >> 10 & 0x000F_000F_000F_000F
    return quotients | (lanes &- quotients &* 10) << 8
  }
}
