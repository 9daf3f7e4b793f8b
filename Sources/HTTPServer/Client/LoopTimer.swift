/// Calls an action at points of time, on its loop's thread.
package final class LoopTimer: Channel, @unchecked Sendable {
  // Safe: as every channel.

  private let loop: EventLoop
  private let action: (LoopInstant) -> LoopInstant
  private var next = LoopInstant.never

  /// A timer that is not set.
  ///
  /// - Parameter action: what happens at the time; it returns when to be called next, which is later, or `never`.
  package init(on loop: EventLoop, action: @escaping (LoopInstant) -> LoopInstant) {
    self.loop = loop
    self.action = action
    super.init(descriptor: -1)
  }

  /// Calls the action at `time`, or in the next turn where that has passed.
  package func set(_ time: LoopInstant) {
    next = max(time, loop.now.advanced(byNanoseconds: 1))
    loop.schedule(self)
  }

  /// Does not call it any more. Lets go of the timer, too.
  package func cancel() {
    next = .never
    loop.unregister(self)
  }

  override var deadline: LoopInstant { next }

  override func deadlinePassed(_ now: LoopInstant) {
    next = .never
    let time = action(now)
    if time < next { next = max(time, now.advanced(byNanoseconds: 1)) }
  }
}
