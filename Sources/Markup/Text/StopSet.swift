/// A set of ASCII bytes below 128 that end a run of plain text.
struct StopSet {
  private let low: UInt64
  private let high: UInt64
  /// Up to four of the bytes that are no control bytes, each in all lanes, some repeatedly where there are fewer. Control
  /// bytes are looked for as one range; 0 is one.
  private let patterns: (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>)
  /// How many bytes of the set are no control bytes.
  private let patternCount: Int

  init(_ bytes: String) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for byte in bytes.utf8 {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
    self.init(low: low, high: high)
  }

  /// What ends every run of text: NUL, which shows as another character, and line endings.
  static var lineEnds: StopSet {
    @inline(__always) get { StopSet(controls: 1 << 0x00 | 1 << 0x0A | 1 << 0x0D) }
  }

  /// A set of control bytes, a bit for each: nothing is worked out, so that a constant one is a constant.
  @inline(__always)
  private init(controls: UInt64) {
    low = controls
    high = 0
    patterns = (.all(0), .all(0), .all(0), .all(0))
    patternCount = 0
  }

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
    var patterns = (SIMD16<UInt8>.all(0), SIMD16<UInt8>.all(0), SIMD16<UInt8>.all(0), SIMD16<UInt8>.all(0))
    var count = 0
    for byte in 0x20..<128 as Range<UInt8>
    where (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte - 64)) & 1 != 0 {
      let pattern = SIMD16<UInt8>.all(byte)
      if count == 0 { patterns = (pattern, pattern, pattern, pattern) }
      patterns = (pattern, patterns.0, patterns.1, patterns.2)
      count += 1
    }
    self.patterns = patterns
    patternCount = count
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    ((byte < 64 ? low : high) >> UInt64(byte & 63)) & 1 != 0
  }

  /// A bit for each of 16 bytes that may be no plain text, the first one's the lowest: what is in the set, every control
  /// byte, and what is no ASCII.
  @inline(__always)
  func marks(of bytes: SIMD16<UInt8>) -> UInt16 {
    let others = (bytes &- .all(" ")) .> .all(0x5F)
    if patternCount == 0 { return others.bits }
    // More than there is a vector for: each byte is looked at.
    if patternCount > 4 { return .max }
    let stops =
      (bytes .== patterns.0) .| (bytes .== patterns.1) .| (bytes .== patterns.2) .| (bytes .== patterns.3)
    return (others .| stops).bits
  }

  func union(_ other: StopSet) -> StopSet { StopSet(low: low | other.low, high: high | other.high) }
}

/// Where a line's text is to be looked at: at a leaf's own stops, and at what may begin a close tag while a component
/// is open. Made once for each kind of leaf.
struct TextStops {
  let own: StopSet
  let withTags: StopSet
  /// Whether code spans hide close tags here.
  let hasSpans: Bool

  /// - Parameter bytes: the stops beside line ends, NUL and what is no ASCII.
  init(_ bytes: String = "", hasSpans: Bool = true) {
    own = StopSet.lineEnds.union(StopSet(bytes))
    withTags = own.union(StopSet(hasSpans ? "<`\\" : "<"))
    self.hasSpans = hasSpans
  }

  static let lineEnds = TextStops()
  static let lineEndsWithoutSpans = TextStops(hasSpans: false)
}
