import BlockDiff
import HTTPServer
import Markup
import StreamStore

// POST /v1/parse: a whole document in, its snapshot or HTML out, nothing kept.
extension Service {
  /// Answers a document.
  func parse(_ exchange: Exchange) async throws {
    let request = exchange.request
    let query = try Query(request, known: ["dialect", "shape", "inline", "html"])
    try query.checkFormat()
    let inline = try query.inline(policy)
    let shape = try query.word("shape", of: SnapshotShape.allCases.map(\.rawValue) + ["html"])
    let isExact = try query.word("html", of: ["safe", "exact"]) == "exact"
    let type = shape == "html" ? "text/html" : "application/json"
    let dialect =
      if let name = query["dialect"] {
        try AppendFields.dialect("dialect", name, of: dialects)
      } else {
        store.options.defaultDialect
      }
    guard Accept.best(of: [type], request.fields) != nil else {
      throw ServiceError.notAcceptable(offered: [type])
    }
    let source = try await exchange.collectContent()
    var parser = await Slices.parse(source, dialect, .init(), keepsHistory: false)
    parser.finish()
    if shape == "html" {
      var writer = HTMLWriter(dialect: dialect, options: isExact ? .exact : policy)
      writer.write(parser.blocks)
      return try await exchange.send(.ok, fields: Answer.html, content: writer.bytes)
    }
    var writer = JSONWriter(capacity: source.count * 2)
    let form = shape.flatMap(SnapshotShape.init) ?? .flat
    var inlines = InlineView(dialect: dialect)
    writer.write(snapshotOf: parser.blocks, shape: form, inlines: &inlines, as: inline, in: Envelope())
    try await exchange.send(.ok, fields: Answer.json, content: writer.finish())
  }
}
