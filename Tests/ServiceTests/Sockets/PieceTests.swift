import BlockDiff
import Markup
import Testing

/// `POST` with `Accept: application/x-ndjson`, over sockets.
struct PieceTests {
  private static let head =
    "POST /v1/blocks/a HTTP/1.1\r\nHost: test\r\nAccept: application/x-ndjson\r\n"

  private static func lines(_ answer: Client.Answer) -> [[UInt8]] {
    answer.content.split(separator: 0x0A).map { Array($0) }
  }

  @Test(arguments: [true, false])
  func answersEachPieceWhileTheRequestStillSends(closes: Bool) async throws {
    try await TestService.run { test in
      let client = try test.connect()
      try client.send(
        Self.head + (closes ? "Stream-Closed: true\r\n" : "") + "Transfer-Encoding: chunked\r\n\r\n")
      var document: BlockDocument?
      for (index, piece) in ["# A\n", "\nb", "c\n\n- d", "\n"].enumerated() {
        try client.sendChunk(Array(piece.utf8))
        if index == 0 {
          let head = try client.head()
          #expect(head.status == 200 && head["Content-Type"] == "application/x-ndjson")
        }
        // The line is there before the next piece is sent.
        let line = try #require(try client.chunk())
        #expect(line.last == 0x0A)
        let update = try BlockDocument.Update(json: line)
        if index == 0 { document = BlockDocument(incarnation: update.from.incarnation) }
        try document?.apply(update)
      }
      try client.sendChunk([])
      let last = try #require(try client.chunk())
      #expect(try client.chunk() == nil)
      #expect(try JSONReader.value(of: last)["finished"] == .boolean(closes))
      try document?.apply(diff: last)
      #expect(document?.isFinished == closes)
      #expect(try test.document("a") == document)
    }
  }

  @Test func eachChunkIsAPieceHoweverTheyArrive() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      var body = ""
      for _ in 0..<50 { body += "2\r\na \r\n" }
      try client.send(Self.head + "Transfer-Encoding: chunked\r\n\r\n" + body + "0\r\n\r\n")
      let answer = try client.answer()
      #expect(Self.lines(answer).count == 51)
      // The connection goes on.
      #expect(try client.get("/livez").status == 200)
    }
  }

  @Test func takesContentOfKnownLength() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let answer = try client.post(
        "/v1/blocks/a", "# A\n", ["Accept": "application/x-ndjson", "Expect": "100-continue"])
      #expect(answer.status == 200)
      #expect(Self.lines(answer).count == 2)
    }
  }

  @Test func finishesOnlyWithoutContent() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let accept = ["Accept": "application/x-ndjson"]
      #expect(try client.request("POST", "/v1/blocks/a", accept, body: []).problem == "empty-append")
      #expect(try client.post("/v1/blocks/a", "a", accept).status == 200)
      let closing = accept.merging(["Stream-Closed": "true"]) { $1 }
      let answer = try client.request("POST", "/v1/blocks/a", closing, body: [])
      #expect(Self.lines(answer).count == 1)
      #expect(try answer.json()["finished"] == .boolean(true))
      #expect(try test.document("a").isFinished)
    }
  }

  @Test func isRefusedWithAStatusBeforeTheFirstLine() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let accept = ["Accept": "application/x-ndjson"]
      _ = try client.post("/v1/blocks/a", "a", ["Stream-Closed": "true"])
      #expect(try client.post("/v1/blocks/a", "b", accept).problem == "stream-closed")
      let producer = ["Producer-Id": "p", "Producer-Epoch": "0", "Producer-Seq": "0"]
      let refused = try client.post("/v1/blocks/b", "b", accept.merging(producer) { $1 })
      #expect(refused.status == 400 && refused.problem == "invalid-value")
    }
  }

  @Test func isRefusedInItsLastLineLater() async throws {
    try await TestService.run(["streams.maxBytes": "1KiB"]) { test in
      let client = try test.connect()
      try client.send(Self.head + "Transfer-Encoding: chunked\r\n\r\n")
      try client.sendChunk(Array(repeating: 0x61, count: 1000))
      #expect(try client.head().status == 200)
      _ = try client.chunk()
      try client.sendChunk(Array(repeating: 0x61, count: 100))
      let problem = try JSONReader.value(of: try #require(try client.chunk()))
      #expect(problem["type"]?.string == "/problems/stream-full")
      #expect(try client.chunk() == nil)
      #expect(try test.document("a").at.position.value == 1000)
    }
  }

  @Test func whatACutRequestSentIsKept() async throws {
    try await TestService.run { test in
      do {
        let client = try test.connect()
        try client.send(Self.head + "Transfer-Encoding: chunked\r\n\r\n")
        try client.sendChunk(Array("abc".utf8))
        #expect(try client.head().status == 200)
        _ = try client.chunk()
      }
      #expect(try test.document("a").at.position.value == 3)
    }
  }
}
