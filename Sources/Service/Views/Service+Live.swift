import BlockDiff
import Configuration
import HTTPServer
import StreamStore

// Live views: server-sent events of one stream, or of many on one connection.
extension Service {
  /// The most streams on one connection: each costs a lookup whenever one of them changes.
  private static let maxLivePaths = 100
  private static let manyForms = ["text/event-stream"]

  /// Answers a live view of one stream: from `Last-Event-ID`, from `?from=`, or with a snapshot.
  func viewLive(_ exchange: Exchange, _ stream: BlockStream, _ query: ViewQuery) async throws {
    var cursor = LiveView.Cursor(stream: stream)
    if let token = try Self.lastEventID(exchange.request.fields) ?? query.from {
      cursor.position = try stream.position(of: token)
    }
    let view = LiveView(
      exchange, [cursor], isMany: false, shape: query.shape, inline: query.inline,
      minInterval: query.minInterval, settings: settings.blocks)
    try await view.run()
  }

  private static func lastEventID(_ fields: Fields) throws(ServiceError) -> OffsetToken? {
    guard let value = fields["last-event-id"], !value.isEmpty else { return nil }
    guard let token = OffsetToken(value) else {
      throw .malformedOffset(name: "Last-Event-ID", value: String(decoding: value, as: UTF8.self))
    }
    return token
  }

  /// Answers a live view of many streams. `Last-Event-ID` resumes all of them; a stream that was created again
  /// since begins with a snapshot, as one of which nothing was sent.
  func viewMany(_ exchange: Exchange) async throws {
    let request = exchange.request
    let query = try Query(
      request, known: ["path", "shape", "inline", "format", "minInterval"], repeatable: "path")
    try query.checkFormat()
    let inline = try query.inline(policy)
    guard Accept.best(of: Self.manyForms, request.fields) != nil else {
      throw ServiceError.notAcceptable(offered: Self.manyForms)
    }
    let shape = try query.shape
    let minInterval = try ViewQuery.minInterval(query, settings.blocks)
    var cursors: [LiveView.Cursor] = []
    for path in try Self.paths(query) {
      let stream = try await markup(at: path)
      if request.method != .head { stream.noteUse() }
      cursors.append(LiveView.Cursor(stream: stream))
    }
    if let value = request.fields["last-event-id"], !value.isEmpty {
      guard let last = LivePositions(value), last.positions.count == cursors.count else {
        throw ServiceError.malformedOffset(
          name: "Last-Event-ID", value: String(decoding: value, as: UTF8.self))
      }
      for (index, token) in last.positions.enumerated() {
        cursors[index].position = token.flatMap { try? cursors[index].stream.position(of: $0) }
      }
    }
    let view = LiveView(
      exchange, cursors, isMany: true, shape: shape, inline: inline, minInterval: minInterval,
      settings: settings.blocks)
    try await view.run()
  }

  private static func paths(_ query: Query) throws(ServiceError) -> [StreamPath] {
    let values = query.all("path")
    guard !values.isEmpty, values.count <= maxLivePaths else {
      throw .invalidValue(
        name: "path", value: "\(values.count) of them", accepted: "1 to \(maxLivePaths) paths of streams")
    }
    var paths: [StreamPath] = []
    for value in values {
      guard let path = StreamPath(value) else { throw .malformedPath(value) }
      guard !paths.contains(path) else {
        throw .invalidValue(name: "path", value: value, accepted: "each path once")
      }
      paths.append(path)
    }
    return paths
  }
}
