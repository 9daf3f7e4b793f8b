import Foundation

/// Tells once what became of an entry that was given to a log.
package final class CommitReceipt: @unchecked Sendable {
  // Safe: `state` and `waiters` are touched only between `lock` and `unlock` of `lock`.

  /// What became of an entry.
  package enum Outcome: Equatable, Sendable {
    /// It is as durable as the engine promises.
    case stored
    /// Nothing of it has been stored.
    case refused
  }

  private let lock = NSLock()
  private var state: Outcome?
  private var waiters: [CheckedContinuation<Outcome, Never>] = []

  /// A receipt of an entry that is on its way.
  package init() {}

  /// What became of the entry, if that is known.
  var outcome: Outcome? {
    lock.lock()
    defer { lock.unlock() }
    return state
  }

  /// Tells what became of the entry. Called once, by the engine; from any thread. The waiting tasks go on at
  /// their own executors.
  package func settle(_ outcome: Outcome) {
    for waiter in takeWaiters(outcome) { waiter.resume(returning: outcome) }
  }

  private func takeWaiters(_ outcome: Outcome) -> [CheckedContinuation<Outcome, Never>] {
    lock.lock()
    defer { lock.unlock() }
    precondition(state == nil, "an entry is settled once")
    state = outcome
    defer { waiters = [] }
    return waiters
  }

  /// Waits until it is known. It has no deadline of its own: a transaction that has begun cannot be called back,
  /// and what waits before it is bounded by the engine's queue.
  package func settled() async -> Outcome {
    if let outcome { return outcome }
    return await withCheckedContinuation { continuation in
      if let outcome = hold(continuation) { continuation.resume(returning: outcome) }
    }
  }

  private func hold(_ continuation: CheckedContinuation<Outcome, Never>) -> Outcome? {
    lock.lock()
    defer { lock.unlock() }
    if state == nil { waiters.append(continuation) }
    return state
  }
}
