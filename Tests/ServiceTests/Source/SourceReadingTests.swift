import BlockDiff
import Foundation
import Testing

/// Reads of /v1/stream: offsets, chunks, caches, long polls, metadata (§5.5 to §5.7, §8, §10).
struct SourceReadingTests {
  private static let text = ["Content-Type": "text/plain"]

  static let reads = [
    Conversation(
      "sentinels",
      Turn("PUT", "a", text, body: "one", 201, keeps: "t"),
      Turn("GET", "a?offset=-1", 200, ["Stream-Next-Offset": "{t}"], content: "one"),
      Turn("GET", "a?offset=0000000000000000_0000000000000000", 200, content: "one"),
      Turn(
        "GET", "a?offset=now", 200,
        ["Stream-Next-Offset": "{t}", "Stream-Up-To-Date": "true", "Cache-Control": "no-store", "ETag": ""],
        content: ""),
      Turn(
        "GET", "a?offset={t}", 200, ["Stream-Next-Offset": "{t}", "Stream-Up-To-Date": "true"],
        content: "")),
    Conversation(
      "what is no offset",
      Turn("PUT", "a", text, body: "one", 201),
      Turn("GET", "a?offset=", 400),
      Turn("GET", "a?offset=1,2", 400),
      Turn("GET", "a?offset=a%20b", 400),
      Turn("GET", "a?offset=-2", 400),
      Turn("GET", "a?offset=-1&offset=-1", 400),
      Turn("GET", "a?offset=0000000000000001_0000000000000099", 410),
      Turn("GET", "b?offset=now", 404),
      Turn("GET", "a?offset=-1&unknown=1", 200, content: "one")),
    Conversation(
      "live needs an offset, and is one of two",
      Turn("PUT", "a", text, 201),
      Turn("GET", "a?live=long-poll", 400),
      Turn("GET", "a?live=sse", 400),
      Turn("GET", "a?live=true&offset=-1", 400),
      Turn("GET", "b?live=sse&offset=now", 404)),
    Conversation(
      "entity tags tell chunks and closure apart",
      Turn("PUT", "a", text, body: "one", 201, keeps: "t"),
      Turn("POST", "a", ["Stream-Closed": "true"], body: "", 204),
      Turn("GET", "a?offset={t}", 200, ["Stream-Closed": "true"], content: "")),
    Conversation(
      "metadata",
      Turn("PUT", "a", ["Content-Type": "text/plain", "Stream-TTL": "3600"], body: "one", 201, keeps: "t"),
      Turn(
        "HEAD", "a", 200,
        [
          "Stream-Next-Offset": "{t}", "Stream-TTL": "3600", "Content-Type": "text/plain",
          "Cache-Control": "no-store", "Stream-Closed": "",
        ]),
      Turn("PUT", "b", ["Stream-Expires-At": "2040-01-02T03:04:05.5+01:00"], 201),
      Turn("HEAD", "b", 200, ["Stream-Expires-At": "2040-01-02T02:04:05.500Z"])),
    Conversation(
      "what browsers are told",
      Turn(
        "PUT", "a", text, body: "one", 201,
        ["X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "cross-origin"]),
      Turn(
        "GET", "a", 200,
        [
          "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "cross-origin",
          "Cache-Control": "public, max-age=60, stale-while-revalidate=300",
        ]),
      Turn(
        "GET", "b", 404,
        [
          "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "cross-origin",
          "Cache-Control": "no-store",
        ])),
  ]

  @Test(arguments: reads)
  func answersAsTheProtocolSays(conversation: Conversation) async throws {
    try await TestService.run { test in try conversation.run(on: test.connect()) }
  }

  @Test func changesEntityTagsWithBytesAndClosure() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let path = "/v1/stream/a"
      _ = try client.request("PUT", path, Self.text, body: Array("one".utf8))
      let first = try #require(try client.get(path)["ETag"])
      #expect(try client.get(path, ["If-None-Match": first]).status == 304)
      #expect(try client.get(path, ["If-None-Match": "\"other\""]).status == 200)
      _ = try client.post(path, "two", Self.text)
      let second = try client.get(path, ["If-None-Match": first])
      #expect(second.status == 200 && second.text == "onetwo")
      let tag = try #require(second["ETag"])
      _ = try client.request("POST", path, ["Stream-Closed": "true"], body: [])
      let closed = try client.get(path, ["If-None-Match": tag])
      #expect(closed.status == 200 && closed["Stream-Closed"] == "true")
    }
  }

  @Test func readsLongSourcesInChunks() async throws {
    try await TestService.run(["streams.maxReadBytes": "1KiB"]) { test in
      let client = try test.connect()
      let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let path = "/v1/stream/a"
      _ = try client.request("PUT", path, body: bytes)
      _ = try client.request("POST", path, ["Stream-Closed": "true"], body: [])
      var offset = "-1"
      var read: [UInt8] = []
      var chunks = 0
      while true {
        let answer = try client.get("\(path)?offset=\(offset)")
        read += answer.content
        chunks += 1
        let next = try #require(answer["Stream-Next-Offset"])
        #expect(offset == "-1" || next > offset)
        offset = next
        #expect((answer["Stream-Closed"] == "true") == (answer["Stream-Up-To-Date"] == "true"))
        if answer["Stream-Up-To-Date"] == "true" { break }
      }
      #expect(read == bytes)
      #expect(chunks == 5)
    }
  }

  @Test func neverCutsAMessage() async throws {
    try await TestService.run(["streams.maxReadBytes": "1KiB"]) { test in
      let client = try test.connect()
      let path = "/v1/stream/a"
      let json = ["Content-Type": "application/json"]
      let long = #""\#(String(repeating: "long ", count: 900))""#
      _ = try client.request("PUT", path, json, body: Array("[1,\(long),2,3]".utf8))
      var offset = "-1"
      var messages: [JSONValue] = []
      var answers: [Int] = []
      repeat {
        let answer = try client.get("\(path)?offset=\(offset)")
        let array = try #require(try answer.json().array)
        answers.append(array.count)
        messages += array
        offset = try #require(answer["Stream-Next-Offset"])
        if answer["Stream-Up-To-Date"] == "true" { break }
      } while answers.count < 10
      #expect(messages.count == 4 && answers.count > 1)
      // A position within a message was never given, and is refused.
      let inside = String(offset.dropLast(1)) + "1"
      #expect(try client.get("\(path)?offset=\(inside)").problem == "malformed-offset")
      let live = try client.get("\(path)?offset=\(inside)&live=sse")
      #expect(live.problem == "malformed-offset")
      let fork = ["Stream-Forked-From": path, "Stream-Fork-Offset": inside]
      #expect(try client.request("PUT", "/v1/stream/f", fork).problem == "malformed-offset")
    }
  }

  // MARK: - Long poll

  @Test func waitsForWhatComes() async throws {
    try await TestService.run { test in
      let reader = try test.connect()
      let writer = try test.connect()
      let path = "/v1/stream/a"
      let created = try writer.request("PUT", path, Self.text, body: Array("old".utf8))
      let tail = try #require(created["Stream-Next-Offset"])
      let there = try reader.get("\(path)?offset=-1&live=long-poll")
      #expect(there.status == 200 && there.text == "old")
      #expect(there["Stream-Cursor"] != nil && there["Stream-Up-To-Date"] == "true")
      for offset in [tail, "now"] {
        try reader.sendRequest("GET", "\(path)?offset=\(offset)&live=long-poll")
        try test.waitForReaders(1, of: "a")
        let appended = try writer.post(path, "new", Self.text)
        let answer = try reader.answer()
        #expect(answer.status == 200)
        #expect(answer.text.hasSuffix("new"))
        #expect(answer["Stream-Next-Offset"] == appended["Stream-Next-Offset"])
        try test.waitForReaders(0, of: "a")
      }
    }
  }

  @Test func endsALongPollWithTheStreamOrItsTime() async throws {
    try await TestService.run(["streams.longPollTimeout": "1s"]) { test in
      let client = try test.connect()
      let writer = try test.connect()
      let path = "/v1/stream/a"
      let created = try writer.request("PUT", path, Self.text)
      let tail = try #require(created["Stream-Next-Offset"])
      let poll = "\(path)?offset=\(tail)&live=long-poll"
      let silent = try client.get(poll)
      #expect(silent.status == 204 && silent["Stream-Up-To-Date"] == "true")
      #expect(silent["Stream-Next-Offset"] == tail && silent["Stream-Closed"] == nil)
      let cursor = try #require(silent["Stream-Cursor"].flatMap { Int($0) })
      let later = try client.get("\(poll)&cursor=\(cursor + 5)")
      #expect(try #require(later["Stream-Cursor"].flatMap { Int($0) }) > cursor + 5)
      _ = try writer.request("POST", path, ["Stream-Closed": "true"], body: [])
      let closed = try client.get(poll)
      #expect(closed.status == 204 && closed["Stream-Closed"] == "true")
      #expect(closed["Stream-Up-To-Date"] == "true")
    }
  }

  @Test func tellsALongPollThatTheStreamIsDeleted() async throws {
    try await TestService.run { test in
      let reader = try test.connect()
      let writer = try test.connect()
      _ = try writer.request("PUT", "/v1/stream/a", Self.text)
      try reader.sendRequest("GET", "/v1/stream/a?offset=now&live=long-poll")
      try test.waitForReaders(1, of: "a")
      #expect(try writer.request("DELETE", "/v1/stream/a").status == 204)
      #expect(try reader.answer().status == 404)
    }
  }
}
