import Foundation

extension Connection {
  /// Serves the connection's requests, one after the other, and closes it.
  func run() async {
    do throws(ExchangeError) {
      try register()
      while try await serveNext() {}
      try await awaitPendingOutput(atMost: 0)
    } catch {
      // The connection has failed: there is nobody to tell.
    }
    close()
  }

  /// Answers a connection above the limit with `503`, and closes it.
  func runRefused() async {
    do throws(ExchangeError) {
      try register()
      try await refuse(.tooManyConnections(limit: group.options.maxConnections))
    } catch {
      // As above.
    }
    close()
  }

  /// Reads and answers one request. Whether the connection goes on.
  private func serveNext() async throws(ExchangeError) -> Bool {
    let request: Request?
    do throws(ExchangeError) {
      request = try await nextRequest()
    } catch {
      guard case .request(let error) = error else { throw error }
      try await refuse(error)
      return false
    }
    guard let request, try await serve(request) else { return false }
    // What pipelined requests are answered with is bounded as a stream is.
    try await awaitPendingOutput(atMost: group.options.maxPendingOutputBytes)
    return true
  }

  private func register() throws(ExchangeError) {
    do {
      try loop.register(self)
    } catch {
      throw .system(error)
    }
  }

  private func close() {
    isClosed = true
    loop.unregister(self)
    SystemCall.close(descriptor)
  }

  /// Answers what cannot be read as a request, and waits until the peer has the answer.
  private func refuse(_ error: RequestError) async throws(ExchangeError) {
    responseState = .unsent
    version = .http11
    isPersistent = false
    isHeadRequest = false
    awaitsContinue = false
    hasContentEnded = true
    let response = group.responder.response(to: error)
    try await send(response.status, response.fields, response.content)
    try await endWithLinger()
  }

  /// Ends an answer without its end, so that the client can tell that it is not whole.
  private func abort() async throws(ExchangeError) {
    guard responseState == .streaming(.untilClose) else {
      try await endWithLinger()
      return
    }
    // Here closing is the proper end, so only a reset shows that this is none (RFC 9112 §8).
    var option = Foundation.linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<Foundation.linger>.size))
    fail(.cut)
  }

  /// Sends what is left, and reads what still comes, so that closing does not cost the peer the answer.
  private func endWithLinger() async throws(ExchangeError) {
    try await awaitPendingOutput(atMost: 0)
    await linger()
  }

  /// One exchange. Whether the connection goes on.
  private func serve(_ request: Request) async throws(ExchangeError) -> Bool {
    exchangeNumber += 1
    isExchanging = true
    version = request.version
    isHeadRequest = request.method == .head
    isPersistent = request.isPersistent
    awaitsContinue = request.expectsContinue
    responseState = .unsent
    switch request.framing {
    case .none, .length(0):
      hasContentEnded = false
      contentRemaining = 0
      var nothing: [UInt8] = []
      _ = try arrival(into: &nothing)
    case .length(let count):
      hasContentEnded = false
      contentRemaining = count
    case .chunked:
      hasContentEnded = false
      contentRemaining = nil
    }
    defer {
      isExchanging = false
      group.release(reservedBytes)
      reservedBytes = 0
    }
    do {
      try await group.responder.respond(
        to: Exchange(request: request, connection: self, number: exchangeNumber))
    } catch {
      if let failure { throw failure }
      guard responseState == .unsent else {
        try await abort()
        return false
      }
      try await answer(error)
    }
    if let failure { throw failure }
    return try await endExchange()
  }

  /// Answers an error that left the handler.
  private func answer(_ error: any Error) async throws(ExchangeError) {
    switch error as? ExchangeError {
    case .request(let error)?:
      isPersistent = false
      let response = group.responder.response(to: error)
      try await send(response.status, response.fields, response.content)
    case nil, .peerClosed?, .writeTimedOut?, .cut?, .system?, .ended?:
      let response = group.responder.response(toFailure: error)
      try await send(response.status, response.fields, response.content)
    }
  }

  /// Completes the response and reads the rest of the request. Whether the connection goes on.
  private func endExchange() async throws(ExchangeError) -> Bool {
    switch responseState {
    case .complete: break
    case .streaming: finishStream()
    case .unsent: try await send(.internalServerError, [:], [])
    }
    if hasContentEnded { return isPersistent }
    // Content that turns out to be malformed now has had its answer, so it only ends the connection.
    if isPersistent {
      let isDiscarded = try? await discardContent(limit: group.options.maxDiscardedBytes)
      if let failure { throw failure }
      if isDiscarded == true { return true }
    }
    try await endWithLinger()
    return false
  }
}
