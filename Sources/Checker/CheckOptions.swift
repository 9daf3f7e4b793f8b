/// What is checked of a document, and how thoroughly.
package struct CheckOptions: Sendable, Equatable {
  /// Which prefixes are parsed whole, to be compared with the prefix that was fed byte by byte.
  package enum Prefixes: String, Sendable, CaseIterable {
    /// Every one of a document of at most `wholeLimitBytes`; of a longer one as `sampled`.
    case all
    /// At most `sampledPrefixes` of them, evenly spread.
    case sampled
  }

  /// The ways to cut the document; byte by byte is always one of them.
  package var splits: [Split]
  package var prefixes = Prefixes.all
  /// What random choices begin with.
  package var seed: UInt64
  /// Whether what is found is made smaller.
  package var shrinks = true
  /// The bytes of candidates that one violation may cost to shrink: about a microsecond each.
  package var shrinkingWork = 8_000_000

  /// Whole parses of all prefixes cost the square of the length: at this one about two seconds.
  package var wholeLimitBytes = 16_384
  package var sampledPrefixes = 160
  /// The length up to which the diff from every earlier offset is applied, at every offset.
  package var everyPairBytes = 128
  /// The bytes to which a document is repeated, at least, to see what its work grows by; 0 leaves that out.
  package var costBytes = 16_384

  package init(seed: UInt64 = 1) {
    self.seed = seed
    splits = Self.allSplits(seed: seed)
  }

  /// Every split that needs no record of a stream.
  package static func allSplits(seed: UInt64) -> [Split] {
    [.bytes, .lines, .tokens, .random(seed: seed), .random(seed: seed &+ 1), .random(seed: seed &+ 2)]
  }

  /// The splits that a list such as `lines,random` names; `nil` if it names anything else.
  package static func splits(named list: String, seed: UInt64) -> [Split]? {
    var splits: [Split] = []
    for name in list.split(separator: ",", omittingEmptySubsequences: false) {
      switch name {
      case "all": splits += allSplits(seed: seed)
      case "bytes": splits.append(.bytes)
      case "lines": splits.append(.lines)
      case "tokens": splits.append(.tokens)
      case "random": splits.append(.random(seed: seed))
      case _ where name.hasPrefix("random:"):
        guard let seed = UInt64(name.dropFirst("random:".count)) else { return nil }
        splits.append(.random(seed: seed))
      default: return nil
      }
    }
    return splits
  }
}
