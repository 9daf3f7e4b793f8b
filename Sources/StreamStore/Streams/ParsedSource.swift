import BlockDiff
import Markup

/// The blocks of a source. A class, so that the parser stays where it is while it is used.
final class ParsedSource {
  /// About a millisecond of parsing.
  private static let sliceBytes = 64 << 10

  var parser: MarkupParser

  init(_ configuration: StreamConfiguration) {
    parser = MarkupParser(dialect: configuration.dialect, options: configuration.options)
  }

  func append(_ bytes: [UInt8], closes: Bool) {
    parser.append(bytes.span)
    if closes { parser.finish() }
  }

  /// Parses a whole source in slices, between which other tasks of the executor have their turn.
  static func parse(
    _ source: [UInt8], _ configuration: StreamConfiguration, closes: Bool
  ) async -> sending ParsedSource {
    let result = ParsedSource(configuration)
    var start = 0
    while start < source.count {
      let end = min(start + sliceBytes, source.count)
      result.parser.append(source.span.extracting(start..<end))
      start = end
      if start < source.count { await Task.yield() }
    }
    if closes { result.parser.finish() }
    return result
  }
}

// The parser is borrowed here, while reading its table through the class would copy the table's references each
// time: a twentieth of an append.
extension MarkupParser {
  var position: ByteOffset { blocks.position }

  /// Writes what has changed since an earlier position.
  borrowing func writeDiff(
    since position: ByteOffset?, in envelope: Envelope, to writer: inout JSONWriter
  ) -> Diff {
    let diff = blocks.diff(since: position)
    writer.write(diff, of: blocks, in: envelope)
    return diff
  }
}
