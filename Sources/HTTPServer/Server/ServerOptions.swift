import Foundation

extension Server {
  /// What a server is given at its start.
  package struct Options: Sendable {
    /// Host name or address to listen at; the first of its addresses that can be bound to is taken.
    package var host = "127.0.0.1"
    /// Port; 0 takes a free one, which `Server.address` tells.
    package var port: UInt16 = 4437
    /// Event loops, each with its thread; one a core by default.
    package var loops = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// Connections that the kernel may hold before they are accepted.
    package var backlog: Int32 = 1024
    /// What a request may take.
    package var limits = RequestDecoder.Limits()
    /// Connections at a time. One more is answered `503` and closed, and beyond 64 of those closed at once.
    package var maxConnections = 20_000
    /// Bytes of collected content that handlers hold at a time, divided among the loops. More is `503`.
    package var maxBytesInFlight = 256 << 20
    /// Bytes left to send, above which a writer waits until half are gone. One piece may exceed it.
    package var maxPendingOutputBytes = 64 << 10
    /// Bytes of content that a handler left unread and that are read and forgotten to keep the connection.
    package var maxDiscardedBytes = 64 << 10
    /// Bytes that are read and forgotten before a connection closes that was refused.
    package var maxLingerBytes = 16 << 20
    /// Time for a head from its first byte, and for a new connection's first byte.
    package var headTimeout = Duration.seconds(15)
    /// Time in which more of the content must arrive, while a handler waits for it.
    package var contentTimeout = Duration.seconds(60)
    /// Time between requests.
    package var idleTimeout = Duration.seconds(75)
    /// Time in which the peer must take something, while there is something to send.
    package var writeTimeout = Duration.seconds(30)
    /// Time in which a refused connection is read and forgotten before it closes.
    package var lingerTimeout = Duration.seconds(2)
    /// The size of the kernel's send buffer for each connection; its own choice by default.
    package var sendBufferBytes: Int32?

    /// The defaults.
    package init() {}
  }
}

/// The options' timeouts in nanoseconds, converted once.
struct Timeouts {
  let head: Int64
  let content: Int64
  let idle: Int64
  let write: Int64
  let linger: Int64

  init(_ options: Server.Options) {
    head = options.headTimeout.nanoseconds
    content = options.contentTimeout.nanoseconds
    idle = options.idleTimeout.nanoseconds
    write = options.writeTimeout.nanoseconds
    linger = options.lingerTimeout.nanoseconds
  }
}
