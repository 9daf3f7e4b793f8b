import BlockDiff
import Configuration
import HTTPServer
import Markup
import StreamStore

// GET /v1/stream/{path}: what comes after an offset, at once or when it is there (§5.6, §5.7).
extension Service {
  /// Answers a read.
  func readSource(_ exchange: Exchange, _ path: StreamPath) async throws {
    let query = try SourceQuery(exchange.request)
    let stream = try await store.stream(at: path)
    stream.noteUse()
    let position =
      switch query.offset {
      case .beginning: 0
      case .now: stream.status.tail.position.value
      case .token(let token): try stream.sourcePosition(of: token)
      }
    switch query.live {
    case nil: try await sendChunk(exchange, stream, position, query)
    case .longPoll: try await pollSource(exchange, stream, position, query)
    case .sse:
      var view = SourceEventView(exchange, stream, position: position, cursor: query.cursor, store, settings)
      try await view.run()
    }
  }

  private func sendChunk(
    _ exchange: Exchange, _ stream: BlockStream, _ position: Int, _ query: SourceQuery
  ) async throws {
    // From now on there is nothing yet, whatever has come since.
    let limit = query.offset == .now ? 0 : settings.streams.maxReadBytes
    let chunk =
      limit == 0
      ? SourceChunk(range: position..<position, bytes: [], status: stream.status)
      : try await SourceChunk.read(stream, from: position, limit: limit)
    try await send(exchange, stream, chunk, query)
  }

  private func send(
    _ exchange: Exchange, _ stream: BlockStream, _ chunk: SourceChunk, _ query: SourceQuery
  ) async throws {
    var fields = Self.sourceFields
    fields.append(chunk, of: stream)
    if query.live != nil {
      fields.append("Stream-Cursor", StreamCursor.next(after: query.cursor, now: store.now))
    }
    // Where the answer begins depends on when it was asked for.
    if query.offset == .now {
      fields.append("Cache-Control", "no-store")
    } else {
      fields.append("Cache-Control", cacheControl(of: stream))
      let tag = Self.entityTag(of: chunk, stream)
      fields.append("ETag", tag)
      if EntityTag.isMatch(exchange.request.fields, tag: tag) {
        return try await exchange.send(.notModified, fields: fields)
      }
    }
    fields.append("Content-Type", stream.configuration.contentType)
    let content =
      SourceEncoding(stream.configuration) == .json ? JSONMessages.array(ofLines: chunk.bytes) : chunk.bytes
    try await exchange.send(.ok, fields: fields, content: content)
  }

  /// Also whether the stream is closed there: that it has been closed must not be hidden by a 304.
  private static func entityTag(of chunk: SourceChunk, _ stream: BlockStream) -> String {
    "\"\(stream.incarnation):\(chunk.range.lowerBound):\(chunk.range.upperBound)\(chunk.isEnd ? ":c" : "")\""
  }

  /// What was read stays as it is, so it may be kept; not beyond the stream's own end.
  private func cacheControl(of stream: BlockStream) -> String {
    var seconds = 60
    if case .until(let end) = stream.lifetime {
      seconds = max(0, min(seconds, (end.milliseconds - store.now.milliseconds) / 1000))
    }
    return seconds < 60 ? "public, max-age=\(seconds)" : "public, max-age=60, stale-while-revalidate=300"
  }

  // MARK: - Long poll

  private func pollSource(
    _ exchange: Exchange, _ stream: BlockStream, _ position: Int, _ query: SourceQuery
  ) async throws {
    let signal = exchange.makeSignal()
    let reader = stream.subscribe { signal.wake() }
    defer { stream.unsubscribe(reader) }
    let deadline = exchange.now.advanced(by: settings.streams.longPollTimeout)
    var isOver = false
    while true {
      try stream.requirePresence()
      let status = stream.status
      if status.tail.position.value > position {
        let chunk = try await SourceChunk.read(stream, from: position, limit: settings.streams.maxReadBytes)
        return try await send(exchange, stream, chunk, query)
      }
      if status.isFinished || isOver {
        return try await sendNothingNew(exchange, stream, status, query)
      }
      switch await exchange.wait(for: signal, until: deadline) {
      case .signalled: continue
      case .deadlinePassed, .draining: isOver = true
      case .peerClosed: throw ExchangeError.peerClosed
      }
    }
  }

  private func sendNothingNew(
    _ exchange: Exchange, _ stream: BlockStream, _ status: StreamStatus, _ query: SourceQuery
  ) async throws {
    var fields = Self.sourceFields
    fields.append(status)
    fields.append("Stream-Up-To-Date", "true")
    fields.append("Cache-Control", "no-store")
    if !status.isFinished {
      fields.append("Stream-Cursor", StreamCursor.next(after: query.cursor, now: store.now))
    }
    try await exchange.send(.noContent, fields: fields)
  }
}

extension Fields {
  /// Adds where a chunk ends, and what that is to the stream.
  mutating func append(_ chunk: SourceChunk, of stream: BlockStream) {
    append("Stream-Next-Offset", stream.lineage.token(at: .init(chunk.range.upperBound)).description)
    if chunk.isUpToDate { append("Stream-Up-To-Date", "true") }
    if chunk.isEnd { append("Stream-Closed", "true") }
  }
}
