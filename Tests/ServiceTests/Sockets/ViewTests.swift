import BlockDiff
import Markup
import StreamStore
import Testing

/// `GET /v1/blocks/{path}` without events, `POST /v1/parse`, and health, over sockets.
struct ViewTests {
  private static let trip = "# Trip\n\nPack these:\n\n- socks\n- map"

  @Test func showsEveryShapeWithATag() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      _ = try client.post("/v1/blocks/trip", Self.trip)
      let flat = try client.get("/v1/blocks/trip")
      let token = try #require(try flat.json()["at"]?.string?.description)
      #expect(flat["ETag"] == "\"\(token)\"")
      #expect(flat["Cache-Control"] == "no-cache")
      #expect(try BlockDocument(snapshot: flat.content).blocks.count == 7)
      #expect(try client.get("/v1/blocks/trip?shape=flat").content == flat.content)
      let tree = try client.get("/v1/blocks/trip?shape=tree")
      #expect(try tree.json()["blocks"]?.array?.count == 3)
      #expect(try client.get("/v1/blocks/trip?shape=mdast").json()["root"]?["type"]?.string == "root")

      let same = try client.get("/v1/blocks/trip", ["If-None-Match": "\"\(token)\""])
      #expect(same.status == 304 && same["ETag"] == flat["ETag"] && same.content.isEmpty)
      let head = try client.request("HEAD", "/v1/blocks/trip")
      #expect(head.status == 200 && head["Content-Length"] == "\(flat.content.count)")
      _ = try client.post("/v1/blocks/trip", "s")
      #expect(try client.get("/v1/blocks/trip", ["If-None-Match": "\"\(token)\""]).status == 200)
    }
  }

  @Test func givesTheDiffFromEveryPosition() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let source = Array(Self.trip.utf8)
      var states: [BlockDocument] = []
      for byte in source {
        _ = try client.request("POST", "/v1/blocks/trip", [:], body: [byte])
        states.append(try BlockDocument(snapshot: client.get("/v1/blocks/trip").content))
      }
      _ = try client.request("POST", "/v1/blocks/trip", ["Stream-Closed": "true"], body: [])
      let last = try test.document("trip")
      for state in states + [last] {
        var document = state
        let diff = try client.get("/v1/blocks/trip?from=\(state.at)")
        #expect(diff.status == 200)
        try document.apply(diff: diff.content)
        #expect(document == last)
        // The state at that position is read anew.
        let earlier = try client.get("/v1/blocks/trip?at=\(state.at)")
        #expect(try BlockDocument(snapshot: earlier.content) == state)
        #expect(earlier["ETag"] == "\"\(state.at)\"")
      }
      #expect(
        try BlockDocument.Update(json: client.get("/v1/blocks/trip?from=\(last.at)").content)
          .operations.isEmpty)
    }
  }

  @Test func refusesTokensThatItDidNotGive() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let tail = try #require(try client.post("/v1/blocks/a", "abc")["Stream-Next-Offset"])
      let beyond = String(tail.dropLast()) + "4"
      let stale = "0000000000000001" + tail.dropFirst(16)
      for parameter in ["from", "at"] {
        for token in [beyond, stale] {
          let gone = try client.get("/v1/blocks/a?\(parameter)=\(token)")
          #expect(gone.status == 410 && gone.problem == "offset-gone")
          #expect(try gone.json()["current"]?.string?.description == tail)
        }
        for token in ["", "3", "-1", tail + "0", "x" + tail.dropFirst()] {
          let malformed = try client.get("/v1/blocks/a?\(parameter)=\(token)")
          #expect(malformed.status == 400 && malformed.problem == "malformed-offset")
          #expect(try malformed.json()["value"]?.string?.description == token)
        }
      }
    }
  }

  @Test func showsOneBlockWithItsChildrenAndSource() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let at = try #require(try client.post("/v1/blocks/trip", Self.trip)["Stream-Next-Offset"])
      for id in ["e21%2B1", "e21+1"] {
        let block = try client.get("/v1/blocks/trip?block=\(id)").json()
        #expect(block["block"]?["text"]?.string == "socks")
        #expect(block["source"]?.string == "socks")
      }
      let list = try client.get("/v1/blocks/trip?block=e0%2B2").json()
      #expect(list["children"]?.array == [.string("e21"), .string("e29")])
      #expect(list["source"]?.string == "- socks\n- map")
      _ = try client.post("/v1/blocks/trip", "s\n- more")
      #expect(try client.get("/v1/blocks/trip?block=e0%2B2&at=\(at)").json() == list)
      let missing = try client.get("/v1/blocks/trip?block=e1")
      #expect(missing.status == 404 && missing.problem == "no-block")
    }
  }

  @Test func namesParametersAndValuesThatItRefuses() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let tail = try #require(try client.post("/v1/blocks/a", "abc")["Stream-Next-Offset"])
      for (query, problem) in [
        ("x=1", "unknown-parameter"), ("shape=html", "invalid-value"), ("shape=", "invalid-value"),
        ("inline=tree", "invalid-value"), ("format=json-patch", "invalid-value"),
        ("live=long-poll", "invalid-value"), ("from=\(tail)&wait=61", "invalid-value"),
        ("from=\(tail)&wait=-1", "invalid-value"), ("from=\(tail)&wait=x", "invalid-value"),
        ("wait=1", "invalid-value"), ("from=\(tail)&at=\(tail)", "invalid-value"),
        ("shape=flat&shape=tree", "invalid-value"), ("minInterval=60001", "invalid-value"),
        ("live=sse&wait=1&from=\(tail)", "invalid-value"), ("live=sse&at=\(tail)", "invalid-value"),
        ("shape=%zz", "malformed-request"),
      ] {
        let refused = try client.get("/v1/blocks/a?" + query)
        #expect(refused.status == 400 && refused.problem == problem, "\(query): \(refused.text)")
      }
      let shape = try client.get("/v1/blocks/a?shape=html").json()
      #expect(shape["accepted"]?.string == "flat, tree, mdast")
      let wait = try client.get("/v1/blocks/a?from=\(tail)&wait=61").json()
      #expect(wait["accepted"]?.string == "a whole number of seconds from 0 to 60")
      #expect(try client.get("/v1/blocks/a", ["Accept": "text/html"]).status == 406)
      #expect(try client.get("/v1/blocks/b").problem == "no-stream")
    }
  }

  // MARK: - Long poll

  @Test func aLongPollAnswersWhenSomethingShows() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let tail = try #require(try client.post("/v1/blocks/a", "abc\n\n")["Stream-Next-Offset"])
      let reader = try test.connect()
      try reader.sendRequest("GET", "/v1/blocks/a?from=\(tail)&wait=60")
      try test.waitForReaders(1, of: "a")
      // What is only held does not show.
      _ = try client.post("/v1/blocks/a", "-")
      _ = try client.post("/v1/blocks/a", " d")
      let answer = try reader.answer()
      let update = try BlockDocument.Update(json: answer.content)
      #expect(update.from.description == tail && !update.operations.isEmpty)
      try test.waitForReaders(0, of: "a")
      // What is there already is answered at once.
      #expect(try reader.get("/v1/blocks/a?from=\(tail)&wait=60").content == answer.content)
    }
  }

  @Test func aLongPollAnswersWithoutOpsWhenItsTimeIsOverOrTheStreamIsFinished() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let tail = try #require(try client.post("/v1/blocks/a", "abc")["Stream-Next-Offset"])
      for wait in [0, 1] {
        let answer = try client.get("/v1/blocks/a?from=\(tail)&wait=\(wait)")
        #expect(answer.status == 200)
        #expect(try answer.json()["ops"]?.array?.isEmpty == true)
      }
      let finish = try client.request("POST", "/v1/blocks/a", ["Stream-Closed": "true"], body: [])
      let end = try BlockDocument.Update(json: finish.content).to
      #expect(try client.get("/v1/blocks/a?from=\(tail)&wait=60").content == finish.content)
      #expect(try client.get("/v1/blocks/a?from=\(end)&wait=60").json()["ops"]?.array?.isEmpty == true)
    }
  }

  // MARK: - Parse, health, the rest

  @Test func parsesADocumentAndKeepsNothing() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let parsed = try client.post("/v1/parse", Self.trip)
      let document = try BlockDocument(snapshot: parsed.content)
      #expect(document.isFinished && document.blocks.count == 7)
      #expect(test.store.count == 0)
      let query = "/v1/parse?dialect=commonmark&shape=mdast&inline=none"
      #expect(try client.post(query, "| a |\n|---|\n").json()["dialect"]?.string == "commonmark")
      #expect(try client.request("POST", "/v1/parse", [:], body: []).json()["blocks"]?.array?.isEmpty == true)
      for (query, problem) in [
        ("dialect=x", "invalid-value"), ("shape=pdf", "invalid-value"), ("from=1", "unknown-parameter"),
      ] {
        #expect(try client.post("/v1/parse?" + query, "a").problem == problem)
      }
      let html = try client.post("/v1/parse?shape=html", "# A\n")
      #expect(html["Content-Type"]?.hasPrefix("text/html") == true && html.text.contains("A</h1>"))
      #expect(try client.get("/v1/parse").status == 405)
    }
  }

  @Test func parsesLargeDocumentsInSlices() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let text = String(repeating: "- item with *text*\n\n  more\n", count: 20_000)
      let parsed = try client.post("/v1/parse", text)
      #expect(parsed.status == 200)
      #expect(try parsed.json()["blocks"]?.array?.count == 1 + 3 * 20_000)
    }
  }

  @Test func tellsThatItLives() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      #expect(try client.get("/livez").status == 200)
      #expect(try client.get("/readyz").status == 200)
      let verbose = try client.get("/readyz?verbose").json()
      #expect(verbose["ready"] == .boolean(true))
      #expect(verbose["storage"]?.string == "memory")
      #expect(try client.get("/").text.contains("/v1/blocks/"))
      #expect(try client.get("/livez?x").problem == "unknown-parameter")
      let missing = try client.get("/v2")
      #expect(missing.status == 404 && missing.problem == "no-resource")
      for target in ["/", "/v1/blocks/a", "/v1/live", "/v1/parse", "*"] {
        let options = try client.request("OPTIONS", target)
        #expect(options.status == 204)
        #expect(options["Allow"]?.contains("OPTIONS") == true)
      }
    }
  }
}
