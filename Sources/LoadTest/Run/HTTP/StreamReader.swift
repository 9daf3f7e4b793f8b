import Checker
import HTTPServer

/// One reader of one stream: a live view over a connection of its own. On its worker's loop.
final class StreamReader: ClientConnectionHandler {
  private(set) var record: ReaderRecord
  private unowned let stream: ChatStream
  private unowned let worker: HTTPWorker
  private var random: SeededGenerator
  private var connection: ClientConnection?
  private var decoder = ResponseDecoder()
  private var events = EventDecoder()
  private var lastEventID: [UInt8]?
  private var eventsUntilCut = Int.max
  /// Whether the next event shows what came while the reader was away.
  private var isCatchingUp = false
  private var timer: LoopTimer?
  private(set) var hasStarted = false
  private(set) var isDone = false

  init(_ kind: ReaderKind, of stream: ChatStream, worker: HTTPWorker, seed: UInt64) {
    record = ReaderRecord(kind, records: worker.options.verify)
    self.stream = stream
    self.worker = worker
    random = SeededGenerator(seed: seed)
  }

  // MARK: - Coming and going

  func start() {
    hasStarted = true
    connect()
    guard record.kind == .slow else { return }
    let timer = LoopTimer(on: worker.loop) { [weak self] now in
      guard let self, !isDone else { return .never }
      connection?.receive(atMost: ReaderKind.slowBytes)
      return now.advanced(by: ReaderKind.slowInterval)
    }
    self.timer = timer
    timer.set(worker.loop.now.advanced(by: ReaderKind.slowInterval))
  }

  /// Leaves for good.
  func stop() {
    timer?.cancel()
    disconnect()
    isDone = true
  }

  /// The stream is complete: there is no more to be slow for.
  func hurry() {
    guard record.kind == .slow, let connection else { return }
    connection.isPaused = false
    timer?.cancel()
    // In a turn of its own: this is called while another connection receives.
    let timer = LoopTimer(on: worker.loop) { [weak self] _ in
      self?.connection?.receive(atMost: .max)
      return .never
    }
    self.timer = timer
    timer.set(worker.loop.now)
  }

  private func connect() {
    decoder = ResponseDecoder()
    events = EventDecoder()
    isCatchingUp = lastEventID != nil
    if record.kind == .resuming {
      let range = ReaderKind.eventsUntilCut
      eventsUntilCut = range.lowerBound + random.below(range.count)
    }
    let isSlow = record.kind == .slow
    do throws(SystemError) {
      let connection = try ClientConnection(
        to: worker.endpoint, on: worker.loop, handler: self,
        receiveBufferBytes: isSlow ? ReaderKind.slowReceiveBufferBytes : nil)
      connection.isPaused = isSlow
      self.connection = connection
      connection.send(
        stream.requests.events(minInterval: record.kind.minInterval, lastEventID: lastEventID))
    } catch {
      fail()
    }
  }

  private func disconnect() {
    if let connection {
      worker.measured.wireBytes += connection.bytesSent + connection.bytesReceived
      connection.close()
    }
    connection = nil
  }

  /// Goes away, and comes back after a while.
  private func leave() {
    disconnect()
    let timer = LoopTimer(on: worker.loop) { [weak self] _ in
      if let self, !isDone { connect() }
      return .never
    }
    self.timer = timer
    let range = ReaderKind.absence
    timer.set(
      worker.loop.now.advanced(by: .milliseconds(range.lowerBound + random.below(range.count))))
  }

  /// Ends without the stream's end.
  private func fail() {
    stop()
    stream.readerIsDone()
  }

  // MARK: - What comes

  func connectionClosed(_ closed: ClientConnection, _ error: SystemError?) {
    worker.measured.wireBytes += closed.bytesSent + closed.bytesReceived
    connection = nil
    if !isDone { fail() }
  }

  func connection(
    _ connection: ClientConnection, received bytes: borrowing Span<UInt8>, at time: LoopInstant
  ) {
    do throws(ResponseError) {
      var position = 0
      while let part = try decoder.next(in: bytes, from: &position) {
        switch part {
        case .head(let head): if head.status != 200 { return fail() }
        case .content(let range): events.append(bytes, range)
        case .end: break
        }
      }
      while let event = try events.next() {
        take(event, at: time)
        if isDone || self.connection == nil { return }
      }
    } catch {
      fail()
    }
  }

  private func take(_ event: EventDecoder.Event, at time: LoopInstant) {
    record.recording?.append(event.kind, event.data)
    lastEventID = event.id
    switch event.kind {
    case .snapshot, .diff:
      let position = EventDecoder.position(ofID: event.id)
      record.arrivals.append(
        DeliveryAccount.Arrival(
          time: worker.nanoseconds(at: time), position: position,
          isSnapshot: event.kind == .snapshot || isCatchingUp))
      isCatchingUp = false
      eventsUntilCut -= 1
      if eventsUntilCut <= 0 { leave() }
    case .finished:
      record.isFinished = true
      stop()
      stream.readerIsDone()
    case .lagged: fail()
    }
  }
}
