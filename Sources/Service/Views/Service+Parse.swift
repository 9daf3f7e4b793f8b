import BlockDiff
import HTTPServer
import Markup
import StreamStore

// POST /v1/parse: a whole document in, its snapshot out, nothing kept.
extension Service {
  /// Answers a document.
  func parse(_ exchange: Exchange) async throws {
    let request = exchange.request
    let query = try Query(request, known: ["dialect", "shape", "inline"])
    try query.checkForms()
    let shape = try query.shape
    let dialect =
      if let name = query["dialect"] {
        try AppendFields.dialect("dialect", name, of: dialects)
      } else {
        store.options.defaultDialect
      }
    guard Accept.best(of: ["application/json"], request.fields) != nil else {
      throw ServiceError.notAcceptable(offered: ["application/json"])
    }
    let source = try await exchange.collectContent()
    var parser = await Slices.parse(source, dialect, .init())
    parser.finish()
    var writer = JSONWriter(capacity: source.count * 2)
    writer.write(snapshotOf: parser.blocks, shape: shape, dialect: dialect.name, in: Envelope())
    try await exchange.send(.ok, fields: Answer.json, content: writer.bytes)
  }
}
