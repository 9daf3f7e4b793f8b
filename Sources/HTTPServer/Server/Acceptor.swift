import Foundation
import Synchronization

/// Accepts connections on one loop and gives each to the loop with the fewest (Decision 0001).
@safe final class Acceptor: Channel, @unchecked Sendable {
  // Safe: touched only on its loop's thread, as every channel.

  /// Connections being refused with an answer at a time; more are closed without one.
  private static let maxRefusals = 64
  /// Connections accepted before other tasks of the loop run.
  private static let maxAcceptsInARow = 64
  /// Nanoseconds until accepting is tried again after descriptors ran out.
  private static let pause: Int64 = 100_000_000

  private let listener: ListeningSocket
  private let groups: [ConnectionGroup]
  private let loop: EventLoop
  private let maxConnections: Int
  private var isStopping = false
  private var isClosed = false
  private var retry = LoopInstant.never
  private var waiting = Suspension()

  init(_ listener: ListeningSocket, groups: [ConnectionGroup]) {
    self.listener = listener
    self.groups = groups
    loop = groups[0].loop
    maxConnections = groups[0].options.maxConnections
    super.init(descriptor: listener.descriptor)
  }

  /// Accepts until `stop()`, then closes the listening socket.
  func run() async throws(SystemError) {
    defer { close() }
    try loop.register(self)
    defer { loop.unregister(self) }
    while !isStopping {
      do throws(SystemError) {
        var count = 0
        while !isStopping, count < Self.maxAcceptsInARow, let accepted = try listener.accept() {
          assign(accepted.descriptor, accepted.peer)
          count += 1
        }
        if count == Self.maxAcceptsInARow {
          await Task.yield()
          continue
        }
      } catch {
        switch error {
        case .peerClosed: continue
        case .resourcesExhausted: retry = loop.now.advanced(byNanoseconds: Self.pause)
        case .failed: throw error
        }
      }
      if isStopping { return }
      loop.schedule(self)
      unsafe await withUnsafeContinuation { unsafe waiting.hold($0) }
    }
  }

  deinit {
    // A server that was never run.
    close()
  }

  private func close() {
    guard !isClosed else { return }
    isClosed = true
    SystemCall.close(listener.descriptor)
  }

  /// Ends `run()`. On the loop.
  func stop() {
    isStopping = true
    waiting.resume()
  }

  override var deadline: LoopInstant { retry }

  override func descriptorReady(_ events: Readiness) { waiting.resume() }

  override func deadlinePassed(_ now: LoopInstant) {
    retry = .never
    waiting.resume()
  }

  private func assign(_ descriptor: Int32, _ peer: SocketAddress) {
    var total = 0
    var refusals = 0
    var least = groups[0]
    for group in groups {
      total += group.load.load(ordering: .relaxed)
      refusals += group.refusals.load(ordering: .relaxed)
      if group.load.load(ordering: .relaxed) < least.load.load(ordering: .relaxed) { least = group }
    }
    let isRefused = total >= maxConnections
    if isRefused, refusals >= Self.maxRefusals {
      SystemCall.close(descriptor)
      return
    }
    if isRefused {
      least.refusals.add(1, ordering: .relaxed)
    } else {
      least.load.add(1, ordering: .relaxed)
    }
    let accepted = ConnectionGroup.Accepted(descriptor: descriptor, peer: peer, isRefused: isRefused)
    if least.loop.isCurrent {
      least.adopt(accepted)
    } else {
      let group = least
      group.loop.submit { group.adopt(accepted) }
    }
  }
}
