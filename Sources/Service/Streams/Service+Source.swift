import BlockDiff
import HTTPServer
import StreamStore

// /v1/stream/{path}: the source as Durable Streams 1.0 has it. This file has what concerns the whole resource; creation,
// appends, reads and live events have theirs.
extension Service {
  /// Answers a request on a source.
  func answerSource(_ exchange: Exchange, _ path: StreamPath) async throws {
    switch exchange.request.method {
    case .put: try await create(exchange, path)
    case .post: try await appendSource(exchange, path)
    case .head: try await sendMetadata(exchange, path)
    case .delete: try await delete(exchange, path)
    default: try await readSource(exchange, path)
    }
  }

  /// Deletes a stream, for both views.
  func delete(_ exchange: Exchange, _ path: StreamPath) async throws {
    guard try await store.remove(path) else { throw StreamError.noStream(path: path.description) }
    try await exchange.send(.noContent, fields: Self.sourceFields)
  }

  private func sendMetadata(_ exchange: Exchange, _ path: StreamPath) async throws {
    let stream = try await store.stream(at: path)
    var fields = Self.sourceFields
    fields.append("Content-Type", stream.configuration.contentType)
    fields.append("Cache-Control", "no-store")
    fields.append(stream.status)
    fields.append(stream.lifetime)
    try await exchange.send(.ok, fields: fields)
  }

  /// What every answer of this view says to browsers (§12.7).
  static let sourceFields: Fields = [
    "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "cross-origin",
  ]
}

extension Fields {
  /// Adds when the stream ends.
  mutating func append(_ lifetime: Lifetime) {
    switch lifetime {
    case .unlimited: break
    case .idle(let seconds): append("Stream-TTL", seconds)
    case .until(let moment): append("Stream-Expires-At", RFC3339.text(moment))
    }
  }

  /// Adds what a producer is told of itself.
  mutating func append(_ producer: ProducerStamp?) {
    guard let producer else { return }
    append("Producer-Epoch", producer.epoch)
    append("Producer-Seq", producer.sequence)
  }
}
