import BlockDiff
import Configuration
import Markup

extension Command {
  /// `mooring parse`.
  static let parse = Command(
    words: ["parse"], summary: "Prints a finished document's blocks as JSON, or the document as HTML",
    operand: "[FILE]",
    options: [
      .dialect, Option("--shape", "SHAPE", "flat (default), tree, mdast or html"),
      Option("--inline", "FORM", "Inline content beside the text in JSON: none (default), runs or html"),
      Option("--html", "POLICY", "safe (default): raw HTML is shown as text; exact: CommonMark's own output"),
    ]
  ) { arguments in
    let dialect = try arguments.dialect()
    let shape = try arguments.word("--shape", of: SnapshotShape.allCases.map(\.rawValue) + ["html"])
    let inline = try arguments.inline()
    let policy = try arguments.word("--html", of: ["safe", "exact"])
    var parser = MarkupParser(dialect: dialect, keepsHistory: false)
    try Input.forEachPiece(of: arguments.operands) { piece, left in
      parser.reserve(sourceBytes: left)
      parser.append(piece.span)
    }
    parser.finish()
    if shape == "html" {
      var writer = HTMLWriter(dialect: dialect, options: policy == "exact" ? .exact : .safe)
      return writer.write(parser.blocks) { Output.write($0) }
    }
    var writer = JSONWriter(capacity: parser.blocks.position.value * 2)
    var inlines = InlineView(dialect: dialect)
    writer.write(
      snapshotOf: parser.blocks, shape: shape.flatMap(SnapshotShape.init) ?? .flat, inlines: &inlines,
      as: inline, in: Envelope())
    Output.write(writer.bytes + [0x0A])
  }
}

extension Arguments {
  /// What `--inline` asks for.
  func inline() throws -> InlineOutput {
    let name = try word("--inline", of: InlineOutput.Form.allCases.map(\.rawValue))
    return InlineOutput(name.flatMap(InlineOutput.Form.init) ?? .none)
  }

  /// The dialect that `--dialect` names, or that is in the file that it names.
  func dialect() throws -> Dialect {
    let value = self["--dialect"]
    if let value, value.hasSuffix(".yaml") { return try Configuration.dialect(ofFile: value) }
    let name = try word("--dialect", of: Dialect.shipped.map(\.name), or: "a dialect's file, NAME.yaml")
    return Dialect.shipped.first { $0.name == name } ?? .chat
  }
}
