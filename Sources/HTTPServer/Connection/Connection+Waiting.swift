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
  /// Waits for a signal, the deadline, the client's leaving or the server's draining, whichever is first.
  func wait(for signal: Signal?, until deadline: LoopInstant) async -> Wakeup {
    while true {
      if failure != nil || hasPeerClosed { return .peerClosed }
      if let signal, signal.take() { return .signalled }
      if group.isDraining, !hasToldDraining {
        hasToldDraining = true
        return .draining
      }
      if deadline <= loop.now { return .deadlinePassed }
      eventDeadline = deadline
      loop.schedule(self)
      unsafe signal?.waiter = self
      unsafe await withUnsafeContinuation { unsafe eventWait.hold($0) }
      unsafe signal?.waiter = nil
      eventDeadline = .never
    }
  }

  func signalArrived() {
    eventWait.resume()
  }
}
