import CLinux
import Foundation
import Synchronization

/// One thread that waits for descriptors, deadlines and jobs, and runs the tasks that prefer it.
///
/// Being the tasks' executor is what makes it cheap: a task that waits for a socket is resumed on the thread
/// that saw the socket ready, with no lock and no other thread woken. A turn of the loop is: deliver signals, run
/// jobs, send what they wrote, wait, note what is ready, look at the time, take what other threads enqueued.
@safe package final class EventLoop: TaskExecutor, @unchecked Sendable {
  // Safe: everything but `remote`, `hasRemote` and `thread` is touched only on the loop's own thread; `remote`
  // is behind its lock, `hasRemote` is atomic, `thread` is written once before anything is enqueued.

  /// What other threads enqueue.
  private struct Remote {
    var jobs: [UnownedJob] = []
    var signals: [Signal] = []
    var actions: [@Sendable () -> Void] = []
  }

  /// Jobs run in one turn before descriptors are looked at again, so that tasks that always have something to
  /// do cannot keep the others from their sockets.
  private static let maxJobsPerTurn = 4096
  /// Signals delivered in one turn: each may be a send, and the answer to the append that has woken the readers of a
  /// stream goes out between two turns, not after the last of the readers has been served.
  private static let maxSignalsPerTurn = 128
  /// Descriptors reported by one wait: what is written for the first goes out after the last has been served.
  private static let maxEventsPerTurn = 256
  /// Output buffers kept for reuse, and the largest that is kept.
  private static let maxSpareBuffers = 64
  private static let maxSpareBufferBytes = 64 << 10
  /// Bytes that one receive may take.
  static let receiveBytes = 64 << 10

  private let name: String
  private let isPrecise: Bool
  private let poll: Poll
  private let wakeup: Int32
  private let remote = Lock(Remote())
  private let hasRemote = Atomic<Bool>(false)
  private var thread = pthread_t()

  private var isStopping = false
  private var jobs = Fifo<UnownedJob>()
  private var signals = Fifo<Signal>()
  private var takenRemote = Remote()
  private var channels: [Channel?] = []
  private var generations: [UInt32] = []
  private var timers = TimerHeap()
  private var turnEnds: [Channel] = []
  private var spareBuffers: [[UInt8]] = []
  private var date: [UInt8] = []
  private var dateEnd = LoopInstant(nanoseconds: 0)

  /// The clock, read once a turn.
  package private(set) var now = LoopInstant.now
  /// Where sockets receive to: valid until the receiving code gives way.
  let receiveBuffer: UnsafeMutableRawBufferPointer
  /// Whether a client's connection is telling what stands there.
  var isReceiving = false

  /// A loop whose thread is not started yet.
  ///
  /// - Parameters:
  ///   - name: the thread's, at most 15 bytes.
  ///   - isPrecise: whether deadlines are met to some 10 µs, as whoever measures time needs it, and not to a
  ///     millisecond, which wakes a server less often.
  package init(name: String = "http-loop", isPrecise: Bool = false) throws(SystemError) {
    self.name = name
    self.isPrecise = isPrecise
    poll = try Poll(capacity: Self.maxEventsPerTurn)
    wakeup = Int32(
      try SystemCall.value(.eventfd) { Int(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))) })
    unsafe receiveBuffer = .allocate(byteCount: Self.receiveBytes, alignment: 64)
  }

  deinit {
    SystemCall.close(wakeup)
    unsafe receiveBuffer.deallocate()
  }

  // MARK: - Thread

  /// Starts the thread. Every task that prefers this loop must end before `stop()` is called.
  package func start() throws(SystemError) {
    try poll.add(wakeup, .readable, token: .max)
    let retained = unsafe Unmanaged.passRetained(self)
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        // The argument is the reference retained for this thread, and is there.
        let loop = unsafe Unmanaged<EventLoop>.fromOpaque(argument!).takeRetainedValue()
        _ = unsafe pthread_setname_np(pthread_self(), loop.name)
        // The kernel puts waits off by up to 50 µs to join wake-ups; where it refuses, it goes on doing so.
        if loop.isPrecise { _ = setTimerSlack(1_000) }
        loop.run()
        return nil
      }, retained.toOpaque())
    guard result == 0 else {
      unsafe retained.release()
      throw .failed(call: .threadCreate, errno: result)
    }
  }

  /// Ends the thread, and waits until it has ended. Not from the loop itself.
  package func stop() {
    precondition(!isCurrent)
    submit { [self] in isStopping = true }
    _ = pthread_join(thread, nil)
  }

  /// Whether the calling thread is this loop's.
  package var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

  private func run() {
    while true {
      deliverSignals()
      runJobs()
      endTurns()
      let isDone = jobs.isEmpty && signals.isEmpty
      if isStopping && isDone { return }
      let count = wait(until: isDone ? timers.earliest : now)
      now = .now
      for index in 0..<count { note(poll[index]) }
      while let channel = timers.popDue(now) { passDeadline(of: channel) }
      if hasRemote.load(ordering: .acquiring) { takeRemote() }
    }
  }

  private func runJobs() {
    let executor = unsafe asUnownedTaskExecutor()
    var count = 0
    while !jobs.isEmpty, count < Self.maxJobsPerTurn {
      count += 1
      unsafe jobs.removeFirst().runSynchronously(on: executor)
    }
  }

  private func endTurns() {
    // A channel that ends its turn may not add another.
    for channel in turnEnds { channel.endTurn() }
    turnEnds.removeAll(keepingCapacity: true)
  }

  private func wait(until deadline: LoopInstant) -> Int {
    guard isPrecise, deadline < .never else { return poll.wait(milliseconds: milliseconds(until: deadline)) }
    // What has run since the clock was last read counts.
    return poll.wait(nanoseconds: max(0, deadline.nanoseconds - LoopInstant.now.nanoseconds))
  }

  private func milliseconds(until deadline: LoopInstant) -> Int32 {
    if deadline == .never { return -1 }
    let left = deadline.nanoseconds - now.nanoseconds
    if left <= 0 { return 0 }
    // Rounded up, so that the loop does not spin through a deadline's last millisecond.
    return Int32(min((left + 999_999) / 1_000_000, 1_000_000))
  }

  private func note(_ report: (token: UInt64, readiness: Readiness)) {
    let token = report.token
    guard token != UInt64.max else { return }
    let descriptor = Int(token & 0xFFFF_FFFF)
    // An event of a descriptor that was closed and opened again since belongs to nobody.
    guard generations[descriptor] == UInt32(token >> 32), let channel = channels[descriptor] else { return }
    channel.descriptorReady(report.readiness)
  }

  private func passDeadline(of channel: Channel) {
    if channel.deadline <= now { channel.deadlinePassed(now) }
    let next = channel.deadline
    precondition(next > now, "a channel moves a deadline that has passed")
    if next < .never { timers.schedule(channel, at: next) }
  }

  // MARK: - Channels

  /// Reports readiness of the channel's descriptor, in both directions and edge-triggered, until `unregister`.
  func register(_ channel: Channel) throws(SystemError) {
    let index = Int(channel.descriptor)
    while channels.count <= index {
      channels.append(nil)
      generations.append(0)
    }
    precondition(channels[index] == nil)
    generations[index] &+= 1
    let token = UInt64(generations[index]) << 32 | UInt64(index)
    try poll.add(channel.descriptor, [.readable, .writable, .halfClosed], token: token)
    channels[index] = channel
  }

  /// Ends reports and deadlines. The caller closes the descriptor, which takes it out of the kernel's set.
  func unregister(_ channel: Channel) {
    timers.remove(channel)
    if channel.descriptor >= 0 { channels[Int(channel.descriptor)] = nil }
  }

  /// Takes note that the channel's deadline may be earlier than before.
  func schedule(_ channel: Channel) {
    let deadline = channel.deadline
    if deadline < .never { timers.schedule(channel, at: deadline) }
  }

  /// Has the channel's `endTurn` called when the jobs of this turn have run. At most once a turn for a channel.
  func atTurnEnd(_ channel: Channel) {
    turnEnds.append(channel)
  }

  // MARK: - Work from tasks and threads

  /// Takes a job of a task that prefers this loop. From the loop's own thread this is an append.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      jobs.append(job)
    } else {
      remote.withLock { $0.jobs.append(job) }
      wake()
    }
  }

  package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
    unsafe UnownedTaskExecutor(ordinary: self)
  }

  /// Runs `action` on the loop's thread, later.
  package func submit(_ action: @escaping @Sendable () -> Void) {
    remote.withLock { $0.actions.append(action) }
    wake()
  }

  /// Delivers a signal on the loop's thread.
  func deliver(_ signal: Signal) {
    if isCurrent {
      signals.append(signal)
    } else {
      remote.withLock { $0.signals.append(signal) }
      wake()
    }
  }

  /// Ends the wait of the loop's thread, unless someone has done so since it last took what was enqueued.
  private func wake() {
    guard !hasRemote.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var one: UInt64 = 1
    // Edge-triggered, so the counter is never read: each write is an edge. It cannot overflow in practice.
    do {
      _ = try SystemCall.perform(.write) { unsafe write(wakeup, &one, 8) }
    } catch {
      fatalError("\(error)")
    }
  }

  private func takeRemote() {
    // Before the queue is taken: what is enqueued after that writes a new wake-up.
    _ = hasRemote.exchange(false, ordering: .acquiringAndReleasing)
    remote.withLock { swap(&$0, &takenRemote) }
    for action in takenRemote.actions { action() }
    takenRemote.actions.removeAll(keepingCapacity: true)
    jobs.append(contentsOf: takenRemote.jobs)
    takenRemote.jobs.removeAll(keepingCapacity: true)
    signals.append(contentsOf: takenRemote.signals)
    takenRemote.signals.removeAll(keepingCapacity: true)
  }

  private func deliverSignals() {
    // What is woken meanwhile has its turn after those that are here.
    for _ in 0..<min(signals.count, Self.maxSignalsPerTurn) { signals.removeFirst().arrive() }
  }

  /// The processor time that the loop's thread has taken. While the thread runs; from any thread.
  package var processorTime: Duration {
    var clock = clockid_t()
    var time = timespec()
    guard unsafe pthread_getcpuclockid(thread, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else {
      return .zero
    }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  // MARK: - What connections share

  /// `Date`'s value, made once a second.
  var dateBytes: [UInt8] {
    if now >= dateEnd {
      var time = timespec()
      _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
      date = HTTPDate.bytes(seconds: time.tv_sec)
      dateEnd = LoopInstant(nanoseconds: now.nanoseconds + 1_000_000_000 - Int64(time.tv_nsec))
    }
    return date
  }

  /// An empty buffer with capacity, if one is to spare.
  func takeBuffer() -> [UInt8] { spareBuffers.popLast() ?? [] }

  /// Gives back a buffer that is not needed now, so that idle connections hold none.
  func recycle(_ buffer: inout [UInt8]) {
    guard buffer.capacity <= Self.maxSpareBufferBytes else { return }
    guard spareBuffers.count < Self.maxSpareBuffers else { return }
    buffer.removeAll(keepingCapacity: true)
    spareBuffers.append(buffer)
    buffer = []
  }
}
