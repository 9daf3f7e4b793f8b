import Synchronization

/// Wakes one waiting exchange from any thread: "what you wait for may have changed".
///
/// Made by `Exchange.makeSignal()` and waited for by that exchange alone. Wakes coalesce: until the waiter has
/// been told, a further `wake()` is one atomic exchange. The first costs one append to the reader's loop
/// besides, and at most one write to that loop's event descriptor, however many of its readers are woken.
package final class Signal: Sendable {
  private let loop: EventLoop
  private let isOnItsWay = Atomic<Bool>(false)
  // Safe: touched only on the loop's thread.
  nonisolated(unsafe) private var isSet = false
  // The connection while it waits. Safe: as above.
  nonisolated(unsafe) var waiter: Connection?

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// Ends the wait in progress, or else the next one at once. From any thread; never waits.
  ///
  /// What was written before the wake is visible to the waiter after it.
  package func wake() {
    guard !isOnItsWay.exchange(true, ordering: .acquiringAndReleasing) else { return }
    loop.deliver(self)
  }

  /// On the loop: the wake has come. From here on the next one travels anew.
  func arrive() {
    _ = isOnItsWay.exchange(false, ordering: .acquiringAndReleasing)
    if let waiter = unsafe waiter, waiter.attendSignal() { return }
    unsafe isSet = true
  }

  /// On the loop: whether a wake has come since this was last asked.
  func take() -> Bool {
    precondition(loop.isCurrent)
    defer { unsafe isSet = false }
    return unsafe isSet
  }
}
