import Foundation
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct ServerTests {
  /// Answers with the method, target and content that it was sent.
  static let echo: @Sendable (Exchange) async throws -> Void = { exchange in
    let content = try await exchange.collectContent()
    let line = "\(exchange.request.method.name) \(String(decoding: exchange.request.path, as: UTF8.self)) "
    try await exchange.send(.ok, fields: ["X": "y"], content: Array(line.utf8) + content)
  }

  @Test func keepsTheConnectionBetweenRequests() async throws {
    try await withServer(handler: Self.echo) { server in
      let client = try server.connect()
      for path in ["/one", "/two", "/three"] {
        let answer = try await client.get(path)
        #expect(answer.status == 200)
        #expect(answer.content == "GET \(path) ")
        #expect(answer["Connection"] == nil)
        #expect(answer["Date"]?.hasSuffix(" GMT") == true)
      }
    }
  }

  @Test func answersPipelinedRequestsInOrder() async throws {
    try await withServer(handler: Self.echo) { server in
      let client = try server.connect()
      let count = 200
      let requests = (0..<count).map { index in
        index % 2 == 0
          ? "GET /\(index) HTTP/1.1\r\nHost: h\r\n\r\n"
          : "POST /\(index) HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
      }
      try await client.send(requests.joined())
      for index in 0..<count {
        let answer = try await client.receiveAnswer()
        #expect(answer.content == (index % 2 == 0 ? "GET /\(index) " : "POST /\(index) x"))
      }
    }
  }

  @Test func readsRequestsThatComeByteByByte() async throws {
    try await withServer(handler: Self.echo) { server in
      let client = try server.connect()
      for _ in 0..<3 {
        try await client.sendByteByByte(
          "POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        #expect(try await client.receiveAnswer().content == "POST /p hello")
      }
    }
  }

  @Test func sendsLargeContentWhole() async throws {
    let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
    try await withServer(handler: { try await $0.send(.ok, content: content) }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
      for _ in 0..<2 {
        let head = try await client.receiveHead()
        #expect(head["Content-Length"] == "3000000")
        #expect(try await client.receive(count: content.count) == content)
      }
    }
  }

  @Test func receivesLargeContentWhole() async throws {
    let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
    try await withServer(handler: { exchange in
      let received = try await exchange.collectContent()
      try await exchange.send(received == content ? .ok : .badRequest)
    }) { server in
      let client = try server.connect()
      try await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(content.count)\r\n\r\n")
      try await client.send(content)
      #expect(try await client.receiveAnswer().status == 200)
    }
  }

  @Test func answersHeadWithoutContent() async throws {
    try await withServer(handler: { exchange in
      if exchange.request.query == nil {
        try await exchange.send(.ok, content: Array("hello".utf8))
      } else {
        try await exchange.startStream(.ok)
        try await exchange.write(Array("hello".utf8))
      }
    }) { server in
      let client = try server.connect()
      try await client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.receiveAnswer(hasContent: false)["Content-Length"] == "5")
      try await client.send("HEAD /?stream HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.receiveAnswer(hasContent: false)["Transfer-Encoding"] == "chunked")
      #expect(try await client.get("/").content == "hello")
    }
  }

  @Test(arguments: [204, 304])
  func sendsNoContentWhereTheStatusHasNone(status: Int) async throws {
    try await withServer(handler: { exchange in
      try await exchange.send(StatusCode(rawValue: status), content: Array("never".utf8))
    }) { server in
      let client = try server.connect()
      for _ in 0..<2 {
        let answer = try await client.get("/")
        #expect(answer.status == status)
        #expect(answer["Content-Length"] == nil)
      }
    }
  }

  @Test func streamsInChunks() async throws {
    try await withServer(handler: { exchange in
      try await exchange.startStream(.ok, fields: ["Content-Type": "text/plain"])
      for piece in ["a", "", "bc"] { try await exchange.write(Array(piece.utf8)) }
    }) { server in
      let client = try server.connect()
      for _ in 0..<2 { #expect(try await client.get("/").content == "abc") }
    }
  }

  @Test func endsAStreamToHTTP10ByClosing() async throws {
    try await withServer(handler: { exchange in
      try await exchange.startStream(.ok)
      try await exchange.write(Array("abc".utf8))
    }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let answer = try await client.receiveAnswer()
      #expect(answer.content == "abc")
      #expect(answer["Connection"] == "close")
      #expect(answer["Transfer-Encoding"] == nil)
    }
  }

  @Test func keepsHTTP10ConnectionsThatAsk() async throws {
    try await withServer(handler: Self.echo) { server in
      let client = try server.connect()
      for _ in 0..<2 {
        try await client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(try await client.receiveAnswer()["Connection"] == "keep-alive")
      }
      try await client.send("GET / HTTP/1.0\r\n\r\n")
      #expect(try await client.receiveAnswer()["Connection"] == "close")
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func closesWhereTheClientAsks() async throws {
    try await withServer(handler: Self.echo) { server in
      let client = try server.connect()
      #expect(try await client.get("/", fields: "Connection: close\r\n")["Connection"] == "close")
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func answersAHalfClosedClient() async throws {
    try await withServer(handler: Self.echo) { server in
      let client = try server.connect()
      try await client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi")
      client.halfClose()
      #expect(try await client.receiveAnswer().content == "POST /p hi")
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func sharesConnectionsEvenly() async throws {
    try await withServer(handler: { exchange in
      let loop = UInt(bitPattern: ObjectIdentifier(exchange.connection.loop).hashValue)
      try await exchange.send(.ok, content: Array("\(loop)".utf8))
    }) { server in
      var clients: [TestClient] = []
      var counts: [String: Int] = [:]
      for _ in 0..<8 {
        let client = try server.connect()
        clients.append(client)
        counts[try await client.get("/").content, default: 0] += 1
      }
      #expect(Array(counts.values) == [4, 4])
    }
  }

  @Test func listensOnIPv6() async throws {
    var options = Server.Options()
    (options.host, options.port) = ("::1", 0)
    let address = try Server(options: options, responder: Handler(body: Self.echo)).address
    #expect(address.isIPv6)
    #expect(address.host == "::1")
    #expect(address.isLoopback)
    #expect(address.description == "[::1]:\(address.port)")
  }

  @Test func tellsThePeersAddress() async throws {
    try await withServer(handler: { exchange in
      let address = exchange.peerAddress
      try await exchange.send(.ok, content: Array("\(address.host) \(address.isLoopback)".utf8))
    }) { server in
      let client = try server.connect()
      #expect(try await client.get("/").content == "127.0.0.1 true")
    }
  }

  @Test func refusesAnAddressInUse() async throws {
    try await withServer(handler: Self.echo) { server in
      var options = Server.Options()
      options.port = server.address.port
      #expect(throws: ServerError.self) {
        try Server(options: options, responder: Handler(body: Self.echo))
      }
    }
  }
}
