/// One request and its answer, as its handler sees them.
///
/// Usable by the handler's own task (and its children, one reading and one writing at a time) until the handler
/// returns. Every operation runs on the connection's event loop; another executor is a trap.
package struct Exchange: Sendable {
  /// The request's head.
  package let request: Request
  let connection: Connection
  let number: UInt64

  /// The client's address.
  package var peerAddress: SocketAddress { connection.peerAddress }

  /// The address of this server that the client connected to; `nil` where the connection has failed.
  package var localAddress: SocketAddress? {
    // A descriptor that was closed may be another's by now.
    guard (try? connection.check(number)) != nil else { return nil }
    return try? ListeningSocket.address(of: connection.descriptor)
  }

  /// The monotonic clock as the loop last read it, at most one turn ago.
  package var now: LoopInstant { connection.loop.now }

  /// Whether the server is shutting down.
  package var isDraining: Bool { connection.group.isDraining }

  // MARK: - Content

  /// The next piece of the request's content, as it arrives: never empty; at most one chunk of a chunked body.
  /// `nil` at its end. The first call sends `100 Continue` where the client waits for it.
  ///
  /// - Throws: `.request` where the content is malformed, too large or late; `.peerClosed` where it is cut off.
  package func nextContentChunk() async throws(ExchangeError) -> [UInt8]? {
    try connection.check(number)
    var content: [UInt8] = []
    return try await connection.readContent(into: &content) ? content : nil
  }

  /// The request's whole content. It counts as bytes in flight until the handler returns.
  ///
  /// - Parameter limit: the most bytes taken; the server's limit holds besides.
  /// - Throws: as `nextContentChunk()`; `.request(.tooManyBytesInFlight)` where the server holds too many.
  package func collectContent(limit: Int = .max) async throws(ExchangeError) -> [UInt8] {
    try connection.check(number)
    if case .length(let count) = request.framing, count > limit {
      throw .request(.contentTooLarge(limit: limit))
    }
    var content: [UInt8] = []
    while try await connection.readContent(into: &content) {
      guard content.count <= limit else { throw .request(.contentTooLarge(limit: limit)) }
      try connection.reserve(content.count)
    }
    return content
  }

  // MARK: - Answer

  /// Whether the answer's head has been written: no other status can be sent.
  package var hasBegun: Bool { connection.responseState != .unsent }

  /// Sends a whole response. The content of an answer to `HEAD` is not sent, only its length.
  ///
  /// - Throws: `.peerClosed`, `.writeTimedOut`, `.cut` or `.system` where the connection has failed. What small
  ///   responses meet on their way shows only in later operations.
  package func send(
    _ status: StatusCode, fields: Fields = [:], content: [UInt8] = []
  ) async throws(ExchangeError) {
    try connection.check(number)
    try await connection.send(status, fields, content)
  }

  /// Sends a whole response.
  package func send(_ response: Response) async throws(ExchangeError) {
    try await send(response.status, fields: response.fields, content: response.content)
  }

  /// Begins a response of unknown length. The head goes out at once, also while the request still arrives.
  package func startStream(_ status: StatusCode, fields: Fields = [:]) async throws(ExchangeError) {
    try connection.check(number)
    connection.startStream(status, fields)
  }

  /// Sends a piece of content. What is written in one turn of the loop goes out in one send. Waits where the
  /// peer takes less than is written, until half of `Options.maxPendingOutputBytes` are left.
  ///
  /// - Throws: `.writeTimedOut` where the peer takes nothing for the write timeout; else as `send`.
  package func write(_ bytes: [UInt8]) async throws(ExchangeError) {
    try connection.check(number)
    try await connection.write(bytes)
  }

  /// Sends a piece of content and waits until the peer has taken all of it, so that nothing is queued for a slow
  /// reader. False where the peer takes nothing for `stallTimeout`: more can still be written, and the write
  /// timeout begins anew.
  ///
  /// - Throws: as `send`.
  package func deliver(
    _ bytes: [UInt8], stallTimeout: Duration
  ) async throws(ExchangeError) -> Bool {
    if try deliverAtOnce(bytes) { return true }
    return try await connection.awaitDelivery(stall: stallTimeout.nanoseconds)
  }

  /// Sends a piece of content, as much of it as the peer takes now; the rest goes out when it takes more. Whether it
  /// has taken everything, also what was written before: where not, `deliver` of nothing waits for that. For many small
  /// pieces: an asynchronous call costs as much as a quarter of the sending.
  ///
  /// - Throws: as `send`.
  package func deliverAtOnce(_ bytes: [UInt8]) throws(ExchangeError) -> Bool {
    try connection.check(number)
    return try connection.deliverAtOnce(bytes)
  }

  /// Sends a chunk that `ChunkedCoding.chunk` has made, as `deliverAtOnce` sends its content: for those who send many
  /// exchanges the same.
  package func deliverAtOnce(chunk: [UInt8]) throws(ExchangeError) -> Bool {
    try connection.check(number)
    return try connection.deliverAtOnce(chunk: chunk)
  }

  /// Ends the response's content. Returning from the handler does it too.
  package func finish() async throws(ExchangeError) {
    try connection.check(number)
    connection.finishStream()
  }

  /// Closes the connection after this response. Before `send` or `startStream` it is said in the head.
  package func closeAfterResponse() async throws(ExchangeError) {
    try connection.check(number)
    connection.isPersistent = false
  }

  // MARK: - Waiting

  /// A signal to wait for in this exchange; whoever changes something that it waits for wakes it.
  package func makeSignal() -> Signal { Signal(loop: connection.loop) }

  /// Attends to a signal within a wait, on the exchange's loop, and gives the wait's deadline from there on; `nil` where
  /// the wait is to end as `.signalled`. It may look, and `deliverAtOnce`.
  package typealias Attendant = () -> LoopInstant?

  /// Waits until the signal is woken, the deadline passes, the client leaves or the server drains. A wake
  /// between two waits ends the second at once, so nothing is lost that is looked for after the wait.
  ///
  /// - Parameter attendant: attends to each wake within the wait, for work that comes often and is short: to resume a task
  ///   costs more than all that a live view does for a delivery (Decision 0004).
  package func wait(
    for signal: Signal? = nil, until deadline: LoopInstant, attendant: Attendant? = nil
  ) async -> Wakeup {
    guard (try? connection.check(number)) != nil else { return .peerClosed }
    return await connection.wait(for: signal, until: deadline, attendant: attendant)
  }
}
