import Foundation
import HTTPServer

/// One load test: open loop, so that a slow server cannot hide its queue.
package final class LoadRun: @unchecked Sendable {
  // Safe: `stoppers` and `isCancelled` are touched only with `lock` held; the rest never changes.

  /// How far a run is.
  package struct Progress: Equatable, Sendable {
    /// From 0 to 1.
    package var share = 0.0
    package var elapsedSeconds = 0.0
    /// Chunks whose time has come, and appends that were answered.
    package var scheduled = 0
    package var answered = 0
    package var errors = 0
    package var deliveries = 0
    /// The appends' so far, in milliseconds.
    package var p99Milliseconds = 0.0
  }

  package let options: LoadOptions
  private let target: LoadTarget
  private let threads: Int
  private let verifierThreads: Int
  private let prefix: String
  private let board: ProgressBoard
  private let maxWaitingBytes: Int
  private let lock = NSLock()
  private var stoppers: [@Sendable () -> Void] = []
  private var isCancelled = false
  private var start: LoopInstant?

  /// A run that has not begun.
  ///
  /// - Parameters:
  ///   - name: what its streams begin with: `load/NAME/…`. Nobody else may append to them.
  ///   - threads: those that send and read.
  ///   - verifierThreads: those that replay what readers got, behind all others.
  ///   - maxWaitingBytes: what readers got and is not replayed yet; readers beyond it are not verified.
  package init(
    _ options: LoadOptions, target: LoadTarget, name: String, threads: Int = 1,
    verifierThreads: Int = ProcessInfo.processInfo.activeProcessorCount, maxWaitingBytes: Int = 512 << 20
  ) {
    self.verifierThreads = verifierThreads
    precondition(threads > 0)
    self.options = options
    self.target = target
    self.threads = min(threads, options.streams)
    self.maxWaitingBytes = maxWaitingBytes
    prefix = "load/\(name)"
    board = ProgressBoard(places: self.threads)
  }

  package var progress: Progress {
    let sum = board.sum
    let elapsed = locked { start.map { Double(LoopInstant.now.nanoseconds - $0.nanoseconds) / 1e9 } } ?? 0
    return Progress(
      share: min(1, max(0, elapsed / options.seconds)), elapsedSeconds: max(0, elapsed),
      scheduled: sum.scheduled, answered: sum.answered, errors: sum.errors, deliveries: sum.deliveries,
      p99Milliseconds: Double(sum.latency.percentile(0.99)) / 1e6)
  }

  /// Ends the run early: it reports what it has. From any thread.
  package func cancel() {
    let stoppers = locked {
      isCancelled = true
      return self.stoppers
    }
    for stop in stoppers { stop() }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  // MARK: - The run

  /// Runs to the end, or until it or its task is cancelled. Called once.
  package func run() async throws(LoadError) -> LoadOutcome {
    var loops: [EventLoop] = []
    defer { for loop in loops { loop.stop() } }
    do throws(SystemError) {
      for _ in 0..<threads {
        let loop = try EventLoop(name: "load-loop", isPrecise: true)
        try loop.start()
        loops.append(loop)
      }
    } catch {
      throw .system(error)
    }
    let verifier =
      options.verify && options.readers > 0
      ? Verifier(threads: verifierThreads, maxWaitingBytes: maxWaitingBytes)
      : nil
    let usage = UsageMeter(of: process, without: loops)
    let measured = await withTaskCancellationHandler {
      await drive(loops, verifier, usage)
    } onCancel: {
      cancel()
    }
    let verified = await Self.finish(verifier)
    return LoadOutcome(
      options: options, measured: measured, verified: verified, usage: usage.result,
      testSeconds: usage.testSeconds,
      isCancelled: locked { isCancelled })
  }

  private var process: ServerProcess {
    switch target {
    case .server(let server): server.process
    case .store: .own
    }
  }

  private func drive(_ loops: [EventLoop], _ verifier: Verifier?, _ usage: UsageMeter) async -> Measurements {
    // A moment for all threads to be ready.
    let start = LoopInstant.now.advanced(by: .milliseconds(20))
    usage.begin()
    // When all has been sent; what comes after is the readers' and the verification's.
    let timer = LoopTimer(on: loops[0]) { _ in
      usage.end()
      return .never
    }
    loops[0].submit { timer.set(start.advanced(byNanoseconds: self.options.length)) }
    defer { loops[0].submit { timer.cancel() } }
    locked { self.start = start }
    return await withTaskGroup(of: Measurements.self) { group in
      for (place, loop) in loops.enumerated() {
        let slots = Array(stride(from: place, to: options.streams, by: loops.count))
        group.addTask { [self] in await drive(loop, place, slots, start, verifier) }
      }
      var sum = Measurements(length: options.length)
      for await measured in group { sum.merge(measured) }
      usage.end()
      return sum
    }
  }

  private func drive(
    _ loop: EventLoop, _ place: Int, _ slots: [Int], _ start: LoopInstant, _ verifier: Verifier?
  ) async -> Measurements {
    switch target {
    case .server(let server):
      let worker = HTTPWorker(
        place, loop: loop, slots: slots, options: options, target: server, prefix: prefix,
        verifier: verifier, board: board)
      addStopper { loop.submit { worker.stop() } }
      return await withCheckedContinuation { continuation in
        loop.submit { worker.run(from: start) { continuation.resume(returning: $0) } }
      }
    case .store(let store):
      let worker = EngineWorker(
        place, loop: loop, options: options, store: store, prefix: prefix, start: start, verifier: verifier,
        board: board)
      addStopper { loop.submit { worker.stop() } }
      return await worker.run(slots)
    }
  }

  private func addStopper(_ stop: @escaping @Sendable () -> Void) {
    let isCancelled = locked {
      stoppers.append(stop)
      return self.isCancelled
    }
    if isCancelled { stop() }
  }

  /// Waits for the verifier, on a thread that may.
  private static func finish(_ verifier: Verifier?) async -> Verifier.Outcome? {
    guard let verifier else { return nil }
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: verifier.finish()) }
    }
  }
}
