import BlockDiff
import Configuration
import Foundation
import HTTPServer
import LoadTest
import StreamStore

/// The load tests that were asked for: those that run, and for a while those that are over.
///
/// They run as children of `Service.run`, on threads of their own: a loop that sends and reads, which has to be
/// prompt, and one behind all others that verifies. Their streams are removed as each comes to its end.
final class LoadJobs: @unchecked Sendable {
  // Safe: `jobs` is touched only with `lock` held; the rest never changes.

  enum State: String, Sendable {
    case running, done, failed, cancelled
  }

  private struct Job {
    let name: String
    let run: LoadRun
    var state = State.running
    var report: LoadReport?
    /// How far it was when it was over.
    var share: Double?
    /// Why it failed.
    var detail: String?
    /// When it was over.
    var end: LoopInstant?
  }

  /// What is to be run.
  private struct Order: Sendable {
    let name: String
    let run: LoadRun
    /// The streams that are not needed any more.
    let ended: AsyncStream<String>
    let endedContinuation: AsyncStream<String>.Continuation
  }

  /// Readers' events that may wait to be verified, in a server that has other uses for its memory.
  private static let maxWaitingBytes = 64 << 20

  private let settings: Settings.Load
  private let store: StreamStore
  private let lock = NSLock()
  /// In the order of their start.
  private var jobs: [Job] = []
  private let orders: AsyncStream<Order>
  private let ordersContinuation: AsyncStream<Order>.Continuation

  init(settings: Settings.Load, store: StreamStore) {
    self.settings = settings
    self.store = store
    // No more wait than may run: `start` sees to it.
    (orders, ordersContinuation) = AsyncStream.makeStream()
  }

  private func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  // MARK: - What requests ask for

  /// Starts a load test of the server at an address. Its name.
  func start(
    _ options: LoadOptions, host: String, port: UInt16
  ) throws(ServiceError) -> String {
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    // As many as there are streams in a run, which is bounded; removing is faster than filling.
    let (ended, continuation) = AsyncStream<String>.makeStream()
    let target: LoadTarget
    switch options.mode {
    case .engine: target = .store(store)
    case .http:
      guard var server = try? LoadTarget.Server(host: host, port: port, process: .own) else { throw .failure }
      server.onEnd = { continuation.yield($0) }
      target = .server(server)
    }
    let run = LoadRun(
      options, target: target, name: name, verifierThreads: 1, maxWaitingBytes: Self.maxWaitingBytes)
    try locked { () throws(ServiceError) in
      forgetOld()
      guard jobs.count(where: { $0.end == nil }) < settings.maxConcurrent else {
        throw .tooManyLoads(limit: settings.maxConcurrent)
      }
      jobs.append(Job(name: name, run: run))
    }
    ordersContinuation.yield(
      Order(name: name, run: run, ended: ended, endedContinuation: continuation))
    return name
  }

  /// A load test as JSON (api.md §7): its report as soon as there is one.
  func json(_ name: String) throws(ServiceError) -> [UInt8] {
    let job = try find(name)
    var writer = JSONWriter()
    writer.write(#"{"job":"#)
    writer.write(string: name)
    writer.write(#","state":"#)
    writer.write(string: job.state.rawValue)
    writer.write(#","progress":"#)
    writer.write(job.state == .done ? 1 : job.share ?? job.run.progress.share, decimals: 3)
    if let report = job.report {
      writer.write(#","report":"#)
      report.write(to: &writer)
    }
    if let detail = job.detail {
      writer.write(#","detail":"#)
      writer.write(string: detail)
    }
    writer.write("}")
    return writer.bytes
  }

  /// Ends a load test that runs, or forgets one that is over. Whether it ran.
  func delete(_ name: String) throws(ServiceError) -> Bool {
    let job = try find(name)
    guard job.end == nil else {
      locked { jobs.removeAll { $0.name == name } }
      return false
    }
    cancel(job)
    return true
  }

  private func find(_ name: String) throws(ServiceError) -> Job {
    try locked { () throws(ServiceError) in
      forgetOld()
      guard let job = jobs.first(where: { $0.name == name }) else { throw .noLoad(job: name) }
      return job
    }
  }

  /// Ends every load test, as the server shuts down.
  func cancelAll() {
    for job in locked({ jobs.filter { $0.end == nil } }) { cancel(job) }
  }

  private func cancel(_ job: Job) {
    change(job.name) { if $0.state == .running { $0.state = .cancelled } }
    job.run.cancel()
  }

  private func change(_ name: String, _ body: (inout Job) -> Void) {
    locked {
      guard let place = jobs.firstIndex(where: { $0.name == name }) else { return }
      body(&jobs[place])
    }
  }

  /// With the lock held: drops what is over for too long, or is more than is kept.
  private func forgetOld() {
    let now = LoopInstant.now
    jobs.removeAll { job in
      job.end.map { now >= $0.advanced(by: settings.finishedLifetime) } ?? false
    }
    while jobs.count(where: { $0.end != nil }) > settings.maxFinished,
      let oldest = jobs.firstIndex(where: { $0.end != nil })
    {
      jobs.remove(at: oldest)
    }
  }

  // MARK: - Running

  /// Runs what is asked for until the task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await order in orders {
        group.addTask { [self] in await run(order) }
      }
      group.cancelAll()
    }
  }

  private func run(_ order: Order) async {
    await withDiscardingTaskGroup { group in
      group.addTask { [store] in
        for await path in order.ended {
          guard let path = StreamPath(path) else { continue }
          _ = try? await store.remove(path)
        }
      }
      do throws(LoadError) {
        let outcome = try await order.run.run()
        let share = order.run.progress.share
        change(order.name) {
          if $0.state == .running { $0.state = .done }
          $0.report = outcome.report
          $0.share = share
          $0.end = .now
        }
      } catch {
        let share = order.run.progress.share
        change(order.name) {
          $0.state = .failed
          $0.detail = "\(error)"
          $0.share = share
          $0.end = .now
        }
      }
      // What has been told is removed still.
      order.endedContinuation.finish()
    }
  }
}
