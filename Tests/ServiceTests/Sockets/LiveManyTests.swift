import BlockDiff
import Testing

/// `GET /v1/live`, over sockets.
struct LiveManyTests {
  /// Applies events to the documents of their streams until `isEnough`. The last event's ID.
  private func apply(
    _ events: EventReader, to documents: inout [String: BlockDocument],
    until isEnough: (EventReader.Event) -> Bool
  ) throws -> String {
    while let event = try events.next() {
      let stream = try #require(try JSONReader.value(of: event.data)["stream"]?.string?.description)
      switch event.name {
      case "snapshot": documents[stream] = try BlockDocument(snapshot: event.data)
      case "diff": try documents[stream]?.apply(diff: event.data)
      default: break
      }
      if isEnough(event) { return event.id }
    }
    throw Client.Failure.closed
  }

  @Test func showsAllStreamsAndEndsWhenAllAreFinished() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      for path in ["a", "b/c"] { _ = try writer.post("/v1/blocks/\(path)", "# \(path)\n\n") }
      let events = try EventReader(test.connect(), "/v1/live?path=a&path=b/c")
      var documents: [String: BlockDocument] = [:]
      var finished = 0
      for index in 0..<20 { _ = try writer.post("/v1/blocks/\(index % 3 == 0 ? "a" : "b/c")", "x ") }
      for path in ["a", "b/c"] {
        _ = try writer.request("POST", "/v1/blocks/\(path)", ["Stream-Closed": "true"], body: [])
      }
      _ = try apply(events, to: &documents) { event in
        if event.name == "finished" { finished += 1 }
        return finished == 2
      }
      #expect(try events.next() == nil)
      for path in ["a", "b/c"] { #expect(try test.document(path) == documents[path]) }
    }
  }

  @Test func resumesAllStreamsFromOneID() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      let paths = ["a", "b", "c"]
      for path in paths { _ = try writer.post("/v1/blocks/\(path)", "# \(path)\n\n") }
      let target = "/v1/live?path=a&path=b&path=c"
      var documents: [String: BlockDocument] = [:]
      // Cut after each event: what the ID says is what the client has, also before the first snapshots.
      var id = ""
      for round in 0..<12 {
        let events = try EventReader(test.connect(), target, id.isEmpty ? [:] : ["Last-Event-ID": id])
        _ = try writer.post("/v1/blocks/\(paths[round % 3])", round % 4 == 0 ? "\n\n" : "w\(round) ")
        id = try apply(events, to: &documents) { _ in true }
      }
      for path in paths {
        _ = try writer.request("POST", "/v1/blocks/\(path)", ["Stream-Closed": "true"], body: [])
      }
      let events = try EventReader(test.connect(), target, ["Last-Event-ID": id])
      var finished = 0
      _ = try apply(events, to: &documents) { event in
        if event.name == "finished" { finished += 1 }
        return finished == 3
      }
      for path in paths { #expect(try test.document(path) == documents[path]) }
    }
  }

  @Test func aStreamThatWasCreatedAgainBeginsWithASnapshot() async throws {
    try await TestService.run { test in
      _ = try test.connect().post("/v1/blocks/a", "abc")
      let events = try EventReader(test.connect(), "/v1/live?path=a", ["Last-Event-ID": "1_2"])
      #expect(try events.next()?.name == "snapshot")
    }
  }

  @Test func refusesWhatItCannotShow() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      _ = try client.post("/v1/blocks/a", "abc")
      let many = (0...100).map { "path=p\($0)" }.joined(separator: "&")
      for (query, fields, problem) in [
        ("", [:], "invalid-value"), ("path=a&path=a", [:], "invalid-value"), (many, [:], "invalid-value"),
        ("path=a//b", [:], "malformed-path"), ("path=b", [:], "no-stream"),
        ("path=a&x=1", [:], "unknown-parameter"), ("path=a", ["Accept": "text/html"], "not-acceptable"),
        ("path=a", ["Last-Event-ID": "1_2,3_4"], "malformed-offset"),
        ("path=a", ["Last-Event-ID": "x"], "malformed-offset"),
      ] as [(String, [String: String], String)] {
        #expect(try client.get("/v1/live?" + query, fields).problem == problem, "\(query)")
      }
    }
  }
}
