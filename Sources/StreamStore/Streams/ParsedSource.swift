import BlockDiff
import Markup

/// The blocks of a source. A class, so that the parser stays where it is while it is used.
final class ParsedSource {
  var parser: MarkupParser
  /// The inline content of its leaves, for readers who ask for it.
  var inlines: InlineView
  /// Where its appends ended.
  private(set) var ends = AppendEnds()

  init(_ configuration: StreamConfiguration) {
    parser = MarkupParser(dialect: configuration.dialect, options: configuration.options)
    inlines = InlineView(dialect: configuration.dialect)
  }

  /// One that goes on from where another stands.
  init(copying other: ParsedSource, dialect: Dialect) {
    parser = other.parser.copy()
    // It catches up by itself.
    inlines = InlineView(dialect: dialect)
  }

  func append(_ bytes: [UInt8], closes: Bool) {
    parser.append(bytes.span)
    ends.add(parser.position.value)
    if closes { parser.finish() }
  }

  /// What has read a whole source, in slices.
  init(_ source: [UInt8], _ configuration: StreamConfiguration, closes: Bool) async {
    parser = await Slices.parse(source, configuration.dialect, configuration.options)
    inlines = InlineView(dialect: configuration.dialect)
    if closes { parser.finish() }
    // Most of what is read again is not written to any more.
    parser.trim()
  }

  /// What has gone on from an earlier position with what begins at an index of `source`.
  init(
    _ parser: consuming MarkupParser, _ source: [UInt8], from begin: Int, dialect: Dialect, closes: Bool
  ) async {
    self.parser = await Slices.parse(source, from: begin, with: parser)
    inlines = InlineView(dialect: dialect)
    if closes { self.parser.finish() }
    self.parser.trim()
  }
}

// The parser is borrowed here, while reading its table through the class would copy the table's references each
// time: a twentieth of an append.
extension MarkupParser {
  var position: ByteOffset { blocks.position }

  /// Writes what has changed since an earlier position.
  borrowing func writeDiff(
    since position: ByteOffset?, inlines: inout InlineView, as output: InlineOutput, in envelope: Envelope,
    to writer: inout JSONWriter
  ) -> Diff {
    let diff = blocks.diff(since: position)
    writer.write(diff, of: blocks, inlines: &inlines, as: output, in: envelope)
    return diff
  }
}
