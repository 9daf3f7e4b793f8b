import BlockDiff
package import Markup

/// How a document is parsed.
package struct ParseOptions: Sendable, Equatable, CustomStringConvertible {
  package var dialect: Dialect
  package var options: MarkupParser.Options

  package init(_ dialect: Dialect, options: MarkupParser.Options = MarkupParser.Options()) {
    self.dialect = dialect
    self.options = options
  }

  package var description: String {
    var text = dialect.name
    if !options.open.isEmpty { text += ", open \(options.open)" }
    if options.frontMatter { text += ", front matter" }
    return text
  }
}

/// The parser with its diffs, as the service uses them.
package struct ParserEngine: CheckedEngine, ~Copyable {
  private var parser: MarkupParser
  private var ops: [BlockOp] = []

  package init(_ grammar: Grammar) { parser = MarkupParser(grammar) }

  /// Makes engines that all read the same grammar.
  package static func factory(_ parse: ParseOptions) -> @Sendable () -> ParserEngine {
    let grammar = Grammar(parse.dialect, options: parse.options)
    return { ParserEngine(grammar) }
  }

  package mutating func append(_ bytes: borrowing Span<UInt8>) { parser.append(bytes) }

  package mutating func finish() { parser.finish() }

  package var steps: Int { parser.steps }

  package mutating func readSnapshot(into message: inout WireMessage) {
    message.read(snapshotOf: parser.blocks)
  }

  package mutating func readDiff(since offset: Int?, into message: inout WireMessage) {
    ops.removeAll(keepingCapacity: true)
    parser.blocks.appendOps(since: offset.map { ByteOffset($0) }, to: &ops)
    message.read(ops, of: parser.blocks)
  }
}
