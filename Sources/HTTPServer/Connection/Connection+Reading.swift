import Foundation

extension Connection {
  /// Counts content held for the handler: `total` bytes of this exchange's.
  func reserve(_ total: Int) throws(ExchangeError) {
    guard group.reserve(total - reservedBytes) else {
      throw .request(.tooManyBytesInFlight(limit: group.options.maxBytesInFlight))
    }
    reservedBytes = total
  }

  /// What the next bytes are.
  enum Arrival {
    case head(Request)
    case content
    case end
    case needsInput
    case endOfInput
  }

  /// Reads on to the next event, without waiting. Content is appended to `content`.
  func arrival(into content: inout [UInt8]) throws(ExchangeError) -> Arrival {
    while true {
      if let arrival = try arrivalFromInbox(into: &content) { return arrival }
      guard isReadable else { return .needsInput }
      let count: Int
      do throws(SystemError) {
        let outcome = try SystemCall.perform(.receive) {
          unsafe recv(descriptor, loop.receiveBuffer.baseAddress, EventLoop.receiveBytes, 0)
        }
        guard case .value(let received) = outcome else {
          isReadable = false
          return .needsInput
        }
        count = received
      } catch {
        fail(error == .peerClosed ? .peerClosed : .system(error))
        throw error == .peerClosed ? .peerClosed : .system(error)
      }
      if count == 0 {
        hasPeerClosed = true
        return .endOfInput
      }
      // Fewer bytes than asked for: the socket is empty, and whatever comes next is a new edge (epoll(7)). The
      // peer's end of input has had its edge already, so there the next receive must tell.
      if count < EventLoop.receiveBytes, !hasPeerClosed { isReadable = false }
      if let arrival = try arrivalFromReceived(count, into: &content) { return arrival }
    }
  }

  /// The decoder's next event from bytes received before, or `nil` where they are used up.
  private func arrivalFromInbox(into content: inout [UInt8]) throws(ExchangeError) -> Arrival? {
    // Nothing is left over, and nothing is due: as at the beginning of most requests.
    if inbox.isEmpty, decoder.isBetweenRequests { return nil }
    let bytes = inbox
    let event = decoder.next(in: bytes.span, at: &inboxStart)
    let result = try arrival(of: event)
    if case .content(let range) = event { content.append(contentsOf: bytes[range]) }
    if inboxStart == inbox.count, !inbox.isEmpty {
      inbox = []
      inboxStart = 0
    }
    return result
  }

  /// The decoder's next event from the loop's buffer. What it leaves goes to the inbox, because another
  /// connection will receive into the same buffer.
  private func arrivalFromReceived(
    _ count: Int, into content: inout [UInt8]
  ) throws(ExchangeError) -> Arrival? {
    let received = unsafe UnsafeBufferPointer(
      rebasing: UnsafeRawBufferPointer(loop.receiveBuffer).bindMemory(to: UInt8.self)[..<count])
    var position = 0
    let event = unsafe decoder.next(in: received.span, at: &position)
    if case .content(let range) = event { unsafe content.append(contentsOf: received[range]) }
    if position < count { unsafe inbox.append(contentsOf: received[position...]) }
    return try arrival(of: event)
  }

  private func arrival(of event: RequestDecoder.Event) throws(ExchangeError) -> Arrival? {
    switch event {
    case .needsInput: return nil
    case .head(let request): return .head(request)
    case .content(let range):
      awaitsContinue = false
      contentRemaining = contentRemaining.map { $0 - range.count }
      return .content
    case .end:
      hasContentEnded = true
      return .end
    case .refused(let error): throw .request(error)
    }
  }

  /// Waits until the socket may be readable. False where the deadline passed first.
  private func awaitReadable(until deadline: LoopInstant) async throws(ExchangeError) -> Bool {
    hasReadTimedOut = false
    readDeadline = deadline
    loop.schedule(self)
    unsafe await withUnsafeContinuation { unsafe readWait.hold($0) }
    readDeadline = .never
    if let failure { throw failure }
    return !hasReadTimedOut
  }

  /// The next request's head, or `nil` where the connection ends between requests: closed by the peer, idle
  /// for too long, or the server is draining.
  func nextRequest() async throws(ExchangeError) -> Request? {
    var nothing: [UInt8] = []
    let timeouts = group.timeouts
    let idleTimeout = exchangeNumber == 0 ? timeouts.head : timeouts.idle
    let idleDeadline = loop.now.advanced(byNanoseconds: idleTimeout)
    var headDeadline: LoopInstant?
    while true {
      if let failure { throw failure }
      switch try arrival(into: &nothing) {
      case .head(let request): return request
      case .endOfInput: return nil
      case .content, .end: preconditionFailure("a request begins with its head")
      case .needsInput: break
      }
      isIdle = decoder.isBetweenRequests
      if isIdle, group.isDraining { return nil }
      let wasIdle = isIdle
      if !wasIdle, headDeadline == nil { headDeadline = loop.now.advanced(byNanoseconds: timeouts.head) }
      let inTime = try await awaitReadable(until: headDeadline ?? idleDeadline)
      isIdle = false
      if wasIdle, !inTime || group.isDraining { return nil }
      if !inTime { throw .request(.headTimedOut) }
    }
  }

  /// Appends the next piece of content, waiting for it. False at the end of the content.
  func readContent(into content: inout [UInt8]) async throws(ExchangeError) -> Bool {
    while !hasContentEnded {
      if let failure { throw failure }
      switch try arrival(into: &content) {
      case .content: return true
      case .end: return false
      case .head: preconditionFailure("a request's content ends before the next head")
      case .endOfInput:
        fail(.peerClosed)
        throw .peerClosed
      case .needsInput: break
      }
      sendContinue()
      let deadline = loop.now.advanced(byNanoseconds: group.timeouts.content)
      guard try await awaitReadable(until: deadline) else { throw .request(.contentTimedOut) }
    }
    return false
  }

  /// Reads and forgets up to `limit` bytes of content. Whether that was the rest.
  func discardContent(limit: Int) async throws(ExchangeError) -> Bool {
    var discarded = 0
    while !hasContentEnded {
      var content = loop.takeBuffer()
      let more = try await readContent(into: &content)
      discarded += content.count
      loop.recycle(&content)
      if !more { break }
      if discarded > limit { return false }
    }
    return true
  }

  /// Before closing after a refusal: shuts down the sending half, then reads what still comes, for a while.
  /// Closing with bytes unread would reset the connection, and the peer could lose the answer (RFC 9112 §9.6).
  func linger() async {
    _ = shutdown(descriptor, Int32(SHUT_WR))
    let deadline = loop.now.advanced(byNanoseconds: group.timeouts.linger)
    var budget = group.options.maxLingerBytes
    while budget > 0 {
      let outcome = try? SystemCall.perform(.receive) {
        unsafe recv(descriptor, loop.receiveBuffer.baseAddress, EventLoop.receiveBytes, 0)
      }
      switch outcome {
      case nil, .value(0): return
      case .value(let count): budget -= count
      case .wouldBlock:
        guard let inTime = try? await awaitReadable(until: deadline), inTime else { return }
      }
    }
  }
}
