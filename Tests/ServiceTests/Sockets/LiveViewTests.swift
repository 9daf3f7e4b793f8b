import BlockDiff
import HTTPServer
import Markup
import StreamStore
import Testing

/// Server-sent events of one stream, over sockets.
struct LiveViewTests {
  @Test func beginsWithASnapshotAndReplaysToTheEnd() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      _ = try writer.post("/v1/blocks/a", "# A\n\nb")
      let events = try EventReader(test.connect(), "/v1/blocks/a")
      #expect(events.head["Content-Type"] == "text/event-stream")
      #expect(events.head["Cache-Control"] == "no-cache")
      #expect(events.head["X-Accel-Buffering"] == "no")
      var document: BlockDocument?
      let first = try events.apply(to: &document) { _, _ in true }
      #expect(first == "snapshot")
      #expect((1000...3000).contains(events.retry ?? 0))
      for byte in "c\n\n- d\n- e\n\n| f |\n|---|\n| g |\n".utf8 {
        _ = try writer.request("POST", "/v1/blocks/a", [:], body: [byte])
      }
      let last = try writer.request("POST", "/v1/blocks/a", ["Stream-Closed": "true"], body: [])
      try events.applyAll(to: &document)
      #expect(try events.next() == nil)
      #expect(try test.document("a") == document)
      #expect(try BlockDocument.Update(json: last.content).to == document?.at)
      try test.waitForReaders(0, of: "a")
    }
  }

  @Test func sendsEachShownChangeAtOnceAndNothingForWhatIsHeld() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      _ = try writer.post("/v1/blocks/a", "b")
      let events = try EventReader(test.connect(), "/v1/blocks/a")
      var document: BlockDocument?
      try events.apply(to: &document) { _, _ in true }
      for (text, length) in [("c", 2), ("  ", 2), ("d", 5)] {
        _ = try writer.post("/v1/blocks/a", text)
        if text == "  " { continue }
        try events.apply(to: &document) { _, event in event.name == "diff" }
        #expect(document?.at.position.value == length)
      }
      #expect(events.events == 3)
    }
  }

  @Test func resumesFromEveryKindOfToken() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      var states: [BlockDocument] = []
      for text in ["# A\n\n", "b", "c\n", "\n- d", "\n\n", "e"] {
        _ = try writer.post("/v1/blocks/a", text)
        states.append(try test.document("a"))
      }
      _ = try writer.request("POST", "/v1/blocks/a", ["Stream-Closed": "true"], body: [])
      let last = try test.document("a")
      for state in states + [last] {
        for (target, fields) in [
          ("/v1/blocks/a", ["Last-Event-ID": state.at.description]),
          ("/v1/blocks/a?from=\(state.at)", [:]),
          ("/v1/blocks/a?live=sse&from=\(state.at)", [:]),
          // The field of a client that comes again wins over the query that it began with.
          ("/v1/blocks/a?from=\(states[0].at)", ["Last-Event-ID": state.at.description]),
        ] {
          let events = try EventReader(test.connect(), target, fields)
          var document: BlockDocument? = state
          try events.applyAll(to: &document)
          #expect(document == last)
          #expect(events.events == (state.at == last.at ? 1 : 2))
        }
      }
    }
  }

  @Test func refusesTokensBeforeItBegins() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      _ = try client.post("/v1/blocks/a", "abc")
      let accept = ["Accept": "text/event-stream"]
      for (id, problem) in [
        ("nonsense", "malformed-offset"), ("0000000000000001_0000000000000001", "offset-gone"),
      ] {
        #expect(try client.get("/v1/blocks/a?live=sse&from=\(id)").problem == problem)
        #expect(
          try client.get("/v1/blocks/a", accept.merging(["Last-Event-ID": id]) { $1 }).problem == problem)
      }
      #expect(try client.get("/v1/blocks/b", accept).problem == "no-stream")
      let head = try client.request("HEAD", "/v1/blocks/a", accept)
      #expect(head.status == 200 && head["Content-Type"] == "text/event-stream")
      #expect(try client.get("/livez").status == 200)
    }
  }

  @Test func coalescesToOneDiffAnInterval() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      _ = try writer.post("/v1/blocks/a", "b")
      let events = try EventReader(test.connect(), "/v1/blocks/a?minInterval=200")
      var document: BlockDocument?
      try events.apply(to: &document) { _, _ in true }
      let begin = ContinuousClock.now
      for _ in 0..<100 { _ = try writer.post("/v1/blocks/a", "c") }
      _ = try writer.request("POST", "/v1/blocks/a", ["Stream-Closed": "true"], body: [])
      try events.applyAll(to: &document)
      #expect(try test.document("a") == document)
      // The snapshot, `finished`, and a diff for each interval that has passed at most.
      let intervals = Int((ContinuousClock.now - begin) / .milliseconds(200)) + 1
      #expect(events.events <= 2 + intervals)
      #expect(events.events < 100)
    }
  }

  @Test func theConfiguredFloorRaisesTheInterval() async throws {
    try await TestService.run(["blocks.lowestMinInterval": "200ms"]) { test in
      let writer = try test.connect()
      _ = try writer.post("/v1/blocks/a", "b")
      let events = try EventReader(test.connect(), "/v1/blocks/a")
      var document: BlockDocument?
      try events.apply(to: &document) { _, _ in true }
      for _ in 0..<50 { _ = try writer.post("/v1/blocks/a", "c") }
      _ = try writer.request("POST", "/v1/blocks/a", ["Stream-Closed": "true"], body: [])
      try events.applyAll(to: &document)
      #expect(try test.document("a") == document)
      #expect(events.events < 50)
    }
  }

  @Test func keepsASilentConnectionAlive() async throws {
    try await TestService.run(["blocks.heartbeatInterval": "1s"]) { test in
      let writer = try test.connect()
      _ = try writer.post("/v1/blocks/a", "b")
      let client = try test.connect()
      try client.sendRequest("GET", "/v1/blocks/a", ["Accept": "text/event-stream"])
      #expect(try client.head().status == 200)
      var content = ""
      while !content.hasSuffix("\n\n:\n\n") {
        content += String(decoding: try #require(try client.chunk()), as: UTF8.self)
      }
    }
  }

  @Test func aSlowReaderGetsLargeDiffsAndNothingIsQueuedForIt() async throws {
    try await TestService.run(options: { $0.sendBufferBytes = 4096 }) { test in
      let writer = try test.connect()
      _ = try writer.post("/v1/blocks/a", "b\n\n")
      let events = try EventReader(test.connect(receiveBufferBytes: 4096), "/v1/blocks/a")
      // Far more than the buffers of both sides hold, while the reader takes nothing.
      let text = String(repeating: "word ", count: 100) + "\n\n"
      for _ in 0..<400 { _ = try writer.post("/v1/blocks/a", text) }
      _ = try writer.request("POST", "/v1/blocks/a", ["Stream-Closed": "true"], body: [])
      var document: BlockDocument?
      try events.applyAll(to: &document)
      #expect(try test.document("a") == document)
      #expect(events.events < 100, "its diffs cover many appends")
    }
  }

  @Test func aReaderThatTakesNothingLagsAndIsClosed() async throws {
    try await TestService.run(
      ["blocks.laggedTimeout": "1s"], options: { $0.sendBufferBytes = 4096 }
    ) { test in
      let writer = try test.connect()
      _ = try writer.post("/v1/blocks/a", "b\n\n")
      let events = try EventReader(test.connect(receiveBufferBytes: 4096), "/v1/blocks/a")
      let text = String(repeating: "word ", count: 100) + "\n\n"
      for _ in 0..<100 { _ = try writer.post("/v1/blocks/a", text) }
      // It is given up while it takes nothing, and told so when it takes what was under way.
      try test.waitForReaders(0, of: "a")
      var document: BlockDocument?
      #expect(try events.apply(to: &document) { $1.name == "lagged" } == "lagged")
      #expect(try events.next() == nil)
      // What it has is a state that it can resume from.
      let at = try #require(document?.at)
      let resumed = try EventReader(test.connect(), "/v1/blocks/a", ["Last-Event-ID": at.description])
      _ = try writer.request("POST", "/v1/blocks/a", ["Stream-Closed": "true"], body: [])
      try resumed.applyAll(to: &document)
      #expect(try test.document("a") == document)
    }
  }

  @Test func readersGoOnWhereIdleBlocksAreDropped() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      _ = try writer.post("/v1/blocks/a", "# A\n\n- b")
      let events = try EventReader(test.connect(), "/v1/blocks/a")
      var document: BlockDocument?
      try events.apply(to: &document) { _, _ in true }
      let stream = try #require(StreamPath("a").flatMap(test.store.find))
      for text in ["c", "\n- d", "\n\ne"] {
        test.store.sweep()
        test.store.sweep()
        #expect(!stream.isParsed)
        _ = try writer.post("/v1/blocks/a", text)
        try events.apply(to: &document) { _, event in event.name == "diff" }
      }
      #expect(try test.document("a") == document)
    }
  }

  @Test func largeDroppedStreamsComeBackForEveryRequest() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      let text = String(repeating: "Some words of a paragraph.\n\n", count: 50_000)
      let tail = try #require(try writer.post("/v1/blocks/a", text)["Stream-Next-Offset"])
      let events = try EventReader(test.connect(), "/v1/blocks/a?from=\(tail)")
      try test.waitForReaders(1, of: "a")
      let path = try #require(StreamPath("a"))
      func drop() {
        test.store.sweep()
        test.store.sweep()
        #expect(test.store.find(path)?.isParsed == false)
      }
      drop()
      _ = try writer.post("/v1/blocks/a", "b")
      #expect(try events.next()?.name == "diff")
      drop()
      #expect(try writer.get("/v1/blocks/a?from=\(tail)").json()["ops"]?.array?.count == 1)
      drop()
      _ = try writer.post("/v1/blocks/a", "c", ["Accept": "application/x-ndjson", "Stream-Closed": "true"])
      drop()
      #expect(try writer.get("/v1/blocks/a").json()["blocks"]?.array?.count == 50_001)
      #expect(test.store.find(path)?.isParsed == true)
    }
  }

  @Test func manyReadersOfAStreamSeeTheSame() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      _ = try writer.post("/v1/blocks/a", "# A\n\n")
      let readers = try (0..<40).map { _ in try EventReader(test.connect(), "/v1/blocks/a") }
      try test.waitForReaders(40, of: "a")
      for index in 0..<50 { _ = try writer.post("/v1/blocks/a", index % 5 == 4 ? "x\n\n" : "word ") }
      _ = try writer.request("POST", "/v1/blocks/a", ["Stream-Closed": "true"], body: [])
      let last = try test.document("a")
      for reader in readers {
        var document: BlockDocument?
        try reader.applyAll(to: &document)
        #expect(document == last)
      }
      try test.waitForReaders(0, of: "a")
    }
  }

  @Test func aReaderThatLeavesIsForgotten() async throws {
    try await TestService.run { test in
      _ = try test.connect().post("/v1/blocks/a", "b")
      var events: EventReader? = try EventReader(test.connect(), "/v1/blocks/a")
      try test.waitForReaders(1, of: "a")
      #expect(events?.head.status == 200)
      events = nil
      try test.waitForReaders(0, of: "a")
    }
  }
}
