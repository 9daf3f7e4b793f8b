import Foundation
import Synchronization

/// The connections of one loop: each is served by a child task of `run()`.
@safe final class ConnectionGroup: Channel, @unchecked Sendable {
  // Safe: `load` and `refusals` are atomic, constants are constant, and the rest is touched only on `loop`'s
  // thread.

  /// A connection that was accepted and belongs to this loop.
  struct Accepted {
    let descriptor: Int32
    let peer: SocketAddress
    let isRefused: Bool
  }

  let loop: EventLoop
  let options: Server.Options
  let timeouts: Timeouts
  let responder: any Responder
  /// Connections of this loop, those on their way to it included.
  let load = Atomic<Int>(0)
  /// Connections of this loop that are being answered `503`.
  let refusals = Atomic<Int>(0)

  private(set) var isDraining = false
  private var isCut = false
  private var cutDeadline = LoopInstant.never
  private var incoming: [Accepted] = []
  private var firstIncoming = 0
  private var waiting = Suspension()
  private var connections: [Int32: Connection] = [:]
  private var bytesInFlight = 0

  init(loop: EventLoop, options: Server.Options, responder: any Responder) {
    self.loop = loop
    self.options = options
    timeouts = Timeouts(options)
    self.responder = responder
    super.init(descriptor: -1)
  }

  /// Serves connections until the server has drained.
  func run() async {
    await withDiscardingTaskGroup { tasks in
      while let accepted = await next() {
        let connection = Connection(descriptor: accepted.descriptor, peerAddress: accepted.peer, group: self)
        connections[accepted.descriptor] = connection
        tasks.addTask {
          if accepted.isRefused {
            await connection.runRefused()
          } else {
            await connection.run()
          }
          self.remove(accepted)
        }
      }
      tasks.cancelAll()
    }
  }

  /// The next connection. `nil` when the server drains and no connection is left or the grace is over.
  private func next() async -> Accepted? {
    while true {
      if firstIncoming < incoming.count {
        defer { firstIncoming += 1 }
        return incoming[firstIncoming]
      }
      incoming.removeAll(keepingCapacity: true)
      firstIncoming = 0
      if isDraining, connections.isEmpty || isCut { return nil }
      unsafe await withUnsafeContinuation { unsafe waiting.hold($0) }
    }
  }

  private func remove(_ accepted: Accepted) {
    // The descriptor is closed and may be in use again, but not yet by this loop: `next` runs after this.
    connections[accepted.descriptor] = nil
    if accepted.isRefused {
      refusals.subtract(1, ordering: .relaxed)
    } else {
      load.subtract(1, ordering: .relaxed)
    }
    if isDraining { waiting.resume() }
  }

  /// Takes over an accepted connection. On the loop.
  func adopt(_ accepted: Accepted) {
    if let bytes = options.sendBufferBytes {
      try? ListeningSocket.setOption(accepted.descriptor, SOL_SOCKET, SO_SNDBUF, bytes)
    }
    incoming.append(accepted)
    waiting.resume()
  }

  // MARK: - Shutdown

  /// Closes idle connections, tells the others, and cuts at `deadline` those that are left. On the loop.
  func drain(until deadline: LoopInstant) {
    isDraining = true
    cutDeadline = min(deadline, cutDeadline)
    for connection in connections.values { connection.drain() }
    loop.schedule(self)
    waiting.resume()
  }

  override var deadline: LoopInstant { cutDeadline }

  override func deadlinePassed(_ now: LoopInstant) {
    cutDeadline = .never
    isCut = true
    for connection in connections.values { connection.fail(.cut) }
    waiting.resume()
  }

  // MARK: - Bytes in flight

  /// Counts bytes held for a handler. False where that would be too many.
  func reserve(_ count: Int) -> Bool {
    guard bytesInFlight + count <= options.maxBytesInFlight / options.loops else { return false }
    bytesInFlight += count
    return true
  }

  func release(_ count: Int) {
    bytesInFlight -= count
  }
}
