import Foundation
import StreamStore

/// The threads that read: a task that needs something from the database waits without holding up its event loop.
final class ReaderPool: @unchecked Sendable {
  // Safe: every `var` is touched only with `condition` locked.

  /// Reads that may wait: above it, more are refused at once.
  private static let maxWaiting = 10_000
  /// One waits for a disk while the other reads what is cached.
  private static let threads = 2

  private typealias Job = @Sendable (Reader?) -> SQLiteError?

  private let path: String
  private let condition = NSCondition()
  private var jobs: [Job] = []
  private var firstJob = 0
  private var isClosing = false
  private var running = 0

  /// A pool whose threads run until `close()`.
  init(path: String) {
    self.path = path
    running = Self.threads
    for number in 1...Self.threads {
      let thread = Thread { [self] in run() }
      thread.name = "reader-\(number)"
      thread.start()
    }
  }

  /// Runs `body` on one of the threads.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable (Reader) throws(SQLiteError) -> Value
  ) async throws(SourceLogError) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, SourceLogError>, Never>) in
      let isTaken = enqueue { reader in
        guard let reader else {
          continuation.resume(returning: .failure(.unavailable))
          return nil
        }
        do throws(SQLiteError) {
          continuation.resume(returning: .success(try body(reader)))
          return nil
        } catch {
          continuation.resume(returning: .failure(SourceLogError(error)))
          return error
        }
      }
      if !isTaken { continuation.resume(returning: .failure(.unavailable)) }
    }
    return try result.get()
  }

  private func enqueue(_ job: @escaping Job) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosing, jobs.count - firstJob < Self.maxWaiting else { return false }
    jobs.append(job)
    condition.signal()
    return true
  }

  /// Ends the threads when what waits is done, and closes their connections. Blocks until then.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosing = true
    condition.broadcast()
    while running > 0 { condition.wait() }
  }

  private func run() {
    var reader: Reader?
    while let job = next() {
      if reader == nil { reader = try? Reader(path: path) }
      // What a connection that failed thinks of the file may be wrong.
      if job(reader) != nil { reader = nil }
    }
    reader = nil
    condition.lock()
    running -= 1
    condition.broadcast()
    condition.unlock()
  }

  private func next() -> Job? {
    condition.lock()
    defer { condition.unlock() }
    while firstJob == jobs.count {
      if isClosing { return nil }
      condition.wait()
    }
    defer {
      firstJob += 1
      if firstJob == jobs.count || firstJob > 1000 {
        jobs.removeFirst(firstJob)
        firstJob = 0
      }
    }
    return jobs[firstJob]
  }
}

extension SourceLogError {
  init(_ error: SQLiteError) {
    switch error {
    case .damaged, .damagedRow: self = .damaged
    case .full, .busy, .inputOutput, .failed: self = .unavailable
    }
  }
}
