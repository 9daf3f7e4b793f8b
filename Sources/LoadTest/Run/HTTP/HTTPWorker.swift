import Foundation
import HTTPServer

/// One thread of a load test over sockets: some of the chats, with their readers.
final class HTTPWorker: @unchecked Sendable {
  // Safe: all but the constants is touched only on the loop's thread; `board` has its own lock.

  /// How long readers may take after the last answer until they have a stream's end, and answers until they are
  /// there when nothing is sent any more.
  static let patience = Duration.seconds(10)
  /// Between two looks at the board.
  private static let boardInterval = Duration.milliseconds(100)

  let loop: EventLoop
  let options: LoadOptions
  let endpoint: Endpoint
  let authority: String
  /// What the run's streams begin with.
  let prefix: String
  private let slotNumbers: [Int]
  private let verifier: Verifier?
  private let onEnd: (@Sendable (String) -> Void)?
  private let board: ProgressBoard
  private let place: Int

  var measured: Measurements
  /// Chunks whose time has come.
  var scheduled = 0
  private var start = LoopInstant.never
  private var slots: [ChatSlot] = []
  private var streams: [ObjectIdentifier: ChatStream] = [:]
  private var control: ControlConnection?
  private var timers: [LoopTimer] = []
  private var isSending = true
  private var isDone = false
  private var completion: (@Sendable (Measurements) -> Void)?

  init(
    _ place: Int, loop: EventLoop, slots: [Int], options: LoadOptions, target: LoadTarget.Server,
    prefix: String, verifier: Verifier?, board: ProgressBoard
  ) {
    self.loop = loop
    self.place = place
    self.options = options
    endpoint = target.endpoint
    authority = target.authority
    onEnd = target.onEnd
    self.prefix = prefix
    slotNumbers = slots
    self.verifier = verifier
    self.board = board
    measured = Measurements(length: options.length)
  }

  /// The kinds of a document's readers.
  func kinds(of slot: Int, document: Int) -> [ReaderKind] {
    (0..<options.readers).map { ReaderKind.dealt((document * options.streams + slot) * options.readers + $0) }
  }

  // MARK: - Time

  /// Nanoseconds from the run's start.
  func nanoseconds(at instant: LoopInstant) -> Int64 { instant.nanoseconds - start.nanoseconds }

  func instant(at nanoseconds: Int64) -> LoopInstant { start.advanced(byNanoseconds: nanoseconds) }

  // MARK: - The run

  /// Begins at a point of time. `completion` is called once, on the loop, when all is answered and settled.
  func run(from start: LoopInstant, completion: @escaping @Sendable (Measurements) -> Void) {
    self.start = start
    // It may have been stopped before it began.
    guard isSending else { return completion(measured) }
    self.completion = completion
    control = ControlConnection(worker: self)
    slots = slotNumbers.map { ChatSlot($0, worker: self) }
    for slot in slots { slot.start() }
    setTimer(at: instant(at: options.length)) { [weak self] _ in
      self?.stop(isEarly: false)
      return .never
    }
    setTimer(at: start) { [weak self] now in
      guard let self, !isDone else { return .never }
      tell()
      return now.advanced(by: Self.boardInterval)
    }
  }

  private func setTimer(at instant: LoopInstant, _ action: @escaping (LoopInstant) -> LoopInstant) {
    let timer = LoopTimer(on: loop, action: action)
    timers.append(timer)
    timer.set(instant)
  }

  /// Sends no more, and waits for what is under way.
  ///
  /// - Parameter isEarly: whether the schedule is not over.
  func stop(isEarly: Bool = true) {
    guard isSending else { return }
    isSending = false
    guard completion != nil else { return }
    for slot in slots { slot.stop(isEarly: isEarly) }
    // A bound for everything together: streams wait as long for their readers, and then for their snapshots.
    setTimer(at: loop.now.advanced(by: Self.patience * 2)) { [weak self] _ in
      self?.cut()
      return .never
    }
    finishIfDone()
  }

  /// Ends without waiting.
  func cut() {
    guard !isDone else { return }
    isSending = false
    for slot in slots { slot.cut() }
    for stream in Array(streams.values) { stream.abandon() }
    control?.close()
    finish()
  }

  func slotMayBeIdle() {
    if !isSending { finishIfDone() }
  }

  private func finishIfDone() {
    guard !isSending, !isDone, streams.isEmpty, slots.allSatisfy(\.isIdle), control?.isIdle ?? true else {
      return
    }
    finish()
  }

  private func finish() {
    isDone = true
    for timer in timers { timer.cancel() }
    timers = []
    for slot in slots { slot.settle() }
    control?.close()
    tell()
    completion?(measured)
    completion = nil
    slots = []
  }

  private func tell() {
    board.tell(
      ProgressBoard.Entry(
        scheduled: scheduled, answered: measured.appends.latency.total, errors: measured.appends.errors,
        deliveries: measured.deliveries.count, latency: measured.appends.latency),
      at: place)
  }

  // MARK: - Streams

  func streamBegins(_ stream: ChatStream) { streams[ObjectIdentifier(stream)] = stream }

  /// A stream is not needed any more, and is removed.
  func streamIsOver(_ stream: ChatStream) {
    if let onEnd { onEnd(stream.document.path) } else { control?.delete(stream.requests.deletion) }
    streams[ObjectIdentifier(stream)] = nil
    if !isSending { finishIfDone() }
  }

  /// A stream's readers are done: gets its snapshot where they are to be verified, and has it deleted.
  func settle(_ stream: ChatStream, position: Int) {
    let readers = stream.readers.map(\.record)
    let path = stream.document.path
    guard let verifier, !readers.isEmpty, let control else { return streamIsOver(stream) }
    control.request(stream.requests.snapshot) { [self] status, content in
      if status == 200 {
        verifier.add(Verifier.Job(path: path, snapshot: content, position: position, readers: readers))
      } else {
        verifier.fail(path, readers: readers.count, "the snapshot's status is \(status)")
      }
      streamIsOver(stream)
    }
  }

  /// The connection for snapshots has nothing under way any more.
  func controlIsIdle() {
    if !isSending { finishIfDone() }
  }
}
