import Foundation

extension Connection {
  /// Serves the connection's requests, one after the other, and closes it.
  func run() async {
    do throws(ExchangeError) {
      try register()
      while let request = try await nextRequest() {
        guard try await serve(request) else { break }
        // What pipelined requests are answered with is bounded as a stream is.
        try await awaitPendingOutput(atMost: group.options.maxPendingOutputBytes)
      }
      try await awaitPendingOutput(atMost: 0)
    } catch {
      await refuse(error)
    }
    close()
  }

  /// Answers a connection above the limit with `503`, and closes it.
  func runRefused() async {
    do throws(ExchangeError) {
      try register()
      throw .request(.tooManyConnections(limit: group.options.maxConnections))
    } catch {
      await refuse(error)
    }
    close()
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

  /// Answers a request that cannot be read, and waits until the peer has the answer.
  private func refuse(_ error: ExchangeError) async {
    guard case .request(let error) = error, failure == nil else { return }
    do throws(ExchangeError) {
      if responseState != .unsent, exchangeNumber > 0, isExchanging { return }
      responseState = .unsent
      isPersistent = false
      isHeadRequest = false
      awaitsContinue = false
      let response = group.responder.response(to: error)
      try await send(response.status, response.fields, response.content)
      try await awaitPendingOutput(atMost: 0)
      await linger()
    } catch {
      // Whoever was to be told is gone.
    }
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
      try await answer(error)
    }
    if let failure { throw failure }
    return try await endExchange()
  }

  /// Answers an error that left the handler.
  private func answer(_ error: any Error) async throws(ExchangeError) {
    if let failure { throw failure }
    guard responseState == .unsent else { throw (error as? ExchangeError) ?? .peerClosed }
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
    if isPersistent, try await discardContent(limit: group.options.maxDiscardedBytes) { return true }
    try await awaitPendingOutput(atMost: 0)
    await linger()
    return false
  }
}
