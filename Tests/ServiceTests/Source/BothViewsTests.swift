import BlockDiff
import Testing

/// /v1/stream and /v1/blocks are two views of one stream.
struct BothViewsTests {
  private static let markdown = ["Content-Type": "text/markdown"]

  static let shared = [
    Conversation(
      "appends of both",
      Turn("POST", "/v1/blocks/a", body: "# A\n", 200, keeps: "t1"),
      Turn(
        "GET", "a", 200, ["Content-Type": "text/markdown", "Stream-Next-Offset": "{t1}"], content: "# A\n"),
      Turn("POST", "a", markdown, body: "b", 204, keeps: "t2"),
      Turn("GET", "/v1/blocks/a", 200, ["Stream-Next-Offset": "{t2}"]),
      Turn("GET", "/v1/blocks/a?from={t1}", 200),
      Turn("GET", "a?offset={t1}", 200, content: "b")),
    Conversation(
      "producers of both",
      Turn("PUT", "a", markdown, 201),
      Turn("POST", "a", markdown.merging(producer(0)) { $1 }, body: "x", 200),
      Turn("POST", "/v1/blocks/a", producer(0), body: "x", 200, ["Producer-Seq": "0"]),
      Turn("POST", "/v1/blocks/a", producer(1), body: "y", 200),
      Turn("POST", "a", markdown.merging(producer(1)) { $1 }, body: "y", 204),
      Turn("GET", "a", 200, content: "xy")),
    Conversation(
      "closure of both",
      Turn("PUT", "a", markdown, body: "x", 201),
      Turn("POST", "/v1/blocks/a", ["Stream-Closed": "true"], body: "", 200, keeps: "t"),
      Turn("GET", "a?offset={t}", 200, ["Stream-Closed": "true"], content: ""),
      Turn("POST", "a", markdown, body: "y", 409, ["Stream-Closed": "true"])),
    Conversation(
      "deletion of both",
      Turn("PUT", "a", markdown, body: "x", 201),
      Turn("DELETE", "/v1/blocks/a", 204),
      Turn("GET", "a", 404),
      Turn("DELETE", "/v1/blocks/a", 404)),
    Conversation(
      "a stream without blocks",
      Turn("PUT", "a", ["Content-Type": "application/json"], body: "1", 201),
      Turn("GET", "/v1/blocks/a", 415),
      Turn("GET", "/v1/blocks/a?live=sse", 415),
      Turn("GET", "/v1/blocks/a?block=e0", 415),
      Turn("GET", "/v1/live?path=a", 415),
      Turn("POST", "/v1/check?stream=a", body: "", 415),
      Turn("POST", "/v1/blocks/a", body: "x", 415),
      Turn("GET", "a", 200, content: "[1]"),
      Turn("PUT", "e", ["Content-Type": "text/event-stream"], 201),
      Turn("GET", "/v1/blocks/e", 415)),
  ]

  private static func producer(_ sequence: Int) -> [String: String] {
    ["Producer-Id": "p", "Producer-Epoch": "0", "Producer-Seq": "\(sequence)"]
  }

  @Test(arguments: shared)
  func isOneStream(conversation: Conversation) async throws {
    try await TestService.run { test in try conversation.run(on: test.connect()) }
  }

  @Test func liveBlocksShowWhatIsAppendedToTheSource() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      _ = try writer.request(
        "PUT", "/v1/stream/a", ["Content-Type": "text/markdown", "Mooring-Open": "think"])
      let reader = try EventReader(test.connect(), "/v1/blocks/a")
      var document: BlockDocument?
      try reader.apply(to: &document) { _, event in event.name == "snapshot" }
      for piece in ["a\n\n", "</think>", "\n\n# B\n", "- c"] {
        _ = try writer.post("/v1/stream/a", piece, Self.markdown)
      }
      _ = try writer.request("POST", "/v1/stream/a", ["Stream-Closed": "true"], body: [])
      try reader.applyAll(to: &document)
      #expect(try document == test.document("a"))
    }
  }

  /// The first diff of an empty stream that was created opens what is open from the start, as that of one which the
  /// append creates.
  @Test func theFirstDiffBeginsWithNothing() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      _ = try client.request(
        "PUT", "/v1/stream/a", ["Content-Type": "text/markdown", "Mooring-Open": "think"])
      let answer = try client.post("/v1/blocks/a", "x")
      let update = try BlockDocument.Update(json: answer.content)
      var document = BlockDocument(incarnation: update.from.incarnation)
      try document.apply(update)
      #expect(try document == test.document("a"))
    }
  }

  @Test func deletionEndsLiveBlocks() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      _ = try writer.post("/v1/blocks/a", "x")
      let reader = try EventReader(test.connect(), "/v1/blocks/a")
      #expect(try reader.next()?.name == "snapshot")
      let poll = try test.connect()
      let tail = try #require(try writer.get("/v1/stream/a")["Stream-Next-Offset"])
      try poll.sendRequest("GET", "/v1/blocks/a?from=\(tail)&wait=30")
      try test.waitForReaders(2, of: "a")
      #expect(try writer.request("DELETE", "/v1/stream/a").status == 204)
      #expect(try reader.next() == nil)
      #expect(try poll.answer().problem == "no-stream")
    }
  }
}
