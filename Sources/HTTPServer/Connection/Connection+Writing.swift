import Foundation

extension Connection {
  var pendingOutput: Int { outbox.count - outboxStart }

  /// Has the outbox sent when the jobs of this turn have run: what a task writes in one turn goes out in one send.
  func scheduleFlush() {
    guard !willFlush else { return }
    willFlush = true
    loop.atTurnEnd(self)
  }

  /// Sends as much of the outbox as the socket takes.
  func flush() {
    guard failure == nil, !isClosed else { return }
    while pendingOutput > 0 {
      let sent = send(more: [], from: 0)
      guard sent != nil else { break }
    }
    settleOutbox()
  }

  /// One send of the outbox followed by `content` from `offset` on. The bytes of `content` taken, or `nil` where
  /// the socket takes nothing now or has failed.
  private func send(more content: [UInt8], from offset: Int) -> Int? {
    let head = pendingOutput
    do throws(SystemError) {
      let outbox = outbox
      let outcome = try unsafe outbox.span.bytes.withUnsafeBytes { outbox throws(SystemError) in
        try unsafe content.span.bytes.withUnsafeBytes { content throws(SystemError) in
          try unsafe sendOnce(
            UnsafeRawBufferPointer(rebasing: outbox[outboxStart...]),
            UnsafeRawBufferPointer(rebasing: content[offset...]))
        }
      }
      guard case .value(let sent) = outcome else {
        if writeDeadline == .never {
          writeDeadline = loop.now.advanced(byNanoseconds: stallTimeout ?? group.timeouts.write)
          loop.schedule(self)
        }
        return nil
      }
      // The timeout is for a peer that takes nothing, so whatever it takes begins it anew.
      writeDeadline = .never
      outboxStart += min(sent, head)
      return max(sent - head, 0)
    } catch {
      fail(error == .peerClosed ? .peerClosed : .system(error))
      return nil
    }
  }

  private func sendOnce(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
  ) throws(SystemError) -> SystemCall.Outcome {
    if unsafe first.isEmpty || second.isEmpty {
      let bytes = unsafe second.isEmpty ? first : second
      return try SystemCall.perform(.send) {
        unsafe Foundation.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
    }
    // `sendmsg` only reads through these pointers.
    var parts = unsafe [
      iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count),
      iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count),
    ]
    return try unsafe parts.withUnsafeMutableBufferPointer { parts throws(SystemError) in
      var message = unsafe msghdr()
      unsafe message.msg_iov = parts.baseAddress
      unsafe message.msg_iovlen = 2
      return try SystemCall.perform(.sendmsg) {
        unsafe sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
      }
    }
  }

  /// Gives the outbox back when it is empty, closes its gap, and resumes a writer that may go on.
  private func settleOutbox() {
    if pendingOutput == 0 {
      if !outbox.isEmpty {
        // Taken out, so that it is nobody else's and its memory stays where it is.
        var buffer: [UInt8] = []
        swap(&buffer, &outbox)
        outboxStart = 0
        loop.recycle(&buffer)
      }
    } else if outboxStart * 2 > outbox.count {
      // At least half of it is gone, so that moving the rest is paid for by what was sent.
      outbox.removeFirst(outboxStart)
      outboxStart = 0
    }
    if pendingOutput <= group.options.maxPendingOutputBytes / 2 { writeWait.resume() }
  }

  private func awaitWritable() async throws(ExchangeError) {
    unsafe await withUnsafeContinuation { unsafe writeWait.hold($0) }
    if let failure { throw failure }
  }

  /// Waits until no more than `limit` bytes are left to send.
  func awaitPendingOutput(atMost limit: Int) async throws(ExchangeError) {
    while pendingOutput > limit {
      flush()
      if let failure { throw failure }
      if pendingOutput > limit { try await awaitWritable() }
    }
  }

  private func takeOutbox() {
    if outbox.capacity == 0 { outbox = loop.takeBuffer() }
  }

  // MARK: - Responses

  /// `100 Continue`, if the client waits for it and has no final answer yet.
  func sendContinue() {
    guard awaitsContinue, responseState == .unsent else { return }
    awaitsContinue = false
    takeOutbox()
    outbox.append("HTTP/1.1 100 Continue\r\n\r\n")
    scheduleFlush()
  }

  /// Puts a head into the outbox and decides whether the connection goes on after this response.
  private func begin(_ status: StatusCode, _ fields: Fields, _ framing: ResponseHead.Framing) {
    precondition(responseState == .unsent, "an exchange has one response")
    precondition(status.rawValue >= 200, "informational responses are the server's own")
    assert(
      !fields.contains("content-length") && !fields.contains("transfer-encoding")
        && !fields.contains("connection") && !fields.contains("date"),
      "framing, connection and date are the server's own")
    if group.isDraining || framing == .untilClose { isPersistent = false }
    let persistence: ResponseHead.Persistence =
      !isPersistent ? .close : version == .http10 ? .keepAlive : .implicit
    takeOutbox()
    ResponseHead(status: status, fields: fields, framing: framing, persistence: persistence)
      .encode(into: &outbox, date: loop.dateBytes)
  }

  /// Sends a whole response: head and content in one send where the socket takes them.
  func send(_ status: StatusCode, _ fields: Fields, _ content: [UInt8]) async throws(ExchangeError) {
    if !hasContentEnded, !mayDiscardRest { isPersistent = false }
    begin(status, fields, status.hasNoContent ? .none : .length(content.count))
    responseState = .complete
    guard !isHeadRequest, !status.hasNoContent, !content.isEmpty else {
      scheduleFlush()
      return
    }
    // Small content is copied behind its head. Large content is sent from where it is.
    if content.count <= 16 << 10 {
      outbox.append(contentsOf: content)
      scheduleFlush()
    } else {
      var offset = 0
      while offset < content.count {
        if let sent = send(more: content, from: offset) {
          offset += sent
        } else {
          if let failure { throw failure }
          try await awaitWritable()
        }
      }
      settleOutbox()
    }
    try await awaitPendingOutput(atMost: group.options.maxPendingOutputBytes)
  }

  /// Whether what is left of the content may be read and forgotten, so that the connection can go on.
  private var mayDiscardRest: Bool {
    if awaitsContinue { return false }
    return contentRemaining.map { $0 <= group.options.maxDiscardedBytes } ?? true
  }

  /// Begins a response whose content follows in pieces.
  func startStream(_ status: StatusCode, _ fields: Fields) {
    // The handler is going to read content while it answers, and some clients take a final status without
    // `100 Continue` as a refusal of their content.
    if status.rawValue < 400 { sendContinue() }
    let framing: ResponseHead.Framing =
      status.hasNoContent ? .none : version == .http11 ? .chunked : .untilClose
    begin(status, fields, framing)
    responseState = .streaming(framing)
    scheduleFlush()
  }

  /// Sends a piece of content; waits where the peer takes less than is written.
  func write(_ bytes: [UInt8]) async throws(ExchangeError) {
    guard putContent(bytes) else { return }
    scheduleFlush()
    try await awaitPendingOutput(atMost: group.options.maxPendingOutputBytes)
  }

  /// Puts a piece of content into the outbox. Whether there is anything to send of it.
  private func putContent(_ bytes: [UInt8]) -> Bool {
    guard case .streaming(let framing) = responseState else {
      preconditionFailure("content is written between startStream and finish")
    }
    guard !isHeadRequest, framing != .none, !bytes.isEmpty else { return false }
    takeOutbox()
    if framing == .chunked {
      ChunkedCoding.append(bytes, to: &outbox)
    } else {
      outbox.append(contentsOf: bytes)
    }
    return true
  }

  /// Sends a piece of content, as much of it as the peer takes. Whether it has taken everything, also what was
  /// written before.
  func deliverAtOnce(_ bytes: [UInt8]) throws(ExchangeError) -> Bool {
    if putContent(bytes) {
      flush()
      if let failure { throw failure }
    }
    return pendingOutput == 0
  }

  /// Sends a chunk as `deliverAtOnce` does a piece of content, from where it is: only what the peer does not take now is
  /// copied.
  func deliverAtOnce(chunk: [UInt8]) throws(ExchangeError) -> Bool {
    guard responseState == .streaming(.chunked), !isHeadRequest, pendingOutput == 0 else {
      return try deliverAtOnce(Array(ChunkedCoding.content(of: chunk)))
    }
    let sent = send(more: chunk, from: 0) ?? 0
    if let failure { throw failure }
    if sent == chunk.count { return true }
    takeOutbox()
    outbox.append(contentsOf: chunk[sent...])
    flush()
    if let failure { throw failure }
    return pendingOutput == 0
  }

  /// Waits until the peer has taken everything. False where it takes nothing for `stall` nanoseconds: the connection is
  /// still usable, and the write timeout begins anew.
  func awaitDelivery(stall: Int64) async throws(ExchangeError) -> Bool {
    stallTimeout = stall
    hasStalled = false
    // It began with the write timeout.
    writeDeadline = .never
    defer { stallTimeout = nil }
    while pendingOutput > 0 {
      flush()
      if let failure { throw failure }
      if pendingOutput > 0 { try await awaitWritable() }
      if hasStalled { return pendingOutput == 0 }
    }
    return true
  }

  /// Ends the content.
  func finishStream() {
    guard case .streaming(let framing) = responseState else { return }
    responseState = .complete
    guard framing == .chunked, !isHeadRequest else { return }
    takeOutbox()
    ChunkedCoding.appendEnd(to: &outbox)
    scheduleFlush()
  }
}
