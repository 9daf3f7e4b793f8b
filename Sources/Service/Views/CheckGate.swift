import Foundation

/// Lets so many checks run at a time.
final class CheckGate: @unchecked Sendable {
  // Safe: `running` is touched only with `lock` held.
  private let lock = NSLock()
  private var running = 0
  let limit: Int
  /// Where they run: a thread each.
  let executor: BackgroundExecutor

  init(limit: Int) {
    self.limit = limit
    executor = BackgroundExecutor(threads: limit)
  }

  /// Takes a place; whoever has it gives it back with `leave`.
  func enter() throws(ServiceError) {
    lock.lock()
    defer { lock.unlock() }
    guard running < limit else { throw .tooManyChecks(limit: limit) }
    running += 1
  }

  func leave() {
    lock.lock()
    running -= 1
    lock.unlock()
  }
}

/// How far a check is, told by the thread that checks to the event loop that answers.
final class CheckProgress: @unchecked Sendable {
  // Safe: the variables are touched only with `lock` held.
  private let lock = NSLock()
  private var done = 0
  private var count = 0
  private var outcome: [UInt8]?

  /// So many of all parts are done.
  func report(_ done: Int, of count: Int) {
    lock.lock()
    (self.done, self.count) = (done, count)
    lock.unlock()
  }

  /// The check is over; `json` is its report.
  func finish(_ json: [UInt8]) {
    lock.lock()
    outcome = json
    lock.unlock()
  }

  /// What there is to tell.
  var state: (done: Int, count: Int, report: [UInt8]?) {
    lock.lock()
    defer { lock.unlock() }
    return (done, count, outcome)
  }
}
