import BlockDiff
import Configuration
import HTTPServer
import Markup
import StreamStore

/// One reader's live view of one stream or many: a cursor for each, and nothing queued.
///
/// It subscribes before it looks, so nothing falls between catching up and what comes then. Each round takes
/// what has changed since the cursors, sends it, and waits until the client has it all. Used on its exchange's loop.
final class LiveView {
  /// How far the reader is in one stream.
  struct Cursor {
    let stream: BlockStream
    /// What the reader has; `nil` before its snapshot.
    var position: ByteOffset?
    /// Whether the reader was told that the stream is finished.
    var isDone = false
  }

  /// Bytes of events that are put together before they are sent.
  private static let batchBytes = 64 << 10
  /// Between these, in milliseconds, a client comes again that lost its connection.
  private static let retryRange = 1000...3000

  private let exchange: Exchange
  private let settings: Settings.Blocks
  private let shape: SnapshotShape
  private let inline: InlineOutput
  private let minInterval: Int64
  private let heartbeatInterval: Int64
  private var cursors: [Cursor]
  /// Whether events name all positions, or the one stream's as a token.
  private let isMany: Bool
  private var events = EventWriter()
  /// Whether something may have changed since the last round.
  private var hasNews = true
  private var nextRound = LoopInstant.never
  private var nextHeartbeat = LoopInstant.never

  init(
    _ exchange: Exchange, _ cursors: [Cursor], isMany: Bool, shape: SnapshotShape, inline: InlineOutput,
    minInterval: Duration, settings: Settings.Blocks
  ) {
    self.exchange = exchange
    self.cursors = cursors
    self.isMany = isMany
    self.shape = shape
    self.inline = inline
    self.minInterval = minInterval.nanoseconds
    self.settings = settings
    heartbeatInterval = settings.heartbeatInterval.nanoseconds
  }

  /// Sends events until every stream is finished, the client leaves or lags, or the server shuts down.
  func run() async throws {
    let signal = exchange.makeSignal()
    let subscriptions = cursors.map { ($0.stream, $0.stream.subscribe { signal.wake() }) }
    defer { for (stream, id) in subscriptions { stream.unsubscribe(id) } }

    try await exchange.startStream(.ok, fields: Answer.events)
    if exchange.request.method == .head { return }
    events.writeRetry(milliseconds: .random(in: Self.retryRange))

    nextRound = exchange.now
    while true {
      if hasNews, exchange.now >= nextRound {
        hasNews = false
        guard try await sendRound() else { return }
        if isDone { return }
        endRound()
      } else if exchange.now >= nextHeartbeat {
        events.writeHeartbeat()
        guard try await deliver() else { return }
        nextHeartbeat = exchange.now.advanced(byNanoseconds: heartbeatInterval)
      }
      switch await exchange.wait(for: signal, until: deadline, attendant: attend) {
      case .signalled: hasNews = true
      case .deadlinePassed: break
      case .draining, .peerClosed: return
      }
    }
  }

  /// When there is something to do even if nothing changes.
  private var deadline: LoopInstant { hasNews ? min(nextRound, nextHeartbeat) : nextHeartbeat }

  /// Whether there is nothing left to tell.
  private var isDone: Bool { cursors.allSatisfy(\.isDone) }

  /// Everything has been told.
  private func endRound() {
    nextRound = exchange.now.advanced(byNanoseconds: minInterval)
    nextHeartbeat = exchange.now.advanced(byNanoseconds: heartbeatInterval)
  }

  /// A round within the wait: as nearly all are, where nothing has to be waited for. The deadline from there on; `nil`
  /// where the task has to go on.
  private func attend() -> LoopInstant? {
    hasNews = true
    if exchange.now >= nextRound {
      // What has failed is found again by the task.
      guard (try? sendAtOnce()) == true, !isDone else { return nil }
      hasNews = false
      endRound()
    }
    return deadline
  }

  /// Sends what every stream has to tell. False where something has to be waited for: `sendRound` goes on from there.
  private func sendAtOnce() throws(ExchangeError) -> Bool {
    for index in cursors.indices where !cursors[index].isDone {
      guard let position = cursors[index].position else { return false }
      let news = cursors[index].stream.news(since: position, inline: inline)
      // As nearly always: the readers of one stream are sent the same.
      if !isMany, events.bytes.isEmpty, case .changes(let changes) = news, !changes.isEmpty,
        !changes.status.isFinished
      {
        cursors[index].position = changes.status.position.position
        let event = changes.event { ChunkedCoding.chunk(of: EventWriter.diff(changes)) }
        return try exchange.deliverAtOnce(chunk: event)
      }
      guard write(news, of: index) else { return false }
      if events.bytes.count >= Self.batchBytes { return false }
    }
    guard !events.bytes.isEmpty else { return true }
    let hasTaken = try exchange.deliverAtOnce(events.bytes)
    removeEvents()
    return hasTaken
  }

  /// Sends what every stream has to tell, and waits where that is needed. False where the reader lags.
  private func sendRound() async throws -> Bool {
    for index in cursors.indices where !cursors[index].isDone {
      if let position = cursors[index].position {
        if !write(cursors[index].stream.news(since: position, inline: inline), of: index) {
          write(try await cursors[index].stream.changes(since: position, inline: inline), of: index)
        }
      } else if cursors[index].stream.isPresent {
        try await writeSnapshot(of: index)
      } else {
        cursors[index].isDone = true
      }
      if events.bytes.count >= Self.batchBytes {
        guard try await deliver() else { return false }
      }
    }
    return try await deliver()
  }

  /// Writes what a stream has to tell. False where its blocks have to be read first.
  private func write(_ news: BlockStream.News, of index: Int) -> Bool {
    switch news {
    // Deleted, or its time is over: whoever comes again is told.
    case .absent: cursors[index].isDone = true
    case .none(let status): if status.isFinished { writeFinished(index, status) }
    case .changes(let changes): write(changes, of: index)
    case .needsBlocks: return false
    }
    return true
  }

  private func writeSnapshot(of index: Int) async throws(StreamError) {
    let snapshot = try await cursors[index].stream.snapshot(shape: shape, inline: inline)
    cursors[index].position = snapshot.status.position.position
    events.write(.snapshot, id: eventID, data: snapshot.json)
    if snapshot.status.isFinished { writeFinished(index, snapshot.status) }
  }

  private func write(_ changes: BlockChanges, of index: Int) {
    // What shows nothing is not sent; the next diff begins where the reader is.
    if !changes.isEmpty {
      cursors[index].position = changes.status.position.position
      events.write(.diff, id: isMany ? eventID : changes.token, data: changes.json)
    }
    if changes.status.isFinished { writeFinished(index, changes.status) }
  }

  private func writeFinished(_ index: Int, _ status: StreamStatus) {
    cursors[index].isDone = true
    cursors[index].position = status.position.position
    events.write(.finished, id: eventID, data: Self.data(cursors[index].stream, status.position))
  }

  /// Sends what has been written and waits until the client has it. False where it takes nothing for too long:
  /// it is then told that it lags, should it come back before the connection closes.
  private func deliver() async throws -> Bool {
    if try await exchange.deliver(events.bytes, stallTimeout: settings.laggedTimeout) {
      removeEvents()
      return true
    }
    events.bytes = []
    let cursor = cursors[0]
    let token = cursor.stream.lineage.token(at: cursor.position ?? .zero)
    events.write(.lagged, id: eventID, data: isMany ? Array("{}".utf8) : Self.data(cursor.stream, token))
    try await exchange.closeAfterResponse()
    try await exchange.write(events.bytes)
    return false
  }

  private func removeEvents() {
    events.bytes.removeAll(keepingCapacity: events.bytes.count <= Self.batchBytes)
  }

  /// `{"stream","at"}`.
  private static func data(_ stream: BlockStream, _ token: OffsetToken) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(#"{"stream":"# as JSONFragment)
    writer.write(string: stream.path.description)
    writer.write(#","at":"# as JSONFragment)
    writer.write(string: token.description)
    writer.write("}" as JSONFragment)
    return writer.bytes
  }

  /// The position after what has been written.
  private var eventID: [UInt8] {
    guard isMany else {
      var id: [UInt8] = []
      id.reserveCapacity(33)
      cursors[0].stream.lineage.token(at: cursors[0].position ?? .zero).append(to: &id)
      return id
    }
    return LivePositions(
      cursors.map { cursor in
        cursor.position.map { cursor.stream.lineage.token(at: $0) }
      }
    ).bytes
  }
}
