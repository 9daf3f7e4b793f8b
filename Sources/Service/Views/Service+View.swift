import BlockDiff
import Configuration
import HTTPServer
import Markup
import StreamStore

// GET /v1/blocks/{path}: the blocks, or what has changed.
extension Service {
  private static let viewForms = ["application/json", "text/event-stream"]

  /// Answers a view of one stream.
  func view(_ exchange: Exchange, _ path: StreamPath) async throws {
    let request = exchange.request
    let query = try ViewQuery(request, settings: settings.blocks, policy: policy)
    let form = query.isLive ? 1 : Accept.best(of: Self.viewForms, request.fields)
    guard let form else { throw ServiceError.notAcceptable(offered: Self.viewForms) }
    let stream = try await markup(at: path)
    if request.method != .head { stream.noteUse() }
    if form == 1 {
      try query.checkLive()
      try await viewLive(exchange, stream, query)
    } else if let token = query.from {
      try await sendDiff(exchange, stream, since: token, query)
    } else if let token = query.at {
      try await sendState(exchange, stream, at: token, query)
    } else if let id = query.block {
      let (json, status) = try await stream.block(id, inline: query.inline)
      try await sendState(exchange, json, status)
    } else {
      try await sendSnapshot(exchange, stream, query)
    }
  }

  /// The stream at a path, which has blocks.
  func markup(at path: StreamPath) async throws(StreamError) -> BlockStream {
    let stream = try await store.stream(at: path)
    guard stream.isMarkup else { throw .notMarkup(type: stream.configuration.mediaType) }
    return stream
  }

  private func sendSnapshot(_ exchange: Exchange, _ stream: BlockStream, _ query: ViewQuery) async throws {
    let status = stream.status
    var fields = Answer.state
    if EntityTag.isMatch(exchange.request.fields, status.position) {
      fields.append("ETag", EntityTag.bytes(of: status.position))
      fields.append(status)
      return try await exchange.send(.notModified, fields: fields)
    }
    let snapshot = try await stream.snapshot(shape: query.shape, inline: query.inline)
    fields.append("ETag", EntityTag.bytes(of: snapshot.status.position))
    fields.append(snapshot.status)
    try await exchange.send(.ok, fields: fields, content: snapshot.json)
  }

  private func sendState(_ exchange: Exchange, _ json: [UInt8], _ status: StreamStatus) async throws {
    var fields = Answer.state
    fields.append(status)
    try await exchange.send(.ok, fields: fields, content: json)
  }

  // MARK: - Diffs

  /// Sends the diff from a position; with `wait`, once it has ops, or as it is when the time is over, the stream
  /// is finished or the server is shutting down.
  private func sendDiff(
    _ exchange: Exchange, _ stream: BlockStream, since token: OffsetToken, _ query: ViewQuery
  ) async throws {
    let position = try stream.position(of: token)
    guard let wait = query.wait, wait > .zero else {
      let changes = try await stream.changes(since: position, inline: query.inline)
      return try await sendState(exchange, changes.json, changes.status)
    }
    let signal = exchange.makeSignal()
    let reader = stream.subscribe { signal.wake() }
    defer { stream.unsubscribe(reader) }
    let deadline = exchange.now.advanced(by: wait)
    while true {
      let changes = try await stream.changes(since: position, inline: query.inline)
      if !changes.isEmpty || changes.status.isFinished {
        return try await sendState(exchange, changes.json, changes.status)
      }
      switch await exchange.wait(for: signal, until: deadline) {
      case .signalled: try stream.requirePresence()
      case .deadlinePassed, .draining:
        let changes = try await stream.changes(since: position, inline: query.inline)
        return try await sendState(exchange, changes.json, changes.status)
      case .peerClosed: throw ExchangeError.peerClosed
      }
    }
  }

  // MARK: - Earlier states

  /// Sends the state at an earlier position, which is parsed anew.
  private func sendState(
    _ exchange: Exchange, _ stream: BlockStream, at token: OffsetToken, _ query: ViewQuery
  ) async throws {
    let position = try stream.position(of: token)
    var fields = Answer.state
    fields.append("ETag", EntityTag.bytes(of: token))
    fields.append(stream.status)
    if EntityTag.isMatch(exchange.request.fields, token), query.block == nil {
      return try await exchange.send(.notModified, fields: fields)
    }
    let (source, isFinished) = try await stream.source(upTo: position)
    let configuration = stream.configuration
    var parser = await Slices.parse(
      source, configuration.dialect, configuration.options, keepsHistory: false)
    if isFinished { parser.finish() }
    let table = parser.blocks
    var inlines = InlineView(dialect: configuration.dialect)
    var writer = JSONWriter()
    if let id = query.block {
      guard let index = table.index(ofID: id) else {
        throw StreamError.noBlock(id: String(decoding: id, as: UTF8.self))
      }
      let block = table[index]
      let bytes = Array(source[block.begin.value..<(block.end?.value ?? source.count)])
      writer.write(
        viewOf: index, in: table, source: bytes, inlines: &inlines, as: query.inline,
        envelope: stream.envelope)
    } else {
      writer.write(
        snapshotOf: table, shape: query.shape, inlines: &inlines, as: query.inline, in: stream.envelope)
    }
    try await exchange.send(.ok, fields: fields, content: writer.bytes)
  }
}
