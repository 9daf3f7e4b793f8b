import StreamStore
import Testing

/// Creation, appends and closure on /v1/stream (Durable Streams 1.0 §5.1 to §5.4).
struct SourceWritingTests {
  private static let text = ["Content-Type": "text/plain"]
  private static let json = ["Content-Type": "application/json"]

  private static func producer(_ epoch: String, _ sequence: String, id: String = "p") -> [String: String] {
    ["Content-Type": "text/plain", "Producer-Id": id, "Producer-Epoch": epoch, "Producer-Seq": sequence]
  }

  static let creation = [
    Conversation(
      "an empty stream, twice",
      Turn("PUT", "a", text, 201, ["Content-Type": "text/plain", "Stream-Closed": ""], keeps: "t"),
      Turn("PUT", "a", text, 200, ["Stream-Next-Offset": "{t}", "Location": ""]),
      Turn("GET", "a", 200, ["Stream-Next-Offset": "{t}", "Stream-Up-To-Date": "true"], content: "")),
    Conversation(
      "a stream with content; the second time it is not written again",
      Turn("PUT", "a", text, body: "one", 201, keeps: "t"),
      Turn("PUT", "a", text, body: "one", 200, ["Stream-Next-Offset": "{t}"]),
      Turn("GET", "a", 200, content: "one")),
    Conversation(
      "content types are compared without case and parameters, and given back as they came",
      Turn("PUT", "a", ["Content-Type": "Text/Plain; charset=UTF-8"], 201),
      Turn("PUT", "a", text, 200, ["Content-Type": "Text/Plain; charset=UTF-8"]),
      Turn("POST", "a", ["Content-Type": "TEXT/PLAIN"], body: "x", 204),
      Turn("GET", "a", 200, ["Content-Type": "Text/Plain; charset=UTF-8"], content: "x")),
    Conversation(
      "no content type",
      Turn("PUT", "a", 201, ["Content-Type": "application/octet-stream"]),
      Turn("PUT", "a", text, 409)),
    Conversation(
      "another type",
      Turn("PUT", "a", text, 201),
      Turn("PUT", "a", json, 409),
      Turn("PUT", "a", 409)),
    Conversation(
      "closed at once",
      Turn(
        "PUT", "a", ["Content-Type": "text/plain", "Stream-Closed": "TRUE"], body: "all", 201,
        ["Stream-Closed": "true"]),
      Turn("PUT", "a", ["Content-Type": "text/plain", "Stream-Closed": "true"], 200),
      Turn("PUT", "a", text, 409),
      Turn("GET", "a", 200, ["Stream-Closed": "true"], content: "all")),
    Conversation(
      "what is not true leaves a stream open",
      Turn("PUT", "a", ["Content-Type": "text/plain", "Stream-Closed": "yes"], 201, ["Stream-Closed": ""]),
      Turn("POST", "a", ["Content-Type": "text/plain", "Stream-Closed": "false"], body: "x", 204),
      Turn("PUT", "a", ["Content-Type": "text/plain", "Stream-Closed": "true"], 409)),
    Conversation(
      "Mooring's fields",
      Turn("PUT", "a", ["Content-Type": "text/markdown", "Mooring-Dialect": "gfm"], 201),
      Turn("PUT", "a", ["Content-Type": "text/markdown", "Mooring-Dialect": "gfm"], 200),
      Turn("PUT", "a", ["Content-Type": "text/markdown", "Mooring-Dialect": "chat"], 409),
      Turn("PUT", "b", ["Content-Type": "text/markdown", "Mooring-Source": "openai-chat"], 400)),
    Conversation("the reserved prefix", Turn("PUT", "__ds/subscriptions/a", text, 404)),
  ]

  static let appends = [
    Conversation(
      "appends move the tail",
      Turn("PUT", "a", text, 201, keeps: "t0"),
      Turn("POST", "a", text, body: "one", 204, keeps: "t1"),
      Turn("POST", "a", text, body: "two", 204, keeps: "t2"),
      Turn("GET", "a?offset={t1}", 200, ["Stream-Next-Offset": "{t2}"], content: "two"),
      Turn("GET", "a?offset={t0}", 200, content: "onetwo")),
    Conversation("no stream", Turn("POST", "a", text, body: "x", 404)),
    Conversation(
      "no content, no type, another type",
      Turn("PUT", "a", text, 201),
      Turn("POST", "a", text, body: "", 400),
      Turn("POST", "a", body: "x", 400),
      Turn("POST", "a", json, body: "1", 409)),
    Conversation(
      "Stream-Seq is compared as bytes",
      Turn("PUT", "a", text, 201),
      Turn("POST", "a", ["Content-Type": "text/plain", "Stream-Seq": "09"], body: "x", 204),
      Turn("POST", "a", ["Content-Type": "text/plain", "Stream-Seq": "10"], body: "x", 204),
      Turn("POST", "a", ["Content-Type": "text/plain", "Stream-Seq": "10"], body: "x", 409),
      Turn("POST", "a", ["Content-Type": "text/plain", "Stream-Seq": "a"], body: "x", 204),
      Turn("POST", "a", ["Content-Type": "text/plain", "Stream-Seq": "B"], body: "x", 409)),
    Conversation(
      "compare and set",
      Turn("PUT", "a", text, 201, keeps: "t0"),
      Turn(
        "POST", "a", ["Content-Type": "text/plain", "Stream-Expected-Offset": "{t0}"], body: "x", 204,
        keeps: "t1"),
      Turn(
        "POST", "a", ["Content-Type": "text/plain", "Stream-Expected-Offset": "{t0}"], body: "y", 412,
        ["Stream-Next-Offset": "{t1}"]),
      Turn("GET", "a", 200, content: "x")),
    Conversation(
      "closing",
      Turn("PUT", "a", text, 201),
      Turn("POST", "a", text, body: "x", 204, ["Stream-Closed": ""], keeps: "t"),
      Turn(
        "POST", "a", ["Stream-Closed": "true", "Content-Type": "image/png"], body: "", 204,
        ["Stream-Closed": "true", "Stream-Next-Offset": "{t}"]),
      Turn("POST", "a", ["Stream-Closed": "true"], body: "", 204, ["Stream-Closed": "true"]),
      Turn("POST", "a", text, body: "y", 409, ["Stream-Closed": "true", "Stream-Next-Offset": "{t}"]),
      Turn(
        "POST", "a", ["Stream-Closed": "true", "Content-Type": "text/plain"], body: "y", 409,
        ["Stream-Closed": "true"]),
      Turn("POST", "a", body: "y", 409, ["Stream-Closed": "true"]),
      Turn("HEAD", "a", 200, ["Stream-Closed": "true", "Stream-Next-Offset": "{t}"])),
    Conversation(
      "closing with the last bytes",
      Turn("PUT", "a", text, body: "one ", 201),
      Turn(
        "POST", "a", ["Stream-Closed": "true", "Content-Type": "text/plain"], body: "two", 204,
        ["Stream-Closed": "true"]),
      Turn("GET", "a", 200, ["Stream-Closed": "true"], content: "one two")),
    Conversation(
      "deleting",
      Turn("DELETE", "a", 404),
      Turn("PUT", "a", text, body: "old", 201, keeps: "old"),
      Turn("DELETE", "a", 204),
      Turn("GET", "a", 404),
      Turn("HEAD", "a", 404),
      Turn("POST", "a", text, body: "x", 404),
      Turn("PUT", "a", text, body: "new one", 201),
      Turn("GET", "a", 200, content: "new one"),
      // A token of the stream that is gone is refused, not trusted.
      Turn("GET", "a?offset={old}", 410)),
  ]

  static let producers = [
    Conversation(
      "in order, and again",
      Turn("PUT", "a", text, 201),
      Turn("POST", "a", producer("0", "0"), body: "a", 200, ["Producer-Epoch": "0", "Producer-Seq": "0"]),
      Turn("POST", "a", producer("0", "1"), body: "b", 200, ["Producer-Seq": "1"]),
      Turn("POST", "a", producer("0", "0"), body: "a", 204, ["Producer-Seq": "1"]),
      Turn("GET", "a", 200, content: "ab")),
    Conversation(
      "epochs",
      Turn("PUT", "a", text, 201),
      Turn("POST", "a", producer("0", "0"), body: "a", 200),
      Turn("POST", "a", producer("1", "1"), body: "b", 400),
      Turn("POST", "a", producer("1", "0"), body: "b", 200),
      Turn("POST", "a", producer("0", "1"), body: "c", 403, ["Producer-Epoch": "1"]),
      Turn("GET", "a", 200, content: "ab")),
    Conversation(
      "a gap",
      Turn("PUT", "a", text, 201),
      Turn("POST", "a", producer("0", "0"), body: "a", 200),
      Turn(
        "POST", "a", producer("0", "2"), body: "b", 409,
        ["Producer-Expected-Seq": "1", "Producer-Received-Seq": "2"])),
    Conversation(
      "malformed",
      Turn("PUT", "a", text, 201),
      Turn("POST", "a", ["Content-Type": "text/plain", "Producer-Id": "p"], body: "a", 400),
      Turn("POST", "a", producer("0", "0", id: ""), body: "a", 400),
      Turn("POST", "a", producer("0", "1.5"), body: "a", 400),
      Turn("POST", "a", producer("-1", "0"), body: "a", 400),
      Turn("POST", "a", producer("0", "9007199254740992"), body: "a", 400)),
    Conversation(
      "closing",
      Turn("PUT", "a", text, 201),
      Turn(
        "POST", "a", producer("0", "0").merging(["Stream-Closed": "true"]) { $1 }, body: "end", 200,
        ["Stream-Closed": "true"]),
      Turn(
        "POST", "a", producer("0", "0").merging(["Stream-Closed": "true"]) { $1 }, body: "end", 204,
        ["Stream-Closed": "true"]),
      Turn("POST", "a", producer("0", "1"), body: "x", 409, ["Stream-Closed": "true"]),
      Turn("POST", "a", producer("0", "0", id: "q"), body: "x", 409, ["Stream-Closed": "true"]),
      Turn("GET", "a", 200, content: "end")),
    Conversation(
      "closing without bytes is no news",
      Turn("PUT", "a", text, 201),
      Turn(
        "POST", "a", producer("0", "0").merging(["Stream-Closed": "true"]) { $1 }, body: "", 204,
        ["Stream-Closed": "true", "Producer-Seq": "0"])),
  ]

  static let messages = [
    Conversation(
      "messages, and arrays of them",
      Turn("PUT", "a", json, body: "[]", 201),
      Turn("GET", "a", 200, ["Content-Type": "application/json"], content: "[]"),
      Turn("POST", "a", json, body: #" {"a" : "x, y"} "#, 204, keeps: "t1"),
      Turn("POST", "a", json, body: "[1, [2, 3]]", 204, keeps: "t2"),
      Turn("POST", "a", json, body: "[[[4]]]", 204),
      Turn("GET", "a", 200, content: #"[{"a":"x, y"},1,[2,3],[[4]]]"#),
      Turn("GET", "a?offset={t1}", 200, content: "[1,[2,3],[[4]]]"),
      Turn("GET", "a?offset={t2}", 200, content: "[[[4]]]"),
      Turn("GET", "a?offset=now", 200, content: "[]")),
    Conversation(
      "what is no JSON, or nothing",
      Turn("PUT", "b", json, body: "{", 400),
      Turn("HEAD", "b", 404),
      Turn("PUT", "a", json, 201),
      Turn("POST", "a", json, body: "[]", 400),
      Turn("POST", "a", json, body: "{a:1}", 400),
      Turn("POST", "a", json, body: "1 2", 400),
      Turn("POST", "a", ["Content-Type": "application/json; charset=utf-8"], body: "1", 204),
      Turn("GET", "a", 200, content: "[1]")),
  ]

  @Test(arguments: creation + appends + producers + messages)
  func answersAsTheProtocolSays(conversation: Conversation) async throws {
    try await TestService.run { test in try conversation.run(on: test.connect()) }
  }

  @Test func namesTheURLOfWhatItCreates() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let created = try client.request("PUT", "/v1/stream/a/b", Self.text)
      #expect(created["Location"] == "http://test/v1/stream/a/b")
      let behindProxy = try client.request("PUT", "/v1/stream/c", ["X-Forwarded-Proto": "https"])
      #expect(behindProxy["Location"] == "https://test/v1/stream/c")
    }
  }

  @Test func givesBackThePlaceOfWhatIsDeleted() async throws {
    try await TestService.run(["streams.maxCount": "2"]) { test in
      let client = try test.connect()
      for round in 0..<3 {
        #expect(try client.request("PUT", "/v1/stream/a\(round)").status == 201)
        #expect(try client.post("/v1/blocks/b\(round)", "x").status == 200)
        #expect(try client.request("PUT", "/v1/stream/c").problem == "overloaded")
        #expect(try client.request("DELETE", "/v1/blocks/a\(round)").status == 204)
        #expect(try client.request("DELETE", "/v1/stream/b\(round)").status == 204)
        #expect(test.store.count == 0 && test.store.totalBytes == 0)
      }
    }
  }
}
