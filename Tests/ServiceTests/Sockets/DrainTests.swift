import BlockDiff
import HTTPServer
import Markup
import StreamStore
import Testing

/// Shutting down, over sockets.
struct DrainTests {
  /// With one loop, what was sent first has been read when what was sent later is answered.
  private static let oneLoop = ["http.loops": "1"]

  @Test func readersEndProperlyAndPollsAreAnswered() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      let tail = try #require(try writer.post("/v1/blocks/a", "abc")["Stream-Next-Offset"])
      let events = try EventReader(test.connect(), "/v1/blocks/a")
      let poll = try test.connect()
      try poll.sendRequest("GET", "/v1/blocks/a?from=\(tail)&wait=60")
      try test.waitForReaders(2, of: "a")
      test.server.shutdown(grace: .seconds(30))
      var document: BlockDocument?
      // The response ends as responses do, which tells the client that it is whole.
      #expect(try events.apply(to: &document) { _, _ in false } == nil)
      #expect(document?.at.description == tail)
      let answer = try poll.answer()
      #expect(answer.status == 200 && answer["Connection"] == "close")
      #expect(try writer.isAtEnd())
      #expect(throws: Client.Failure.self) { try test.connect().get("/livez") }
    }
  }

  @Test func appendsUnderWayAreFinished() async throws {
    try await TestService.run(Self.oneLoop) { test in
      let pieces = try test.connect()
      try pieces.send(
        """
        POST /v1/blocks/a HTTP/1.1\r\nHost: test\r\nAccept: application/x-ndjson\r\nTransfer-Encoding: \
        chunked\r\n\r\n
        """)
      try pieces.sendChunk(Array("abc".utf8))
      #expect(try pieces.head().status == 200)
      _ = try pieces.chunk()
      let whole = try test.connect()
      try whole.sendRequest("POST", "/v1/blocks/b", ["Content-Length": "6"])
      try whole.send("abc")
      // Both are being handled: a request on each connection has been answered or is being read.
      try test.wait("stream a") { test.store.count == 1 }
      let watcher = try EventReader(test.connect(), "/v1/blocks/a")
      test.server.shutdown(grace: .seconds(30))
      while try watcher.next() != nil {}

      try pieces.sendChunk(Array("def".utf8))
      #expect(try BlockDocument.Update(json: #require(try pieces.chunk())).to.position.value == 6)
      try pieces.sendChunk([])
      #expect(try JSONReader.value(of: #require(try pieces.chunk()))["finished"] == .boolean(false))
      #expect(try pieces.chunk() == nil)
      try whole.send("def")
      #expect(try whole.answer().status == 200)
      #expect(try whole.isAtEnd())
    }
  }

  @Test func isNotReadyAnyMore() async throws {
    try await TestService.run(Self.oneLoop) { test in
      _ = try test.connect().post("/v1/blocks/a", "abc")
      // A connection on which a request is being sent stays open while the server drains.
      let client = try test.connect()
      try client.send("GET /readyz HTTP/1.1\r\nHost: te")
      let watcher = try EventReader(test.connect(), "/v1/blocks/a")
      _ = try watcher.next()
      test.server.shutdown(grace: .seconds(30))
      while try watcher.next() != nil {}
      try client.send("st\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.status == 503 && answer.problem == "draining" && answer["Retry-After"] != nil)
    }
  }
}
