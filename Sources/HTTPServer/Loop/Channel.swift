/// Something that a loop tells about readiness and time. Touched only on its loop's thread.
///
/// A class to derive from and not a protocol, so that the loop's table and timers hold plain references.
package class Channel: @unchecked Sendable {
  // Safe: a channel belongs to one loop, and only that loop's thread touches it.

  /// The descriptor, or -1 where only time matters.
  let descriptor: Int32
  /// The place in the loop's timer heap, or -1.
  final var timerIndex = -1

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// When `deadlinePassed` is to be called next.
  var deadline: LoopInstant { .never }

  /// The descriptor became ready: the event mask of `epoll_wait`. Must only note it, set flags and resume tasks.
  func descriptorReady(_ events: Readiness) {}

  /// `deadline` is not after `now`. Must move the deadline.
  func deadlinePassed(_ now: LoopInstant) {}

  /// Sends what was put together in this turn of the loop.
  func endTurn() {}
}
