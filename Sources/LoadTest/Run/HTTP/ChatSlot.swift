import HTTPServer

/// A chat's place in a load test: sends one answer after the other over one connection, by the clock.
///
/// A chunk goes out at its time whether or not those before it have been answered (HTTP's pipelining), up to a bound;
/// beyond it chunks wait here. Either way their latency counts from the time that the schedule gave.
final class ChatSlot: ClientConnectionHandler {
  /// Requests without an answer on one connection.
  private static let maxOutstanding = 256

  /// What an answer belongs to.
  private enum Request {
    case append(ChatStream, Int, scheduled: Int64)
    case closing(ChatStream)
  }

  private unowned let worker: HTTPWorker
  private let number: Int
  private var schedule: SlotSchedule
  private var nextTime: Int64
  private var documents = 0
  private var stream: ChatStream?
  private var connection: ClientConnection?
  private var decoder = ResponseDecoder()
  private var outstanding = Fifo<Request>()
  /// Scheduled times that have come, of chunks that are not sent yet.
  private var waiting = Fifo<Int64>()
  private var timer: LoopTimer?
  private var status = 0
  private var answerEnd: [UInt8] = []
  private var isStopping = false

  init(_ number: Int, worker: HTTPWorker) {
    self.worker = worker
    self.number = number
    schedule = SlotSchedule(
      rate: worker.options.rate, seed: worker.options.seed &* 0x9E37_79B9 &+ UInt64(number))
    nextTime = schedule.next()
  }

  /// Whether nothing is left to be answered.
  var isIdle: Bool { outstanding.isEmpty && waiting.isEmpty }

  func start() {
    connect()
    let timer = LoopTimer(on: worker.loop) { [weak self] now in
      self?.sendDue(now) ?? .never
    }
    self.timer = timer
    timer.set(worker.instant(at: nextTime))
  }

  /// Schedules no more chunks, and finishes the stream under way.
  ///
  /// - Parameter isEarly: whether chunks whose time has come may be left out. At the end of the schedule they are
  ///   sent, however late: they are the queue.
  func stop(isEarly: Bool) {
    if isEarly { waiting = Fifo() } else { _ = sendDue(worker.loop.now) }
    isStopping = true
    timer?.cancel()
    closeIfAllIsSent()
  }

  private func closeIfAllIsSent() {
    guard isStopping, waiting.isEmpty, let stream else { return }
    self.stream = nil
    if connection == nil { return stream.abandon() }
    send(stream.takeClosing(), .closing(stream))
  }

  /// Ends at once. What is not sent or answered has failed.
  func cut() {
    worker.measured.appends.count += waiting.count
    worker.measured.appends.errors += waiting.count
    stop(isEarly: true)
    connection?.close()
    failOutstanding("no answer until the end")
  }

  // MARK: - Sending

  private func sendDue(_ now: LoopInstant) -> LoopInstant {
    let time = worker.nanoseconds(at: now)
    while nextTime <= time, nextTime < worker.options.length {
      worker.scheduled += 1
      waiting.append(nextTime)
      nextTime = schedule.next()
    }
    sendWaiting()
    return nextTime < worker.options.length ? worker.instant(at: nextTime) : .never
  }

  private func sendWaiting() {
    while !waiting.isEmpty, outstanding.count < Self.maxOutstanding {
      let scheduled = waiting.removeFirst()
      if connection == nil { connect() }
      let stream = stream ?? begin()
      let index = stream.next
      let request = stream.takeChunk(scheduled: scheduled)
      self.stream = stream.isSent ? nil : stream
      worker.measured.lateness.record(worker.nanoseconds(at: .now) - scheduled)
      send(request, .append(stream, index, scheduled: scheduled))
    }
  }

  private func begin() -> ChatStream {
    defer { documents += 1 }
    let stream = ChatStream(
      ChatDocument(documents, of: number, options: worker.options, prefix: worker.prefix), worker: worker,
      kinds: worker.kinds(of: number, document: documents))
    worker.streamBegins(stream)
    return stream
  }

  private func send(_ bytes: [UInt8], _ request: Request) {
    outstanding.append(request)
    guard let connection else { return failOutstanding("no connection") }
    connection.send(bytes)
  }

  private func connect() {
    decoder = ResponseDecoder()
    connection = try? ClientConnection(to: worker.endpoint, on: worker.loop, handler: self)
  }

  // MARK: - Answers

  func connectionClosed(_ closed: ClientConnection, _ error: SystemError?) {
    worker.measured.wireBytes += closed.bytesSent + closed.bytesReceived
    connection = nil
    failOutstanding("no answer: \(error.map { "\($0)" } ?? "the server has closed the connection")")
    // No time comes any more at which to try again.
    if isStopping {
      sendWaiting()
      closeIfAllIsSent()
    }
  }

  /// Takes the connection's bytes into account, at the run's end.
  func settle() {
    guard let connection else { return }
    worker.measured.wireBytes += connection.bytesSent + connection.bytesReceived
    connection.close()
    self.connection = nil
  }

  func connection(
    _ connection: ClientConnection, received bytes: borrowing Span<UInt8>, at time: LoopInstant
  ) {
    do throws(ResponseError) {
      var position = 0
      while let part = try decoder.next(in: bytes, from: &position) {
        switch part {
        case .head(let head):
          status = head.status
          answerEnd.removeAll(keepingCapacity: true)
        case .content(let range):
          // What tells is at the end.
          for index in range.suffix(Self.noOps.count) { answerEnd.append(bytes[index]) }
        case .end: complete(at: worker.nanoseconds(at: time))
        }
      }
    } catch {
      connection.close()
      self.connection = nil
      worker.measured.wireBytes += connection.bytesSent + connection.bytesReceived
      failOutstanding("the answer is none by RFC 9112 (\(error))")
    }
    sendWaiting()
    closeIfAllIsSent()
    worker.slotMayBeIdle()
  }

  private static let noOps = Array("\"ops\":[]}".utf8)

  private func complete(at time: Int64) {
    guard !outstanding.isEmpty else { return }
    switch outstanding.removeFirst() {
    case .append(let stream, let index, let scheduled):
      if status == 200 {
        worker.measured.appends.record(scheduled: scheduled, end: time)
        let hasNoOps = answerEnd.suffix(Self.noOps.count).elementsEqual(Self.noOps)
        stream.appendAnswered(index, isShown: !hasNoOps)
      } else {
        fail(stream, "status \(status)")
      }
    case .closing(let stream):
      if status == 200 { stream.closingAnswered() } else { stream.abandon() }
    }
  }

  private func fail(_ failed: ChatStream, _ reason: String) {
    worker.measured.countFailure(failed.document.path, reason)
    failed.abandon()
    if failed === stream { stream = nil }
  }

  /// What was sent and not answered has failed.
  private func failOutstanding(_ reason: String) {
    while !outstanding.isEmpty {
      switch outstanding.removeFirst() {
      case .append(let stream, _, _):
        fail(stream, reason)
      case .closing(let stream): stream.abandon()
      }
    }
    worker.slotMayBeIdle()
  }
}
