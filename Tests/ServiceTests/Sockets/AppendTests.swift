import BlockDiff
import Markup
import Testing

/// `POST /v1/blocks/{path}`, over sockets.
struct AppendTests {
  @Test func answersWithTheDiffAndCreatesTheStream() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      var document: BlockDocument?
      for (chunk, length) in [("# Trip\n\nPack", 12), (" these:\n\n", 21), ("- socks\n- map", 34)] {
        let answer = try client.post("/v1/blocks/a/trip", chunk)
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer["X-Content-Type-Options"] == "nosniff")
        let update = try BlockDocument.Update(json: answer.content)
        #expect(answer["Stream-Next-Offset"] == update.to.description)
        #expect(update.to.position.value == length)
        #expect(try answer.json()["stream"]?.string == "a/trip")
        if document == nil { document = BlockDocument(incarnation: update.from.incarnation) }
        try document?.apply(update)
      }
      #expect(try test.document("a/trip") == document)
    }
  }

  @Test func takesChunkedContentAsOneAppend() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      try client.send("POST /v1/blocks/a HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n")
      for text in ["# A\n", "\nb", "c"] { try client.sendChunk(Array(text.utf8)) }
      try client.sendChunk([])
      let update = try BlockDocument.Update(json: client.answer().content)
      #expect(update.from.position.value == 0 && update.to.position.value == 7)
      #expect(update.operations.count == 2)
    }
  }

  @Test func waitsForTheContentOf100Continue() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      try client.sendRequest("POST", "/v1/blocks/a", ["Expect": "100-continue", "Content-Length": "3"])
      #expect(try client.head().status == 100)
      try client.send("abc")
      #expect(try client.answer().status == 200)
    }
  }

  @Test func anyBytesAreAStream() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let bytes = (0...255).map { UInt8($0) } + [0xF0, 0x9F]
      let answer = try client.request("POST", "/v1/blocks/a", [:], body: bytes)
      #expect(answer.status == 200)
      #expect(answer["Stream-Next-Offset"]?.hasSuffix("_0000000000000258") == true)
      // An incomplete sequence at the end is held.
      #expect(try answer.json()["pending"]?.integer ?? 0 >= 2)
    }
  }

  @Test func finishesWithContentAndWithout() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      for path in ["/v1/blocks/a", "/v1/blocks/b"] {
        let first = try client.post(path, "*a", path.hasSuffix("a") ? ["Stream-Closed": "true"] : [:])
        var finish = first
        if path.hasSuffix("b") {
          finish = try client.request("POST", path, ["Stream-Closed": "true"], body: [])
        }
        #expect(finish.status == 200)
        #expect(finish["Stream-Closed"] == "true")
        // The source's tail, and the blocks' position one after it.
        #expect(finish["Stream-Next-Offset"]?.hasSuffix("_0000000000000002") == true)
        let update = try BlockDocument.Update(json: finish.content)
        #expect(update.to.position.value == 3)
        #expect(update.operations.last == .finish)
        // Again: nothing happens, and it is no error.
        let again = try client.request("POST", path, ["Stream-Closed": "true"], body: [])
        #expect(again.status == 200)
        #expect(try BlockDocument.Update(json: again.content).operations.isEmpty)
        let late = try client.post(path, "b")
        #expect(late.status == 409 && late.problem == "stream-closed")
        #expect(late["Stream-Closed"] == "true")
        #expect(late["Stream-Next-Offset"] == finish["Stream-Next-Offset"])
      }
    }
  }

  @Test func comparesAndSetsTheOffset() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let tail = try #require(try client.post("/v1/blocks/a", "abc")["Stream-Next-Offset"])
      #expect(try client.post("/v1/blocks/a", "d", ["Stream-Expected-Offset": tail]).status == 200)
      let refused = try client.post("/v1/blocks/a", "d", ["Stream-Expected-Offset": tail])
      #expect(refused.status == 412 && refused.problem == "expected-offset")
      #expect(refused["Stream-Next-Offset"]?.hasSuffix("_0000000000000004") == true)
      let malformed = try client.post("/v1/blocks/a", "d", ["Stream-Expected-Offset": "4"])
      #expect(malformed.status == 400 && malformed.problem == "malformed-offset")
    }
  }

  @Test func appendsAProducersRequestOnce() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      func post(_ text: String, _ epoch: Int, _ sequence: Int) throws -> Client.Answer {
        try client.post(
          "/v1/blocks/a", text,
          ["Producer-Id": "p", "Producer-Epoch": "\(epoch)", "Producer-Seq": "\(sequence)"])
      }
      let first = try post("a", 0, 0)
      #expect(first.status == 200 && first["Producer-Seq"] == "0" && first["Producer-Epoch"] == "0")
      #expect(try post("b", 0, 1).status == 200)
      let again = try post("a", 0, 0)
      #expect(again.status == 200 && again["Producer-Seq"] == "1")
      #expect(try again.json()["ops"]?.array?.isEmpty == true)
      #expect(again["Stream-Next-Offset"]?.hasSuffix("_0000000000000002") == true)
      let gap = try post("d", 0, 3)
      #expect(gap.status == 409 && gap.problem == "sequence-gap" && gap["Producer-Expected-Seq"] == "2")
      #expect(try post("c", 1, 0).status == 200)
      let stale = try post("c", 0, 2)
      #expect(stale.status == 403 && stale.problem == "stale-epoch" && stale["Producer-Epoch"] == "1")
      #expect(try post("c", 2, 7).problem == "invalid-value")
      #expect(try test.document("a").blocks.first?.text == "abc")
      let partial = try client.post("/v1/blocks/a", "x", ["Producer-Id": "p", "Producer-Seq": "1"])
      #expect(partial.status == 400 && partial.problem == "partial-producer-headers")
      #expect(try partial.json()["missing"]?.array == [.string("Producer-Epoch")])
    }
  }

  @Test func refusesSequencesThatDoNotRise() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      #expect(try client.post("/v1/blocks/a", "a", ["Stream-Seq": "002"]).status == 200)
      #expect(try client.post("/v1/blocks/a", "a", ["Stream-Seq": "010"]).status == 200)
      let refused = try client.post("/v1/blocks/a", "a", ["Stream-Seq": "009"])
      #expect(refused.status == 409 && refused.problem == "sequence-regressed")
    }
  }

  @Test func createsAsTheFieldsSayAndRefusesOtherFieldsLater() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let created = try client.post(
        "/v1/blocks/a", "~~a~~ <Card/>\n",
        ["Mooring-Dialect": "commonmark", "Mooring-Front-Matter": "true", "Content-Type": "text/plain"])
      #expect(created.status == 200)
      #expect(try client.get("/v1/blocks/a").json()["dialect"]?.string == "commonmark")
      let same = ["Mooring-Dialect": "commonmark", "Content-Type": "Text/Plain; charset=utf-8"]
      #expect(try client.post("/v1/blocks/a", "b", same).status == 200)
      for (field, value, problem) in [
        ("Mooring-Dialect", "chat", "configuration-differs"),
        ("Mooring-Front-Matter", "false", "configuration-differs"),
        ("Mooring-Open", "think", "configuration-differs"),
        ("Content-Type", "text/markdown", "content-type-differs"),
      ] {
        let refused = try client.post("/v1/blocks/a", "b", [field: value])
        #expect(refused.status == 409 && refused.problem == problem, "\(field)")
      }
    }
  }

  @Test func opensComponentsFromTheStart() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let created = try client.post("/v1/blocks/a", "hm</think>\n\nYes", ["Mooring-Open": "think"])
      var document = BlockDocument(
        incarnation: try BlockDocument.Update(json: created.content).from.incarnation)
      try document.apply(diff: created.content)
      #expect(document.blocks.first?.id == "open:think")
      #expect(try test.document("a") == document)
    }
  }

  @Test func namesTheValueThatItRefuses() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      for (field, value) in [
        ("Mooring-Dialect", "markdown"), ("Mooring-Open", "p"), ("Mooring-Front-Matter", "yes"),
        ("Stream-Closed", "1"), ("Stream-Seq", ""), ("Mooring-Source", "openai-chat"),
      ] {
        let refused = try client.post("/v1/blocks/a", "b", [field: value])
        #expect(refused.status == 400 && refused.problem == "invalid-value", "\(field)")
        #expect(try refused.json()["parameter"]?.string?.description == field)
        #expect(try refused.json()["accepted"]?.string?.utf8.isEmpty == false)
      }
      #expect(try client.get("/v1/blocks/a").problem == "no-stream")
    }
  }

  @Test func refusesWhatIsNoMarkupAndWhatNobodyCanTake() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let image = try client.post("/v1/blocks/a", "b", ["Content-Type": "image/png"])
      #expect(image.status == 415 && image.problem == "not-markup")
      let html = try client.post("/v1/blocks/a", "b", ["Accept": "text/html"])
      #expect(html.status == 406 && html.problem == "not-acceptable")
      let empty = try client.request("POST", "/v1/blocks/a", [:], body: [])
      #expect(empty.status == 400 && empty.problem == "empty-append")
      #expect(try client.request("POST", "/v1/blocks/a").problem == "empty-append")
      let query = try client.post("/v1/blocks/a?form=x", "b")
      #expect(query.problem == "unknown-parameter")
      #expect(try client.post("/v1/blocks/a?inline=tree", "b").problem == "invalid-value")
      #expect(try client.post("/v1/blocks/a?inline=none&format=ops", "b").status == 200)
      // What curl says of itself with --data-binary says nothing of the stream.
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      #expect(try client.post("/v1/blocks/a", "b", form).status == 200)
      let put = try client.request("PUT", "/v1/blocks/a")
      #expect(put.status == 405 && put["Allow"] == "GET, HEAD, POST, OPTIONS")
      #expect(try client.post("/v1/blocks/a//b", "b").problem == "malformed-path")
    }
  }

  @Test func keepsToItsLimits() async throws {
    let settings = [
      "streams.maxBytes": "1KiB", "http.maxBodyBytes": "4KiB", "streams.maxCount": "1",
    ]
    try await TestService.run(settings) { test in
      let client = try test.connect()
      let full = try client.post("/v1/blocks/a", String(repeating: "a", count: 1025))
      #expect(full.status == 413 && full.problem == "stream-full")
      #expect(try client.post("/v1/blocks/a", String(repeating: "a", count: 1024)).status == 200)
      #expect(try client.post("/v1/blocks/a", "a").problem == "stream-full")
      let second = try client.post("/v1/blocks/b", "a")
      #expect(second.status == 503 && second.problem == "overloaded" && second["Retry-After"] != nil)
      let large = try test.connect().post("/v1/blocks/a", String(repeating: "a", count: 5000))
      #expect(large.status == 413 && large.problem == "content-too-large" && large["Connection"] == "close")
    }
  }

  @Test func createsNothingWhereConfigurationForbidsIt() async throws {
    try await TestService.run(["blocks.createOnAppend": "false"]) { test in
      let client = try test.connect()
      #expect(try client.post("/v1/blocks/a", "a").problem == "no-stream")
    }
  }

  @Test func answersWhatIsNoRequestWithAProblem() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      try client.send("GET / HTTP/1.1\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.status == 400 && answer.problem == "malformed-request")
      #expect(try answer.json()["rule"]?.string == "missingHost")
      #expect(answer["Connection"] == "close")
    }
  }
}
