/// A set of ASCII bytes below 128 that end a run of plain text.
struct StopSet {
  private let low: UInt64
  private let high: UInt64
  /// Up to four of the bytes that are no control bytes, each in all eight bytes of a word, some repeatedly where
  /// there are fewer. Control bytes are looked for as one range; 0 is one.
  private let patterns: (UInt64, UInt64, UInt64, UInt64)
  /// Whether there are more, so that words cannot be asked.
  let isWide: Bool

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
    patterns = (0, 0, 0, 0)
    isWide = false
  }

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
    var patterns: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var count = 0
    for byte in 0x20..<128 as Range<UInt64>
    where (byte < 64 ? low >> byte : high >> (byte - 64)) & 1 != 0 {
      let pattern = byte * Self.ones
      if count == 0 { patterns = (pattern, pattern, pattern, pattern) }
      patterns = (pattern, patterns.0, patterns.1, patterns.2)
      count += 1
    }
    self.patterns = patterns
    isWide = count > 4
  }

  /// Whether all of the bytes are control bytes.
  @inline(__always)
  var isOnlyControls: Bool { patterns.0 == 0 }

  /// How many bytes `isPlain` looks at.
  static let blockBytes = 32

  /// Whether a block of bytes is sure to be plain for any set of control bytes: a loop without branches, which becomes
  /// vector operations.
  @inline(__always)
  static func isPlain(_ block: borrowing Span<UInt8>) -> Bool {
    // With the high bit turned, control bytes and what is no ASCII are the least.
    var least = UInt8.max
    for index in 0..<blockBytes { least = min(least, block[index] ^ 0x80) }
    return least >= 0xA0
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    ((byte < 64 ? low : high) >> UInt64(byte & 63)) & 1 != 0
  }

  /// How many of a word's eight bytes, lowest first, are sure to be plain: ASCII, no control byte and not in the set. 8
  /// if all are.
  @inline(__always)
  func plainPrefix(_ word: UInt64) -> Int {
    // A borrow goes upwards only, so the lowest flag is right, which is all that counts.
    var flags = word | ((word &- Self.ones &* 0x20) & ~word)
    if patterns.0 != 0 {
      flags |= zeros(word ^ patterns.0) | zeros(word ^ patterns.1)
      flags |= zeros(word ^ patterns.2) | zeros(word ^ patterns.3)
    }
    return (flags & Self.highBits).trailingZeroBitCount >> 3
  }

  /// A high bit for each byte that is zero.
  @inline(__always)
  private func zeros(_ word: UInt64) -> UInt64 { (word &- Self.ones) & ~word }

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

extension Span<UInt8> {
  /// The eight bytes from `index` on, the first one lowest: one load.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    let bytes = extracting(index..<index + 8)
    var word: UInt64 = 0
    for place in 0..<8 { word |= UInt64(bytes[place]) << UInt64(8 * place) }
    return word
  }
}
