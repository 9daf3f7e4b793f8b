import Foundation
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct LimitTests {
  static let ok: @Sendable (Exchange) async throws -> Void = { try await $0.send(.ok) }

  @Test func answersLateHeads() async throws {
    try await withServer({ $0.headTimeout = .milliseconds(50) }, handler: Self.ok) { server in
      let client = try server.connect()
      try await client.send("GET / HT")
      let answer = try await client.receiveAnswer()
      #expect(answer.status == 408)
      #expect(answer["Connection"] == "close")
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func aHeadThatTricklesIsLateToo() async throws {
    try await withServer(
      {
        $0.headTimeout = .milliseconds(100)
        $0.lingerTimeout = .seconds(20)
      }, handler: Self.ok
    ) { server in
      let client = try server.connect()
      let end = ContinuousClock.now + .milliseconds(200)
      // Never silent for as long as the timeout, but never done.
      while ContinuousClock.now < end {
        try await client.send("A")
        try await Task.sleep(for: .milliseconds(2))
      }
      #expect(try await client.receiveAnswer().status == 408)
    }
  }

  @Test func closesConnectionsThatSayNothing() async throws {
    try await withServer({ $0.headTimeout = .milliseconds(50) }, handler: Self.ok) { server in
      let client = try server.connect()
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func closesIdleConnections() async throws {
    try await withServer({ $0.idleTimeout = .milliseconds(50) }, handler: Self.ok) { server in
      let client = try server.connect()
      #expect(try await client.get("/").status == 200)
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func answersLateContent() async throws {
    try await withServer(
      { $0.contentTimeout = .milliseconds(50) },
      handler: { exchange in
        _ = try await exchange.collectContent()
        try await exchange.send(.ok)
      }
    ) { server in
      let client = try server.connect()
      try await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhe")
      #expect(try await client.receiveAnswer().status == 408)
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func aPeerThatTakesNothingHoldsTheWriterBackAndIsCut() async throws {
    let written = Lock(0)
    let errors = Occurrences<ExchangeError>()
    try await withServer(
      {
        $0.writeTimeout = .milliseconds(200)
        $0.sendBufferBytes = 16 << 10
      },
      handler: { exchange in
        try await exchange.startStream(.ok)
        let piece = [UInt8](repeating: 0x78, count: 10_000)
        do throws(ExchangeError) {
          while true {
            try await exchange.write(piece)
            written.withLock { $0 += piece.count }
          }
        } catch {
          await errors.add(error)
          throw error
        }
      }
    ) { server in
      let client = try server.connect(receiveBufferBytes: 16 << 10)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(await errors.next() == .writeTimedOut)
      // The two kernel buffers (each may be twice what was asked for, and more on loopback) and the outbox.
      #expect(written.withLock { $0 } < 1 << 20)
    }
  }

  @Test func aSlowPeerGetsEverything() async throws {
    try await withServer(
      { $0.sendBufferBytes = 16 << 10 },
      handler: { exchange in
        try await exchange.startStream(.ok)
        for index in 0..<200 {
          try await exchange.write([UInt8](repeating: UInt8(0x30 + index % 10), count: 5000))
        }
      }
    ) { server in
      let client = try server.connect(receiveBufferBytes: 16 << 10)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      let content = Array(try await client.receiveAnswer().content.utf8)
      #expect(content.count == 1_000_000)
      #expect(content.indices.allSatisfy { content[$0] == UInt8(0x30 + $0 / 5000 % 10) })
    }
  }

  @Test func refusesConnectionsOverTheLimit() async throws {
    try await withServer({ $0.maxConnections = 2 }, handler: Self.ok) { server in
      let first = try server.connect()
      let second = try server.connect()
      for client in [first, second] { #expect(try await client.get("/").status == 200) }
      let third = try server.connect()
      let refused = try await third.receiveAnswer()
      #expect(refused.status == 503)
      #expect(refused["Retry-After"] == "1")
      #expect(refused["Connection"] == "close")
      #expect(try await third.isClosedByPeer())
      // A place that becomes free is given again.
      #expect(try await first.get("/", fields: "Connection: close\r\n").status == 200)
      #expect(try await first.isClosedByPeer())
      var status = 503
      while status == 503 { status = try await server.connect().getOrRefused("/") }
      #expect(status == 200)
    }
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET /" + RequestLimitTests.fill(9000) + " HTTP/1.1\r\n", 414),
    ("GET / HTTP/1.1\r\nHost: h\r\nA: " + RequestLimitTests.fill(40_000), 431),
    ("PRI * HTTP/2.0\r\n\r\n", 505),
    ("GET / HTTP/1.1\r\nHost: h\r\nExpect: x\r\n\r\n", 417),
  ])
  func answersRefusedRequestsAndCloses(request: String, status: Int) async throws {
    try await withServer(handler: Self.ok) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n" + request + RequestRefusalTests.smuggled)
      #expect(try await client.receiveAnswer().status == 200)
      let answer = try await client.receiveAnswer()
      #expect(answer.status == status)
      #expect(answer["Connection"] == "close")
      #expect(try await client.isClosedByPeer())
    }
  }

  struct OwnAnswers: Responder {
    struct Failure: Error {}

    func respond(to exchange: Exchange) async throws {
      if exchange.request.query != nil { try await exchange.startStream(.ok) }
      throw Failure()
    }

    func response(to error: RequestError) -> Response {
      Response(error.status, fields: ["Content-Type": "application/problem+json"], content: Array("{}".utf8))
    }

    func response(toFailure error: any Error) -> Response {
      Response(.internalServerError, content: Array("\(error)".utf8))
    }
  }

  @Test func theResponderWritesItsOwnErrors() async throws {
    try await withServer(responder: OwnAnswers()) { server in
      let client = try server.connect()
      let failed = try await client.get("/")
      #expect(failed.status == 500)
      #expect(failed.content == "Failure()")
      // The stream of a handler that fails is cut: its end must not look like a proper one.
      try await client.send("GET /?stream HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.receiveHead().status == 200)
      #expect(try await client.isClosedByPeer())
      // In HTTP/1.0 closing is the proper end, so the connection is reset.
      let old = try server.connect()
      try await old.send("GET /?stream HTTP/1.0\r\n\r\n")
      await #expect(throws: TestClient.Failure.receiveFailed(ECONNRESET)) { try await old.receiveAll() }
      let malformed = try server.connect()
      try await malformed.send("nonsense\r\n\r\n")
      let refused = try await malformed.receiveAnswer()
      #expect(refused.status == 400)
      #expect(refused["Content-Type"] == "application/problem+json")
      #expect(refused.content == "{}")
    }
  }
}

extension TestClient {
  /// The status of a request, also where the connection is refused before it is sent.
  func getOrRefused(_ target: String) async throws -> Int {
    try? await send("GET \(target) HTTP/1.1\r\nHost: test\r\n\r\n")
    return (try? await receiveAnswer().status) ?? 503
  }
}
