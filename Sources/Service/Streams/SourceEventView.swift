import BlockDiff
import Configuration
import HTTPServer
import Markup
import StreamStore

/// One reader's live view of a source as server-sent events (§5.8): after each `data` event the `control` event that
/// says where it ends, both in one write, each with that position as its ID.
///
/// As in the blocks view, nothing is queued: the next chunk is read when the client has taken the last.
struct SourceEventView {
  private let exchange: Exchange
  private let stream: BlockStream
  private let store: StreamStore
  private let settings: Settings
  private let encoding: SourceEncoding
  private var position: Int
  private var cursor: Int
  private var event: [UInt8] = []

  init(
    _ exchange: Exchange, _ stream: BlockStream, position: Int, cursor: String?, _ store: StreamStore,
    _ settings: Settings
  ) {
    self.exchange = exchange
    self.stream = stream
    self.position = position
    self.cursor = StreamCursor.next(after: cursor, now: store.now)
    self.store = store
    self.settings = settings
    encoding = SourceEncoding(stream.configuration)
  }

  /// Sends events until the stream ends, the client leaves, lags or has been there long enough, or the server shuts
  /// down.
  mutating func run() async throws {
    let signal = exchange.makeSignal()
    let reader = stream.subscribe { signal.wake() }
    defer { stream.unsubscribe(reader) }
    // What cannot be read is told while there is a status to tell it with.
    var chunk = try await nextChunk()
    var fields = Answer.events
    fields.append("Cross-Origin-Resource-Policy", "cross-origin")
    if encoding == .binary { fields.append("Stream-SSE-Data-Encoding", "base64") }
    try await exchange.startStream(.ok, fields: fields)

    let end = exchange.now.advanced(by: settings.streams.liveDuration)
    var isFirst = true
    while true {
      held = chunk.held
      // Where all that came is held, there is nothing to tell.
      if isFirst || !chunk.bytes.isEmpty || chunk.isEnd {
        write(chunk)
        guard try await deliver() else { return }
      }
      isFirst = false
      // Clients come again, and with one cursor those of one position can share an answer.
      if chunk.isEnd || exchange.now >= end { return }
      if chunk.isUpToDate {
        guard try await waitForNews(signal, until: end) else { return }
      }
      chunk = try await nextChunk()
    }
  }

  /// What comes next, as far as an event can hold it.
  private func nextChunk() async throws -> SourceChunk {
    var chunk = try await SourceChunk.read(stream, from: position, limit: settings.streams.maxReadBytes)
    guard encoding == .text, !chunk.isEnd else { return chunk }
    let held = chunk.bytes.count - SourceEncoding.wholeText(chunk.bytes)
    guard held > 0 else { return chunk }
    chunk.bytes.removeLast(held)
    if chunk.isUpToDate { chunk.held = held }
    chunk.range = chunk.range.lowerBound..<chunk.range.upperBound - held
    return chunk
  }

  /// Waits until there is more, and sends comments meanwhile. False where the view is to end.
  private mutating func waitForNews(_ signal: Signal, until end: LoopInstant) async throws -> Bool {
    while true {
      guard stream.isPresent else { return false }
      let status = stream.status
      if status.tail.position.value > position + held || status.isFinished { return true }
      let heartbeat = exchange.now.advanced(by: settings.blocks.heartbeatInterval)
      switch await exchange.wait(for: signal, until: min(heartbeat, end)) {
      case .signalled: continue
      case .deadlinePassed:
        if exchange.now >= end { return false }
        event.append(contentsOf: Self.heartbeat)
        guard try await deliver() else { return false }
      case .draining, .peerClosed: return false
      }
    }
  }

  /// Bytes of the last chunk that wait for more.
  private var held = 0

  private mutating func write(_ chunk: SourceChunk) {
    position = chunk.range.upperBound
    let token = stream.lineage.token(at: ByteOffset(position))
    if !chunk.bytes.isEmpty {
      writeLine("id: ", token.description)
      event.append(contentsOf: Self.dataLine)
      encoding.writeData(chunk.bytes, to: &event)
      event.append(0x0A)
    }
    writeLine("id: ", token.description)
    event.append(contentsOf: Self.controlLine)
    event.append(contentsOf: "{\"streamNextOffset\":\"\(token.description)\"".utf8)
    if chunk.isEnd {
      event.append(contentsOf: ",\"upToDate\":true,\"streamClosed\":true".utf8)
    } else {
      // Within a view it goes back as little as from one to the next.
      cursor = max(cursor, StreamCursor.current(store.now))
      event.append(contentsOf: ",\"streamCursor\":\"\(cursor)\"".utf8)
      if chunk.isUpToDate { event.append(contentsOf: ",\"upToDate\":true".utf8) }
    }
    event.append(contentsOf: "}\n\n".utf8)
  }

  private mutating func writeLine(_ name: String, _ value: String) {
    event.append(contentsOf: name.utf8)
    event.append(contentsOf: value.utf8)
    event.append(0x0A)
  }

  /// Sends what has been written. False where the client takes nothing for too long.
  private mutating func deliver() async throws -> Bool {
    if try await exchange.deliver(event, stallTimeout: settings.blocks.laggedTimeout) {
      event.removeAll(keepingCapacity: event.count <= 64 << 10)
      return true
    }
    try await exchange.closeAfterResponse()
    return false
  }

  private static let dataLine = Array("event: data\n".utf8)
  private static let controlLine = Array("event: control\ndata:".utf8)
  private static let heartbeat = Array(":\n\n".utf8)
}
