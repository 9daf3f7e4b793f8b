import Foundation

/// What a client's connection tells its owner, on the loop's thread.
package protocol ClientConnectionHandler: AnyObject {
  /// Bytes have come, `at` which point of time. Valid until this returns.
  func connection(_ connection: ClientConnection, received bytes: borrowing Span<UInt8>, at time: LoopInstant)
  /// The connection is gone, for a reason or because the peer has closed it. Called at most once, and not where
  /// the owner closed it.
  func connectionClosed(_ connection: ClientConnection, _ error: SystemError?)
}

/// A connection that a client opens: bytes out, bytes in, and no more. Used on its loop's thread only.
///
/// What is sent in one turn of the loop goes out in one call. Nothing here allocates for a message, so that a
/// client that measures a server takes less than the server does.
@safe package final class ClientConnection: Channel, @unchecked Sendable {
  // Safe: as every channel.

  private let loop: EventLoop
  private weak var handler: (any ClientConnectionHandler)?
  private var output: [UInt8] = []
  private var sent = 0
  private var isWritable = false
  private var isInTurn = false
  private var hasClosed = false
  /// Whether what arrives is left to the kernel until `receive(atMost:)`.
  package var isPaused = false
  /// All bytes received and sent.
  package private(set) var bytesReceived = 0
  package private(set) var bytesSent = 0

  /// Begins to connect.
  ///
  /// - Parameter receiveBufferBytes: the kernel's buffer, for a client that is to take little at a time; its own
  ///   choice by default.
  package init(
    to endpoint: Endpoint, on loop: EventLoop, handler: any ClientConnectionHandler,
    receiveBufferBytes: Int32? = nil
  ) throws(SystemError) {
    precondition(loop.isCurrent)
    self.loop = loop
    self.handler = handler
    super.init(descriptor: try endpoint.connect(receiveBufferBytes: receiveBufferBytes))
    do throws(SystemError) {
      try loop.register(self)
    } catch {
      SystemCall.close(descriptor)
      throw error
    }
  }

  /// Bytes that have been given to `send` and not to the kernel.
  package var pendingBytes: Int { output.count - sent }

  /// Sends bytes at the end of the turn, or as soon as the peer takes them. Nothing after `close`.
  package func send(_ bytes: some Collection<UInt8>) {
    guard !hasClosed else { return }
    output.append(contentsOf: bytes)
    if !isInTurn {
      isInTurn = true
      loop.atTurnEnd(self)
    }
  }

  /// Closes the connection; what has not gone out is dropped.
  package func close() {
    guard !hasClosed else { return }
    hasClosed = true
    handler = nil
    output = []
    sent = 0
    loop.unregister(self)
    SystemCall.close(descriptor)
  }

  private func fail(_ error: SystemError?) {
    guard !hasClosed else { return }
    let handler = handler
    close()
    handler?.connectionClosed(self, error)
  }

  // MARK: - The loop's calls

  override func descriptorReady(_ events: Readiness) {
    guard !hasClosed else { return }
    if events.contains(.writable) {
      isWritable = true
      if pendingBytes > 0 { flush() }
    }
    if !events.isDisjoint(with: [.readable, .halfClosed, .hungUp]), !isPaused { receive(atMost: .max) }
  }

  override func endTurn() {
    isInTurn = false
    flush()
  }

  private func flush() {
    while isWritable, !hasClosed, pendingBytes > 0 {
      do throws(SystemError) {
        let outcome = try SystemCall.perform(.send) {
          unsafe output.withUnsafeBytes {
            unsafe Foundation.send(
              descriptor, $0.baseAddress.map { unsafe $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
          }
        }
        switch outcome {
        case .value(let count):
          sent += count
          bytesSent += count
        case .wouldBlock: isWritable = false
        }
      } catch {
        return fail(error)
      }
    }
    if pendingBytes == 0 {
      output.removeAll(keepingCapacity: true)
      sent = 0
    }
  }

  /// Takes what has arrived, up to so many bytes, and tells the handler. Not from a handler's `received`, whose bytes
  /// stand where this would write: a trap.
  package func receive(atMost limit: Int) {
    precondition(!loop.isReceiving, "a handler that receives has another connection receive")
    loop.isReceiving = true
    defer { loop.isReceiving = false }
    var left = limit
    while left > 0, !hasClosed {
      let wanted = min(left, EventLoop.receiveBytes)
      do throws(SystemError) {
        let outcome = try SystemCall.perform(.receive) {
          unsafe recv(descriptor, loop.receiveBuffer.baseAddress, wanted, 0)
        }
        guard case .value(let count) = outcome else { return }
        if count == 0 { return fail(nil) }
        bytesReceived += count
        left -= count
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: loop.receiveBuffer[..<count])
        unsafe tell(bytes.assumingMemoryBound(to: UInt8.self))
      } catch {
        return fail(error)
      }
    }
  }

  private func tell(_ bytes: UnsafeBufferPointer<UInt8>) {
    // Owned for as long as it is told, since it may close and drop what it holds.
    guard let handler else { return }
    handler.connection(self, received: unsafe bytes.span, at: .now)
  }
}
