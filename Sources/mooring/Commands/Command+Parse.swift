import BlockDiff
import Markup

extension Command {
  /// `mooring parse`.
  static let parse = Command(
    words: ["parse"], summary: "Prints a finished document's blocks as JSON, or the document as HTML",
    operand: "[FILE]",
    options: [
      .dialect, Option("--shape", "SHAPE", "flat (default), tree, mdast or html"),
      Option("--inline", "none", "How inline content is shown in JSON: raw, in text"),
      Option("--html", "POLICY", "safe (default): raw HTML is shown as text; exact: CommonMark's own output"),
    ]
  ) { arguments in
    let dialect = try arguments.dialect()
    let shape = try arguments.word("--shape", of: SnapshotShape.allCases.map(\.rawValue) + ["html"])
    _ = try arguments.word("--inline", of: ["none"])
    let policy = try arguments.word("--html", of: ["safe", "exact"])
    let source = try Input.bytes(of: arguments.operands)
    var parser = MarkupParser(dialect: dialect)
    parser.append(source.span)
    parser.finish()
    if shape == "html" {
      var writer = HTMLWriter(dialect: dialect, options: policy == "exact" ? .exact : .safe)
      writer.write(parser.blocks)
      return Output.write(writer.bytes)
    }
    var writer = JSONWriter(capacity: source.count * 2)
    writer.write(
      snapshotOf: parser.blocks, shape: shape.flatMap(SnapshotShape.init) ?? .flat, dialect: dialect.name,
      in: Envelope())
    Output.write(writer.bytes + [0x0A])
  }
}

extension Arguments {
  /// The dialect that `--dialect` names.
  func dialect() throws -> Dialect {
    let name = try word("--dialect", of: Dialect.shipped.map(\.name))
    return Dialect.shipped.first { $0.name == name } ?? .chat
  }
}
