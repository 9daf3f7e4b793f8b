/// A way to cut a source into chunks (identity.md §9).
package enum Split: Sendable, Hashable, CustomStringConvertible {
  case whole
  case bytes
  /// A chunk ends after each line feed.
  case lines
  /// Chunks as a language model's tokens come: a word with the space before it, a run of other bytes, at most
  /// six bytes.
  case tokens
  /// Chunks of random length: mostly short, sometimes empty, sometimes long.
  case random(seed: UInt64)
  /// Two chunks, the second one beginning at an offset.
  case two(at: Int)
  /// The chunks that a stream came in, by the offsets at which they end.
  case recorded([Int])

  package var description: String {
    switch self {
    case .whole: "whole"
    case .bytes: "bytes"
    case .lines: "lines"
    case .tokens: "tokens"
    case .random(let seed): "random:\(seed)"
    case .two(let offset): "two at \(offset)"
    case .recorded: "recorded"
    }
  }

  /// The offsets at which chunks of `source` end, in order; the last one is its length. An offset that comes
  /// twice stands for an empty chunk.
  package func chunkEnds(of source: [UInt8]) -> [Int] {
    var ends: [Int] = []
    switch self {
    case .whole: break
    case .bytes: ends = source.isEmpty ? [] : Array(1..<source.count)
    case .lines:
      for offset in source.indices.dropLast() where source[offset] == 0x0A { ends.append(offset + 1) }
    case .tokens:
      var start = 0
      while start < source.count {
        var end = start + 1
        while end < source.count && end - start < 6 && Self.isWord(source[end]) { end += 1 }
        start = end
        if end < source.count { ends.append(end) }
      }
    case .random(let seed):
      var generator = SeededGenerator(seed: seed)
      var end = 0
      while true {
        let kind = generator.below(10)
        end += kind == 0 ? 0 : kind < 7 ? 1 + generator.below(4) : 1 + generator.below(40)
        if end >= source.count { break }
        ends.append(end)
      }
    case .two(let offset):
      ends = [min(offset, source.count)]
    case .recorded(let recorded):
      ends = recorded.filter { $0 < source.count }
    }
    return ends + [source.count]
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
  }
}
