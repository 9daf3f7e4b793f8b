/// Why a wait ended.
package enum Wakeup: Equatable, Sendable {
  /// The signal was woken since the last wait.
  case signalled
  /// The deadline has passed.
  case deadlinePassed
  /// The server is shutting down. Told once; a handler should come to its end now, and has until the end of the
  /// time of grace.
  case draining
  /// The client has left: nobody reads the answer any more. A client that shuts down only its sending half
  /// counts as one that has left.
  case peerClosed
}

extension Connection {
  /// Waits for a signal, the deadline, the client's leaving or the server's draining, whichever is first. Signals that
  /// the attendant attends to do not end the wait.
  func wait(
    for signal: Signal?, until deadline: LoopInstant, attendant: Exchange.Attendant?
  ) async -> Wakeup {
    eventDeadline = deadline
    hasEventTimedOut = deadline <= loop.now
    defer { eventDeadline = .never }
    while true {
      if failure != nil || hasPeerClosed { return .peerClosed }
      if let signal, signal.take() { return .signalled }
      if group.isDraining, !hasToldDraining {
        hasToldDraining = true
        return .draining
      }
      if hasEventTimedOut { return .deadlinePassed }
      loop.schedule(self)
      unsafe signal?.waiter = self
      self.attendant = attendant
      unsafe await withUnsafeContinuation { unsafe eventWait.hold($0) }
      self.attendant = nil
      unsafe signal?.waiter = nil
    }
  }

  /// Has the attendant attend to a signal that has come, or else ends the wait. Whether it did.
  func attendSignal() -> Bool {
    // Where the wait has ended already, its task finds the signal.
    guard eventWait.isWaiting else { return false }
    guard let attendant, let deadline = attendant() else {
      eventWait.resume()
      return false
    }
    eventDeadline = deadline
    loop.schedule(self)
    return true
  }
}
