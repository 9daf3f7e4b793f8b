import Foundation
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct ShutdownTests {
  /// Runs a server until it has shut down by itself, so that a test can see that it does.
  static func serve(
    _ handler: @escaping @Sendable (Exchange) async throws -> Void, _ body: (Server) async throws -> Void
  ) async throws {
    var options = Server.Options()
    (options.port, options.loops) = (0, 2)
    let server = try Server(options: options, responder: Handler(body: handler))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await server.run() }
      do {
        try await body(server)
      } catch {
        server.shutdown(grace: .zero)
        throw error
      }
      try await tasks.waitForAll()
    }
  }

  @Test func closesIdleConnectionsAtOnce() async throws {
    try await Self.serve({ try await $0.send(.ok) }) { server in
      let used = try server.connect()
      #expect(try await used.get("/").status == 200)
      server.shutdown(grace: .seconds(60))
      #expect(try await used.isClosedByPeer())
    }
  }

  @Test func endsWithoutAnyConnection() async throws {
    try await Self.serve({ try await $0.send(.ok) }) { $0.shutdown(grace: .seconds(60)) }
  }

  @Test func acceptsNoMoreConnections() async throws {
    try await Self.serve({ try await $0.send(.ok) }) { server in
      let port = server.address.port
      server.shutdown(grace: .seconds(60))
      var isRefused = false
      while !isRefused {
        do {
          let client = try TestClient(port: port)
          _ = try? await client.receiveAll()
        } catch {
          isRefused = true
        }
      }
    }
  }

  @Test func aBusyConnectionGetsItsAnswerAndCloses() async throws {
    let began = Occurrences<Void>()
    let release = Occurrences<Void>()
    try await Self.serve({ exchange in
      await began.add(())
      await release.next()
      try await exchange.send(.ok, content: Array("\(exchange.isDraining)".utf8))
    }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      await began.next()
      let idle = try server.connect()
      server.shutdown(grace: .seconds(60))
      // Both loops have been told once the connection of either is closed; the busy one's loop may be the other.
      #expect(try await idle.isClosedByPeer())
      await release.add(())
      let answer = try await client.receiveAnswer()
      #expect(answer.status == 200)
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func aWaitingHandlerIsToldOnceAndCanEndProperly() async throws {
    let began = Occurrences<Void>()
    try await Self.serve({ exchange in
      try await exchange.startStream(.ok)
      await began.add(())
      let first = await exchange.wait(until: .never)
      let second = await exchange.wait(until: exchange.now.advanced(by: .milliseconds(1)))
      try await exchange.write(Array("\(first) \(second)".utf8))
    }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      await began.next()
      server.shutdown(grace: .seconds(60))
      #expect(try await client.receiveAnswer().content == "draining deadlinePassed")
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func theGraceEndsWhatDoesNotEndByItself() async throws {
    let began = Occurrences<Void>()
    let wakeups = Occurrences<Wakeup>()
    try await Self.serve({ exchange in
      try await exchange.startStream(.ok)
      await began.add(())
      for _ in 0..<2 { await wakeups.add(await exchange.wait(until: .never)) }
      do throws(ExchangeError) {
        try await exchange.write([0x78])
        Issue.record("written after the cut")
      } catch {
        #expect(error == .cut)
      }
    }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      await began.next()
      server.shutdown(grace: .milliseconds(50))
      #expect(await wakeups.next() == .draining)
      #expect(await wakeups.next() == .peerClosed)
      _ = try await client.receiveHead()
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func cancelsHandlersThatWaitForSomethingElse() async throws {
    let began = Occurrences<Void>()
    try await Self.serve({ exchange in
      await began.add(())
      try await Task.sleep(for: .seconds(3600))
    }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      await began.next()
      server.shutdown(grace: .milliseconds(10))
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func signalsCanBeAwaited() async throws {
    let signals = try TerminationSignals([SIGUSR1])
    kill(getpid(), SIGUSR1)
    #expect(await signals.next() == SIGUSR1)
    kill(getpid(), SIGUSR1)
    #expect(await signals.next() == SIGUSR1)
  }
}
