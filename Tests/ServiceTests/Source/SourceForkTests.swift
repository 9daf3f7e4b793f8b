import BlockDiff
import StreamStore
import Testing

/// Forks of /v1/stream (§4.2).
struct SourceForkTests {
  private static let text = ["Content-Type": "text/plain"]

  private static func fork(
    of path: String = "a", at offset: String? = nil, sub: String? = nil, _ others: [String: String] = [:]
  ) -> [String: String] {
    var fields = others
    fields["Stream-Forked-From"] = "/v1/stream/" + path
    fields["Stream-Fork-Offset"] = offset
    fields["Stream-Fork-Sub-Offset"] = sub
    return fields
  }

  static let creation = [
    Conversation(
      "at the tail; both go on by themselves",
      Turn("PUT", "a", text, body: "one", 201, keeps: "t"),
      Turn("PUT", "f", fork(), 201, ["Content-Type": "text/plain", "Stream-Next-Offset": "{t}"]),
      Turn("POST", "a", text, body: " two", 204),
      Turn("POST", "f", text, body: " half", 204),
      Turn("GET", "a", 200, content: "one two"),
      Turn("GET", "f", 200, ["Stream-Forked-From": ""], content: "one half"),
      Turn("GET", "f?offset={t}", 200, content: " half")),
    Conversation(
      "at an offset, with content, closed",
      Turn("PUT", "a", text, body: "one", 201, keeps: "t"),
      Turn("POST", "a", text, body: "two", 204),
      Turn("PUT", "f", fork(at: "{t}", ["Stream-Closed": "true"]), body: "!", 201, ["Stream-Closed": "true"]),
      Turn("GET", "f", 200, ["Stream-Closed": "true"], content: "one!")),
    Conversation(
      "of a closed stream it is open",
      Turn("PUT", "a", ["Content-Type": "text/plain", "Stream-Closed": "true"], body: "all", 201),
      Turn("PUT", "f", fork(), 201, ["Stream-Closed": ""]),
      Turn("POST", "f", text, body: " and more", 204),
      Turn("GET", "f", 200, content: "all and more")),
    Conversation(
      "bytes past an offset",
      Turn("PUT", "a", text, body: "first", 201, keeps: "t"),
      Turn("POST", "a", text, body: "second", 204),
      Turn("PUT", "f", fork(at: "{t}", sub: "3"), 201),
      Turn("GET", "f", 200, content: "firstsec"),
      Turn("PUT", "f", fork(at: "{t}", sub: "3"), 200),
      Turn("PUT", "f", fork(at: "{t}", sub: "2"), 409),
      Turn("PUT", "f", fork(at: "{t}", sub: "9"), 409),
      Turn("PUT", "g", fork(at: "{t}", sub: "7"), 400),
      Turn("PUT", "g", fork(sub: "1"), 400)),
    Conversation(
      "messages past an offset",
      Turn("PUT", "a", ["Content-Type": "application/json"], body: "[1]", 201, keeps: "t"),
      Turn("POST", "a", ["Content-Type": "application/json"], body: "[2,[3],4]", 204),
      Turn("PUT", "f", fork(at: "{t}", sub: "2"), body: "5", 201),
      Turn("GET", "f", 200, content: "[1,2,[3],5]"),
      Turn("PUT", "f", fork(at: "{t}", sub: "2"), 200),
      Turn("PUT", "f", fork(at: "{t}", sub: "1"), 409),
      Turn("PUT", "g", fork(at: "{t}", sub: "4"), 400)),
    Conversation(
      "what is refused",
      Turn("PUT", "f", fork(of: "nothing"), 404),
      Turn("PUT", "a", text, body: "one", 201),
      Turn("PUT", "f", fork(["Content-Type": "application/json"]), 409),
      Turn("PUT", "f", fork(at: "9999999999999999_9999999999999999"), 400),
      Turn("PUT", "f", fork(at: "9999999999999999_0000000000000001"), 400),
      Turn("PUT", "f", fork(at: "x"), 400),
      Turn("PUT", "f", fork(sub: "-1"), 400),
      Turn("PUT", "f", fork(sub: "01"), 400),
      Turn("PUT", "f", ["Stream-Fork-Sub-Offset": "0"], 400),
      Turn("PUT", "f", ["Stream-Fork-Offset": "-1"], 400),
      Turn("PUT", "f", ["Stream-Forked-From": "elsewhere"], 400),
      Turn("PUT", "f", fork(of: "f"), 404),
      Turn("HEAD", "f", 404),
      // None of them is a fork that keeps its source.
      Turn("DELETE", "a", 204),
      Turn("HEAD", "a", 404)),
    Conversation(
      "again, and otherwise",
      Turn("PUT", "a", text, body: "one", 201, keeps: "t"),
      Turn("PUT", "b", text, 201),
      Turn("PUT", "f", fork(at: "{t}"), 201),
      Turn("PUT", "f", fork(at: "{t}"), 200),
      Turn("PUT", "f", fork(), 200),
      Turn("PUT", "f", fork(at: "0000000000000000_0000000000000000"), 409),
      Turn("PUT", "f", fork(of: "b"), 409),
      Turn("PUT", "f", text, 409),
      Turn("PUT", "b", fork(), 409)),
    Conversation(
      "writers are the fork's own",
      Turn("PUT", "a", text, 201),
      Turn("POST", "a", text.merging(producer(3)) { $1 }, body: "x", 409),
      Turn("POST", "a", text.merging(producer(0)) { $1 }, body: "x", 200),
      Turn("PUT", "f", fork(), 201),
      Turn("POST", "f", text.merging(producer(1)) { $1 }, body: "y", 409),
      Turn("POST", "f", text.merging(producer(0)) { $1 }, body: "y", 200),
      Turn("GET", "f", 200, content: "xy")),
  ]

  private static func producer(_ sequence: Int) -> [String: String] {
    ["Producer-Id": "p", "Producer-Epoch": "0", "Producer-Seq": "\(sequence)"]
  }

  static let deletion = [
    Conversation(
      "a source with forks keeps its path",
      Turn("PUT", "a", text, body: "one", 201),
      Turn("PUT", "f", fork(), body: " more", 201),
      Turn("DELETE", "a", 204),
      Turn("GET", "a", 410), Turn("HEAD", "a", 410), Turn("DELETE", "a", 410),
      Turn("POST", "a", text, body: "x", 410),
      Turn("GET", "/v1/blocks/a", 410), Turn("POST", "/v1/blocks/a", body: "x", 410),
      Turn("PUT", "a", text, 409),
      Turn("PUT", "g", fork(), 409),
      Turn("PUT", "f", fork(), 200),
      Turn("GET", "f", 200, content: "one more"),
      Turn("DELETE", "f", 204),
      Turn("GET", "a", 404),
      Turn("PUT", "a", text, 201)),
    Conversation(
      "three levels, from the oldest",
      Turn("PUT", "a", text, body: "1", 201),
      Turn("PUT", "b", fork(), body: "2", 201),
      Turn("PUT", "c", fork(of: "b"), body: "3", 201),
      Turn("DELETE", "a", 204), Turn("DELETE", "b", 204),
      Turn("GET", "c", 200, content: "123"),
      Turn("HEAD", "a", 410), Turn("HEAD", "b", 410),
      Turn("DELETE", "c", 204),
      Turn("HEAD", "a", 404), Turn("HEAD", "b", 404), Turn("HEAD", "c", 404)),
    Conversation(
      "two forks, one after the other",
      Turn("PUT", "a", text, body: "1", 201),
      Turn("PUT", "b", fork(), 201), Turn("PUT", "c", fork(), 201),
      Turn("DELETE", "b", 204), Turn("DELETE", "a", 204),
      Turn("HEAD", "a", 410),
      Turn("DELETE", "c", 204),
      Turn("HEAD", "a", 404)),
  ]

  @Test(arguments: creation + deletion)
  func answersAsTheProtocolSays(conversation: Conversation) async throws {
    try await TestService.run { test in
      let client = try test.connect()
      try conversation.run(on: client)
      for path in ["a", "b", "c", "f", "g"] { _ = try client.request("DELETE", "/v1/stream/\(path)") }
      #expect(test.store.count == 0 && test.store.totalBytes == 0)
    }
  }

  @Test func aLongPollOfAForkSeesOnlyTheFork() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      _ = try client.request("PUT", "/v1/stream/a", Self.text, body: Array("one".utf8))
      let forked = try client.request("PUT", "/v1/stream/f", Self.fork())
      let tail = try #require(forked["Stream-Next-Offset"])
      let reader = try test.connect()
      try reader.sendRequest("GET", "/v1/stream/f?offset=\(tail)&live=long-poll")
      try test.waitForReaders(1, of: "f")
      _ = try client.post("/v1/stream/a", "not this", Self.text)
      _ = try client.post("/v1/stream/f", "this", Self.text)
      #expect(try reader.answer().text == "this")
    }
  }

  /// Live readers of both see what is before the fork with the same IDs, and each its own stream after it.
  @Test(arguments: [0, 5, 12])
  func blocksBeforeTheForkAreTheSame(appendedLater: Int) async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let markdown = ["Content-Type": "text/markdown"]
      let before = "# Trip\n\nPack:\n\n- socks\n- ma"
      let made = try client.request("PUT", "/v1/stream/a", markdown, body: Array(before.utf8))
      let offset = try #require(made["Stream-Next-Offset"])
      var readers = [try EventReader(test.connect(), "/v1/blocks/a")]
      var documents: [BlockDocument?] = [nil, nil]
      try readers[0].apply(to: &documents[0]) { _, event in event.name == "snapshot" }
      _ = try client.post("/v1/stream/a", String(repeating: "p", count: appendedLater) + "x", markdown)
      #expect(try client.request("PUT", "/v1/stream/f", Self.fork(at: offset)).status == 201)
      readers.append(try EventReader(test.connect(), "/v1/blocks/f"))
      try readers[1].apply(to: &documents[1]) { _, event in event.name == "snapshot" }
      let forked = try #require(documents[1])
      for (path, ends) in [("a", ["\n\nnot", " this"]), ("f", ["p\n", "- hat\n\n# Go"])] {
        for piece in ends { _ = try client.post("/v1/stream/\(path)", piece, markdown) }
        _ = try client.request("POST", "/v1/blocks/\(path)", ["Stream-Closed": "true"], body: [])
      }
      for index in 0..<2 { try readers[index].applyAll(to: &documents[index]) }
      #expect(try documents[0] == test.document("a"))
      #expect(try documents[1] == test.document("f"))
      // What the source's reader has at the fork is the fork's first state, token included.
      let at = try client.get("/v1/blocks/a?at=\(offset)")
      #expect(try BlockDocument(snapshot: at.content) == forked)
      #expect(forked.at.description == offset)
    }
  }
}
