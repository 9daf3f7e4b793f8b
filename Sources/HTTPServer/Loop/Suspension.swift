/// A task that waits on its loop's thread, to be resumed there, once.
@safe
struct Suspension {
  private var continuation: UnsafeContinuation<Void, Never>?

  /// Whether a task waits.
  var isWaiting: Bool { unsafe continuation != nil }

  /// Takes the continuation of a task that begins to wait. One at a time.
  mutating func hold(_ waiting: UnsafeContinuation<Void, Never>) {
    unsafe precondition(continuation == nil, "one task waits for a thing at a time")
    unsafe continuation = waiting
  }

  /// Has the task go on, if one waits. It runs later in the same turn of the loop.
  mutating func resume() {
    // Forgotten before it is resumed, so that it is resumed at most once.
    guard let waiting = unsafe continuation else { return }
    unsafe continuation = nil
    unsafe waiting.resume()
  }
}
