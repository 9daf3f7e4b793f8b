import Foundation
import Testing

@testable import HTTPServer

struct ClientConnectionTests {
  /// How a connection ended, and what it had received.
  private struct Outcome: Sendable {
    var end: String
    var received: [UInt8]
    var text: String { String(decoding: received, as: UTF8.self) }
  }

  /// Notes what a connection tells, and says when it is enough.
  private final class Owner: ClientConnectionHandler, @unchecked Sendable {
    // Safe: touched only on the loop's thread.
    private var received: [UInt8] = []
    var connection: ClientConnection?
    /// Connections do not keep their owners.
    private var itself: Owner?
    private let done: CheckedContinuation<Outcome, Never>
    private let enough: Int

    init(_ done: CheckedContinuation<Outcome, Never>, enough: Int) {
      self.done = done
      self.enough = enough
      itself = self
    }

    private func end(_ end: String) {
      connection = nil
      itself = nil
      done.resume(returning: Outcome(end: end, received: received))
    }

    func connection(
      _ connection: ClientConnection, received bytes: borrowing Span<UInt8>, at time: LoopInstant
    ) {
      for index in bytes.indices { received.append(bytes[index]) }
      guard received.count >= enough else { return }
      connection.close()
      // Nothing comes any more, and nothing fails.
      connection.send([1])
      connection.close()
      end("enough")
    }

    func connectionClosed(_ connection: ClientConnection, _ error: SystemError?) {
      end(error.map { "\($0)" } ?? "closed")
    }
  }

  /// What one connection to a port gets for some requests, until it is closed or has so many bytes.
  private func exchange(port: UInt16, _ requests: [String], enough: Int = .max) async throws -> Outcome {
    let loop = try EventLoop(name: "client", isPrecise: true)
    try loop.start()
    defer { loop.stop() }
    let endpoint = try Endpoint(host: "127.0.0.1", port: port)
    return await withCheckedContinuation { continuation in
      let owner = Owner(continuation, enough: enough)
      loop.submit {
        owner.connection = try? ClientConnection(to: endpoint, on: loop, handler: owner)
        for request in requests { owner.connection?.send(request.utf8) }
      }
    }
  }

  @Test func sendsWhatWasGivenBeforeItWasConnectedAndReceivesAll() async throws {
    try await withServer { exchange in
      let content = try await exchange.collectContent()
      try await exchange.send(.ok, content: content)
    } _: { server in
      // More than the kernel takes at once, pipelined behind a small one.
      let large = String(repeating: "x", count: 3 << 20)
      let outcome = try await self.exchange(
        port: server.address.port,
        [
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab",
          "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(large.utf8.count)\r\n\r\n\(large)",
        ])
      #expect(outcome.end == "closed")
      #expect(outcome.text.hasPrefix("HTTP/1.1 200 OK") && outcome.text.contains("\r\n\r\nabHTTP/1.1 200 OK"))
      #expect(outcome.text.hasSuffix("\r\n\r\n\(large)"))
      let some = try await self.exchange(
        port: server.address.port, ["GET / HTTP/1.1\r\nHost: a\r\n\r\n"], enough: 10)
      #expect(some.end == "enough" && some.received.count >= 10)
    }
  }

  @Test func tellsThatThePeerHasClosedOrIsNotThere() async throws {
    try await withServer { exchange in
      try await exchange.closeAfterResponse()
      try await exchange.send(.noContent)
    } _: { server in
      let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
      let end = try await exchange(port: server.address.port, [request])
      #expect(end.end == "closed")
    }
    // A port that was free a moment ago.
    var options = Server.Options()
    options.port = 0
    let server = try Server(options: options, responder: Handler { _ in })
    let port = server.address.port
    server.shutdown(grace: .zero)
    try await server.run()
    let refused = try await exchange(port: port, [])
    #expect(refused.end == "\(SystemError.peerClosed)")
  }
}

struct LoopTimerTests {
  @Test(arguments: [true, false])
  func callsAsOftenAsAskedAndNotBeforeTheTime(_ isPrecise: Bool) async throws {
    let loop = try EventLoop(name: "timers", isPrecise: isPrecise)
    try loop.start()
    defer { loop.stop() }
    let calls: [(place: Int, isEarly: Bool)] = await withCheckedContinuation { continuation in
      loop.submit {
        var calls: [(place: Int, isEarly: Bool)] = []
        let start = LoopInstant.now
        func note(_ place: Int, due: Int64) {
          calls.append((place, LoopInstant.now < start.advanced(byNanoseconds: due)))
          if calls.count == 4 { continuation.resume(returning: calls) }
        }
        // One that comes again, one that has passed, one that is put off, one that is cancelled.
        var rounds = 0
        let again = LoopTimer(on: loop) { _ in
          rounds += 1
          note(0, due: Int64(rounds) * 300_000)
          return rounds < 2 ? start.advanced(byNanoseconds: 600_000) : .never
        }
        again.set(start.advanced(byNanoseconds: 300_000))
        let passed = LoopTimer(on: loop) { _ in
          note(1, due: 0)
          return .never
        }
        passed.set(LoopInstant(nanoseconds: 0))
        let late = LoopTimer(on: loop) { _ in
          note(2, due: 900_000)
          return .never
        }
        late.set(start.advanced(byNanoseconds: 100_000))
        late.set(start.advanced(byNanoseconds: 900_000))
        let cancelled = LoopTimer(on: loop) { _ in
          note(3, due: 0)
          return .never
        }
        cancelled.set(start.advanced(byNanoseconds: 200_000))
        cancelled.cancel()
      }
    }
    #expect(calls.map(\.place).sorted() == [0, 0, 1, 2])
    #expect(calls.allSatisfy { !$0.isEarly })
  }
}
