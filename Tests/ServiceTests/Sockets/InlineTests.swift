import BlockDiff
import HTTPServer
import StreamStore
import Testing

/// `inline=` in every view, over sockets.
struct InlineTests {
  private static let trip = "# *Trip*\n\nPack [these]:\n\n- **so"

  @Test(arguments: ["runs", "html"])
  func showsInlineContentInEveryView(_ form: String) async throws {
    try await TestService.run { test in
      let client = try test.connect()
      let created = try client.request(
        "POST", "/v1/blocks/trip?inline=\(form)", [:], body: Array(Self.trip.utf8))
      var document = BlockDocument(incarnation: try Self.incarnation(created))
      try document.apply(diff: created.content)
      func snapshot() throws -> BlockDocument {
        try BlockDocument(snapshot: client.get("/v1/blocks/trip?inline=\(form)").content)
      }
      #expect(try snapshot() == document)
      #expect(document.blocks.allSatisfy { form == "runs" ? $0.html == nil : $0.runs == nil })

      // The answer without, and the diff with it.
      let before = document.at
      let plain = try client.post("/v1/blocks/trip", "cks** and\n\n[these]: /u\n")
      #expect(!plain.text.contains("\"\(form)\""))
      let diff = try client.get("/v1/blocks/trip?from=\(before)&inline=\(form)")
      #expect(diff.text.contains("\"why\":\"definition\""))
      try document.apply(diff: diff.content)
      #expect(try snapshot() == document)

      let earlier = try client.get("/v1/blocks/trip?at=\(before)&inline=\(form)")
      #expect(try BlockDocument(snapshot: earlier.content).at == before)
      let block = try client.get("/v1/blocks/trip?block=e0&inline=\(form)").json()["block"]
      let shown = form == "runs" ? block?["runs"]?.array?[0]["text"]?.string : block?["html"]?.string
      #expect(shown == (form == "runs" ? "Trip" : "<em>Trip</em>"))
      let parsed = try client.post("/v1/parse?inline=\(form)", "*a*").json()["blocks"]?.array?[0]
      #expect(parsed?[form == "runs" ? "runs" : "html"] != nil)
    }
  }

  @Test func sendsRunsToLiveReaders() async throws {
    try await TestService.run { test in
      let client = try test.connect()
      _ = try client.post("/v1/blocks/trip", "**bo")
      let live = try EventReader(test.connect(), "/v1/blocks/trip?live=sse&inline=runs")
      var document = try BlockDocument(snapshot: live.next()?.data ?? [])
      #expect(document.blocks[0].runs?[0]["provisional"] == .boolean(true))
      _ = try client.post("/v1/blocks/trip", "ld** x")
      try document.apply(diff: live.next()?.data ?? [])
      #expect(document.blocks[0].runs?.count == 2)
      #expect(document.blocks[0].runs?[0]["provisional"] == nil)
    }
  }

  @Test func keepsToTheConfiguredPolicy() async throws {
    try await TestService.run(["html.urls": "https", "html.raw": "omitted"]) { test in
      let client = try test.connect()
      let html = try client.post("/v1/parse?inline=html", "[a](http://b) [c](https://d) <i>").json()
      #expect(
        html["blocks"]?.array?[0]["html"]?.string
          == "<a href=\"\">a</a> <a href=\"https://d\">c</a> <!-- raw HTML omitted -->")
      let runs = try client.post("/v1/parse?inline=runs", "[a](http://b) [c](https://d)").json()
      #expect(runs["blocks"]?.array?[0]["runs"]?.array?[0]["href"] == nil)
    }
  }

  @Test func refusesOtherForms() async throws {
    try await TestService.run { test in
      let answer = try test.connect().get("/v1/blocks/trip?inline=tree")
      #expect(answer.status == 400 && answer.problem == "invalid-value")
    }
  }

  private static func incarnation(_ answer: Client.Answer) throws -> UInt64 {
    try answer.json()["to"]?.string.flatMap { OffsetToken($0.utf8)?.incarnation } ?? 0
  }
}
