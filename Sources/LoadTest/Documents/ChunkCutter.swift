import Checker

/// Cuts documents into chunks as a model's tokens come over an API: a word with the space before it, a run of other
/// bytes, often a few of them together.
package struct ChunkCutter {
  private let range: ClosedRange<Int>
  private var random: SeededGenerator

  /// A cutter into chunks of so many bytes; only a document's last chunk may be shorter than the lower bound.
  package init(_ range: ClosedRange<Int>, seed: UInt64) {
    precondition(range.lowerBound > 0)
    self.range = range
    random = SeededGenerator(seed: seed)
  }

  /// The offsets at which the chunks of a document end: rising, the last one its length.
  package mutating func ends(of document: [UInt8]) -> [Int] {
    var ends: [Int] = []
    var start = 0
    while start < document.count {
      start = end(of: document, from: start, wanted: length())
      ends.append(start)
    }
    return ends
  }

  /// Most chunks are short: every further quarter of the range is half as likely.
  private mutating func length() -> Int {
    let spread = range.count - 1
    guard spread > 0 else { return range.lowerBound }
    var quarter = 0
    while quarter < 3, random.chance(50) { quarter += 1 }
    let low = spread * quarter / 4
    let high = spread * (quarter + 1) / 4
    return range.lowerBound + low + random.below(high - low + 1)
  }

  /// Goes on to the end of a word or a character where the range allows it.
  private func end(of document: [UInt8], from start: Int, wanted: Int) -> Int {
    let latest = min(document.count, start + range.upperBound)
    let earliest = min(latest, start + range.lowerBound)
    let wish = min(latest, start + wanted)
    var end = wish
    while end < latest, Self.isInside(document, end) { end += 1 }
    if end < document.count, Self.isInside(document, end) {
      // Too far for a word: back, and at least not into a character.
      end = wish
      while end > earliest, document[end] & 0xC0 == 0x80 { end -= 1 }
    }
    return max(end, min(start + 1, document.count))
  }

  /// Whether a chunk that ends here would cut a word or a character.
  private static func isInside(_ document: [UInt8], _ offset: Int) -> Bool {
    let byte = document[offset]
    return byte & 0xC0 == 0x80 || isLetter(byte) && isLetter(document[offset - 1])
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
  }
}
