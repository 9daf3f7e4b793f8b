import BlockDiff
import Testing

/// `POST /v1/check` over sockets.
struct CheckTests {
  private static let document = "# Trip\n\nPack `these`:\n\n- socks\n- map | a\n\n|a|b|\n|-|-|\n|1|2|\n"

  @Test func checksADocument() async throws {
    try await TestService.run { test in
      let answer = try test.connect().post("/v1/check?prefixes=all&seed=7", Self.document)
      #expect(answer.status == 200 && answer["Content-Type"] == "application/json")
      let report = try answer.json()
      #expect(report["ok"]?.boolean == true)
      #expect(report["bytes"]?.integer == Self.document.utf8.count)
      #expect(report["prefixes"]?.integer == Self.document.utf8.count + 1)
      #expect(report["violations"]?.array?.isEmpty == true)
      #expect(report["splits"]?["lines"] != nil && report["elapsedMs"] != nil)
    }
  }

  @Test func checksAStream() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      _ = try client.post("/v1/blocks/trip", Self.document)
      let report = try client.post("/v1/check?stream=trip&splits=lines", "").json()
      #expect(report["ok"]?.boolean == true && report["bytes"]?.integer == Self.document.utf8.count)
      // As it came, in two appends.
      _ = try client.post("/v1/blocks/trip", "and more")
      for query in ["stream=trip", "stream=trip&splits=recorded", "stream=trip&splits=lines,recorded"] {
        let report = try client.post("/v1/check?\(query)", "").json()
        #expect(report["ok"]?.boolean == true)
        #expect(report["splits"]?["recorded"]?.integer == 2, "\(query)")
      }
      #expect(try client.post("/v1/check?splits=recorded", "a").problem == "invalid-value")
      #expect(try client.post("/v1/check?stream=none", "").status == 404)
      #expect(try client.post("/v1/check?stream=trip&dialect=gfm", "").status == 400)
    }
  }

  @Test func tellsHowFarItIs() async throws {
    try await TestService.run { test in
      let answer = try test.connect().post("/v1/check", Self.document, ["Accept": "text/event-stream"])
      #expect(answer["Content-Type"] == "text/event-stream")
      let text = String(decoding: answer.content, as: UTF8.self)
      let events = text.split(separator: "\n").filter { $0.hasPrefix("event: ") }
      #expect(events.last == "event: report")
      #expect((2...101).contains(events.count), "\(events.count) events")
      #expect(text.contains("\"ok\":true"))
    }
  }

  @Test(arguments: [
    ("?splits=words", "splits"), ("?prefixes=some", "prefixes"), ("?seed=x", "seed"),
    ("?dialect=x", "dialect"),
    ("?seeds=1", "seeds"),
  ])
  func refusesWhatItDoesNotKnow(_ query: String, _ parameter: String) async throws {
    try await TestService.run { test in
      let answer = try test.connect().post("/v1/check\(query)", "a")
      #expect(answer.status == 400)
      let refused = try answer.json()["parameter"]?.string
      #expect(refused == ByteString(parameter))
    }
  }

  @Test func hasLimits() async throws {
    try await TestService.run(["checks.maxBytes": "1KiB"]) { test in
      let answer = try test.connect().post("/v1/check", String(repeating: "a", count: 1_025))
      #expect(answer.status == 413)
      let client = try test.connect()
      _ = try client.post("/v1/blocks/long", String(repeating: "a", count: 1_025))
      #expect(try client.post("/v1/check?stream=long", "").status == 413)
      #expect(try test.connect().get("/v1/check").status == 405)
    }
    try await TestService.run(["checks.maxConcurrent": "0"]) { test in
      let answer = try test.connect().post("/v1/check", "a")
      #expect(answer.status == 404)
    }
  }

  @Test func runsSoManyAtATimeAndEndsWithItsReader() async throws {
    // Long enough that nobody waits for its end.
    let long = String(repeating: "- a *b* `c`\n\n  d\n", count: 12_000)
    try await TestService.run(["checks.maxConcurrent": "1"]) { test in
      do {
        let first = try test.connect()
        try first.sendRequest("POST", "/v1/check", ["Accept": "text/event-stream"], body: Array(long.utf8))
        // Its head shows that it runs.
        let status = try first.head().status
        #expect(status == 200)
        let second = try test.connect().post("/v1/check", "a")
        #expect(second.status == 503 && second["Retry-After"] != nil)
        first.halfClose()
      }
      // The reader has left: the place is free long before the check would have ended.
      try test.wait("a place for a check") {
        (try? test.connect().post("/v1/check", "a").status) == 200
      }
    }
  }
}
