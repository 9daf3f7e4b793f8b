import BlockDiff
import Markup

// What a fork has of its source's blocks (Decision 0006).
extension BlockStream {
  /// The stream that a fork was made of, as long as that is in memory.
  struct Origin: Sendable {
    weak let stream: BlockStream?
  }

  /// Another parser that stands where this stream's does, if that is at `offset`: what a fork begins with.
  func copyOfParsed(at offset: ByteOffset) -> ParsedSource? {
    locked {
      guard let parsed, shown.tail.position == offset, !shown.isFinished else { return nil }
      return ParsedSource(copying: parsed, dialect: configuration.dialect)
    }
  }

  /// A parser of the bytes that the stream shares with the one that it was forked from, or with the nearest before
  /// that whose blocks are in memory: as far as the last boundary there. `nil` where there is none.
  func prefixOfSource() -> MarkupParser? {
    var end = lineage.begin
    var next = origin.stream
    while let source = next {
      if source.isParsed { return source.prefix(through: end) }
      end = min(end, source.lineage.begin)
      next = source.origin.stream
    }
    return nil
  }

  /// A parser that stands at the last boundary at or before `offset`.
  private func prefix(through offset: ByteOffset) -> MarkupParser? {
    locked {
      guard let parsed, let boundary = parsed.parser.blocks.boundary(through: offset) else { return nil }
      return parsed.parser.prefix(to: boundary)
    }
  }
}
