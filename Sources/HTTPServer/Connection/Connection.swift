import Foundation

/// One client's connection: what has been received and not read, what is to be sent, and who waits for what.
///
/// Everything happens on the loop's thread: `run()` and the handler are a task that prefers the loop, and the
/// loop itself calls the channel's methods. Extensions hold reading, writing, waiting and serving.
@safe final class Connection: Channel, @unchecked Sendable {
  // Safe: touched only on `loop`'s thread, as every channel.

  /// How far the answer of the exchange in progress is.
  enum ResponseState: Equatable {
    case unsent
    case streaming(ResponseHead.Framing)
    case complete
  }

  let group: ConnectionGroup
  let loop: EventLoop
  let peerAddress: SocketAddress

  // What has been received.
  var decoder: RequestDecoder
  var inbox: [UInt8] = []
  var inboxStart = 0
  var isReadable = true

  // What is to be sent.
  var outbox: [UInt8] = []
  var outboxStart = 0
  var willFlush = false

  // The state of the connection.
  /// The peer has closed, or shut down its sending half.
  var hasPeerClosed = false
  var failure: ExchangeError?
  var isClosed = false
  var isIdle = false
  var hasToldDraining = false

  // Who waits, and until when.
  var readWait = Suspension()
  var readDeadline = LoopInstant.never
  var hasReadTimedOut = false
  var writeWait = Suspension()
  var writeDeadline = LoopInstant.never
  /// Nanoseconds for which the peer may take nothing before a writer is told, and not cut.
  var stallTimeout: Int64?
  var hasStalled = false
  var eventWait = Suspension()
  /// Called for a signal while its exchange waits for it.
  var attendant: Exchange.Attendant?
  var eventDeadline = LoopInstant.never
  var hasEventTimedOut = false

  // The exchange in progress.
  var exchangeNumber: UInt64 = 0
  var isExchanging = false
  var version = Request.Version.http11
  var isHeadRequest = false
  var isPersistent = false
  var awaitsContinue = false
  var contentRemaining: Int?
  var hasContentEnded = true
  var reservedBytes = 0
  var responseState = ResponseState.unsent

  init(descriptor: Int32, peerAddress: SocketAddress, group: ConnectionGroup) {
    self.group = group
    self.loop = group.loop
    self.peerAddress = peerAddress
    decoder = RequestDecoder(limits: group.options.limits)
    super.init(descriptor: descriptor)
  }

  override var deadline: LoopInstant { min(readDeadline, writeDeadline, eventDeadline) }

  override func descriptorReady(_ events: Readiness) {
    if !events.isDisjoint(with: [.halfClosed, .hungUp]) { hasPeerClosed = true }
    if !events.isDisjoint(with: [.readable, .halfClosed, .hungUp]) {
      isReadable = true
      readWait.resume()
    }
    if hasPeerClosed { eventWait.resume() }
    // A writer of large content may wait with nothing in the outbox.
    if !events.isDisjoint(with: [.writable, .hungUp]), pendingOutput > 0 || writeWait.isWaiting {
      scheduleFlush()
    }
  }

  override func deadlinePassed(_ now: LoopInstant) {
    if readDeadline <= now {
      readDeadline = .never
      hasReadTimedOut = true
      readWait.resume()
    }
    if eventDeadline <= now {
      eventDeadline = .never
      hasEventTimedOut = true
      eventWait.resume()
    }
    if writeDeadline <= now {
      writeDeadline = .never
      if stallTimeout != nil {
        hasStalled = true
        writeWait.resume()
      } else {
        fail(.writeTimedOut)
      }
    }
  }

  override func endTurn() {
    willFlush = false
    flush()
  }

  /// Ends the connection's use: every operation from here on throws `error`, and what waits is resumed.
  func fail(_ error: ExchangeError) {
    guard failure == nil else { return }
    failure = error
    outbox = []
    outboxStart = 0
    writeDeadline = .never
    readWait.resume()
    writeWait.resume()
    eventWait.resume()
  }

  /// The server is draining: an idle connection ends now, a waiting handler is told.
  func drain() {
    if isIdle { readWait.resume() }
    eventWait.resume()
  }

  /// Traps where an exchange is used on another thread than its loop's; throws where its handler has returned.
  func check(_ number: UInt64) throws(ExchangeError) {
    precondition(loop.isCurrent, "an exchange is used by the task that handles it, on its event loop")
    guard number == exchangeNumber, isExchanging else { throw .ended }
    if let failure { throw failure }
  }
}
