import BlockDiff
import Configuration
import HTTPServer
import StreamStore

// What tells supervisors and people that the service is there.
extension Service {
  /// Answers whether the process lives.
  func answerLiveness(_ exchange: Exchange) async throws {
    _ = try Query(exchange.request, known: [])
    try await exchange.send(.ok, fields: Self.health, content: Array("ok\n".utf8))
  }

  /// Answers whether the service takes requests: not any more when it is shutting down. `?verbose` says why.
  func answerReadiness(_ exchange: Exchange) async throws {
    let query = try Query(exchange.request, known: ["verbose"])
    let isVerbose = query["verbose"] != nil
    guard !exchange.isDraining else { throw ServiceError.draining }
    guard isVerbose else {
      return try await exchange.send(.ok, fields: Self.health, content: Array("ready\n".utf8))
    }
    var writer = JSONWriter()
    writer.write(#"{"ready":true,"draining":false,"storage":"# as JSONFragment)
    writer.write(string: settings.storage.engine.rawValue)
    writer.write(#","storageAvailable":"# as JSONFragment)
    writer.write(store.isStorageAvailable)
    writer.write(#","streams":"# as JSONFragment)
    writer.write(store.count)
    writer.write(#","maxStreams":"# as JSONFragment)
    writer.write(store.options.maxStreams)
    writer.write(#","bytes":"# as JSONFragment)
    writer.write(store.totalBytes)
    writer.write(#","maxBytes":"# as JSONFragment)
    writer.write(store.options.maxTotalBytes)
    writer.write(#","loadedStreams":"# as JSONFragment)
    writer.write(store.loadedCount)
    writer.write(#","parsedBytes":"# as JSONFragment)
    writer.write(store.parsedBytes)
    writer.write(#","maxParsedBytes":"# as JSONFragment)
    writer.write(store.options.maxParsedBytes)
    writer.write("}" as JSONFragment)
    var fields = Answer.json
    fields.append("Cache-Control", "no-store")
    try await exchange.send(.ok, fields: fields, content: writer.bytes)
  }

  private static let health: Fields = [
    "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
  ]

  /// Answers the root with what there is.
  func answerRoot(_ exchange: Exchange) async throws {
    _ = try Query(exchange.request, known: [])
    try await exchange.send(.ok, fields: Answer.text, content: Array(Self.welcome.utf8))
  }

  private static let welcome = """
    Mooring: Markdown in, blocks with IDs that never change out.

    POST /v1/blocks/{path}   the next chunk of a stream; the answer is the diff
    GET  /v1/blocks/{path}   its blocks; ?from=<token> what has changed, ?wait=<seconds> once something has,
                             ?at=<token> as they were, ?block=<id> one of them;
                             with Accept: text/event-stream as they change
    DELETE /v1/blocks/{path} removes it
    GET  /v1/live?path=a&path=b   many streams on one connection
    PUT, POST, GET, HEAD, DELETE /v1/stream/{path}   the same streams' sources, by Durable Streams 1.0
    POST /v1/parse           the blocks of a whole document
    GET  /livez, /readyz

    """
}
