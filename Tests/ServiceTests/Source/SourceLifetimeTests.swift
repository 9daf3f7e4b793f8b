import BlockDiff
import StreamStore
import Testing

/// Streams that end by themselves (§5.1), by a clock that the test moves.
struct SourceLifetimeTests {
  static let refused: [[String: String]] = [
    ["Stream-TTL": "60", "Stream-Expires-At": "2040-01-01T00:00:00Z"], ["Stream-TTL": "-1"],
    ["Stream-TTL": "+1"], ["Stream-TTL": "01"], ["Stream-TTL": "1.0"], ["Stream-TTL": "1e3"],
    ["Stream-TTL": ""], ["Stream-TTL": "99999999999999999999"], ["Stream-Expires-At": "tomorrow"],
    ["Stream-Expires-At": "2040-13-01T00:00:00Z"],
  ]

  @Test(arguments: refused)
  func refusesWhatIsNoEnd(fields: [String: String]) async throws {
    try await TestService.run { test in
      let answer = try test.connect().request("PUT", "/v1/stream/a", fields)
      #expect(answer.problem == "invalid-value")
      #expect(test.store.count == 0)
    }
  }

  @Test func comparesTheEndOfAStreamThatIsThere() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      for (fields, status) in [
        (["Stream-TTL": "60"], 201), (["Stream-TTL": "60"], 200), (["Stream-TTL": "61"], 409), ([:], 409),
        (["Stream-Expires-At": "2040-01-01T00:00:00Z"], 409),
      ] {
        #expect(try client.request("PUT", "/v1/stream/a", fields).status == status, "\(fields)")
      }
      let end = "2040-01-01T00:00:00Z"
      #expect(try client.request("PUT", "/v1/stream/b", ["Stream-Expires-At": end]).status == 201)
      // The same moment, written in another way.
      let other = "2040-01-01t01:30:00.000+01:30"
      #expect(try client.request("PUT", "/v1/stream/b", ["Stream-Expires-At": other]).status == 200)
    }
  }

  @Test func readsAndWritesKeepAnIdleStreamAndAHeadDoesNot() async throws {
    let clock = ManualClock()
    try await TestService.run(clock: { clock.now }) { test in
      let client = try test.connect()
      let fields = ["Content-Type": "text/plain", "Stream-TTL": "10"]
      let uses: [(String, (String) throws -> Client.Answer)] = [
        ("GET", { try client.get("/v1/stream/\($0)") }),
        ("POST", { try client.post("/v1/stream/\($0)", "x", ["Content-Type": "text/plain"]) }),
        ("blocks", { try client.get("/v1/blocks/\($0)") }),
        ("append", { try client.post("/v1/blocks/\($0)", "x") }),
      ]
      for (name, use) in uses {
        _ = try client.request("PUT", "/v1/stream/\(name)", fields)
        for _ in 0..<3 {
          clock.advance(milliseconds: 9_999)
          #expect(try use(name).status < 300, "\(name)")
        }
        clock.advance(milliseconds: 9_999)
        #expect(try client.request("HEAD", "/v1/stream/\(name)").status == 200)
        clock.advance(milliseconds: 1)
        #expect(try client.request("HEAD", "/v1/stream/\(name)").status == 404, "\(name)")
        #expect(try client.post("/v1/stream/\(name)", "x", fields).status == 404)
      }
      #expect(test.store.count == 0)
    }
  }

  @Test func aMomentIsNotMovedByUse() async throws {
    let clock = ManualClock()
    try await TestService.run(clock: { clock.now }) { test in
      let client = try test.connect()
      // The clock stands at 2027-01-15T08:00:00Z.
      _ = try client.request("PUT", "/v1/stream/a", ["Stream-Expires-At": "2027-01-15T08:00:10Z"])
      #expect(try client.get("/v1/stream/a")["Cache-Control"] == "public, max-age=10")
      clock.advance(milliseconds: 9_999)
      #expect(try client.get("/v1/stream/a").status == 200)
      clock.advance(milliseconds: 1)
      #expect(try client.get("/v1/stream/a").status == 404)
      #expect(try client.request("PUT", "/v1/stream/a").status == 201)
    }
  }

  @Test func aReaderKeepsAnIdleStream() async throws {
    let clock = ManualClock()
    try await TestService.run(clock: { clock.now }) { test in
      let client = try test.connect()
      _ = try client.request("PUT", "/v1/stream/a", ["Stream-TTL": "10"])
      do {
        let reader = try EventReader(test.connect(), "/v1/stream/a?offset=-1&live=sse")
        #expect(try reader.next()?.name == "control")
        clock.advance(milliseconds: 60_000)
        #expect(try client.request("HEAD", "/v1/stream/a").status == 200)
      }
      try test.waitForReaders(0, of: "a")
      // Its time began when the reader left.
      clock.advance(milliseconds: 9_999)
      #expect(try client.request("HEAD", "/v1/stream/a").status == 200)
      clock.advance(milliseconds: 1)
      #expect(try client.request("HEAD", "/v1/stream/a").status == 404)
    }
  }

  @Test func aForkHasTheSourcesTimeUnlessItSaysAnother() async throws {
    let clock = ManualClock()
    try await TestService.run(clock: { clock.now }) { test in
      let client = try test.connect()
      _ = try client.request(
        "PUT", "/v1/stream/a", ["Content-Type": "text/plain", "Stream-TTL": "10"], body: Array("one".utf8))
      let from = ["Stream-Forked-From": "/v1/stream/a"]
      let inherited = try client.request("PUT", "/v1/stream/f", from)
      #expect(inherited.status == 201 && inherited["Stream-TTL"] == "10")
      let own = try client.request("PUT", "/v1/stream/g", from.merging(["Stream-TTL": "100"]) { $1 })
      #expect(own["Stream-TTL"] == "100")
      clock.advance(milliseconds: 10_000)
      // The source's time is over; it is kept for the fork that lives longer.
      #expect(try client.request("HEAD", "/v1/stream/f").status == 404)
      #expect(try client.request("HEAD", "/v1/stream/a").status == 410)
      #expect(try client.get("/v1/stream/g").text == "one")
      clock.advance(milliseconds: 100_000)
      #expect(try client.request("HEAD", "/v1/stream/g").status == 404)
      #expect(try client.request("HEAD", "/v1/stream/a").status == 404)
      #expect(test.store.count == 0 && test.store.totalBytes == 0)
    }
  }
}
