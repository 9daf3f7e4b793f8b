import Foundation

/// Runs tasks on threads of its own that the kernel prefers every other thread to: work that takes a core for
/// seconds, beside event loops that must answer within a millisecond.
///
/// The threads are started when they are first needed, and live as long as the process.
final class BackgroundExecutor: TaskExecutor, @unchecked Sendable {
  // Safe: `jobs` and `isStarted` are touched only with `condition` locked.
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []
  private var isStarted = false
  private let threads: Int

  /// The lowest of Linux's twenty niceties above normal: about one part in seventy of a contended core.
  private static let nice: Int32 = 19

  init(threads: Int) { self.threads = threads }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.lock()
    jobs.append(job)
    if !isStarted {
      isStarted = true
      for _ in 0..<threads { Thread.detachNewThread { [self] in run() } }
    }
    condition.signal()
    condition.unlock()
  }

  private func run() {
    // On Linux this is the calling thread's priority alone.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.nice)
    while true {
      condition.lock()
      while jobs.isEmpty { condition.wait() }
      let job = jobs.removeFirst()
      condition.unlock()
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
