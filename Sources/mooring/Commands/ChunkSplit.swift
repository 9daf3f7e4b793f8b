/// A way to cut a document into chunks (identity.md §9).
enum ChunkSplit: Equatable {
  /// What the option accepts.
  static let accepted = "bytes, lines, tokens, random:SEED, or a number of bytes from 1 to 1073741824"

  /// Chunks of so many bytes.
  case bytes(Int)
  /// A chunk ends after each line feed.
  case lines
  /// As a language model's tokens come: a word with the byte before it, at most six bytes.
  case tokens
  /// Mostly short, sometimes long; the same for the same seed.
  case random(seed: UInt64)

  /// Reads an option's value.
  init?(_ text: String) {
    switch text {
    case "bytes": self = .bytes(1)
    case "lines": self = .lines
    case "tokens": self = .tokens
    default:
      if text.hasPrefix("random:") {
        guard let seed = UInt64(text.dropFirst("random:".count)) else { return nil }
        self = .random(seed: seed)
      } else {
        guard let count = Int(text), (1...1 << 30).contains(count) else { return nil }
        self = .bytes(count)
      }
    }
  }

  /// The offsets at which chunks end, in order, the last one the source's length; none for an empty source.
  func chunkEnds(of source: [UInt8]) -> [Int] {
    var ends: [Int] = []
    var end = 0
    var seed: UInt64 = 0
    if case .random(let given) = self { seed = given }
    while end < source.count {
      end = min(source.count, end + chunkLength(in: source, from: end, &seed))
      ends.append(end)
    }
    return ends
  }

  private func chunkLength(in source: [UInt8], from start: Int, _ seed: inout UInt64) -> Int {
    switch self {
    case .bytes(let count): return count
    case .lines: return (source[start...].firstIndex(of: 0x0A) ?? source.count) - start + 1
    case .tokens:
      var length = 1
      while length < 6, start + length < source.count, Self.isWord(source[start + length]) { length += 1 }
      return length
    case .random:
      let kind = Self.random(&seed) % 10
      return 1 + Int(Self.random(&seed) % (kind < 7 ? 4 : 40))
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
  }

  /// SplitMix64.
  private static func random(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
