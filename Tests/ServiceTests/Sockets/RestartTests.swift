import BlockDiff
import Foundation
import HTTPServer
import Markup
import SQLiteLog
import StreamStore
import Testing

/// Streams that outlive the server.
struct RestartTests {
  /// A database in a directory of its own, which is gone afterwards.
  private func withDatabase(_ body: (String) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "mooring-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(directory.appending(path: "mooring.sqlite").path)
  }

  private func serve(
    _ path: String, options: SQLiteSourceLogEngine.Options = .init(),
    _ body: @escaping @Sendable (TestService) throws -> Void
  ) async throws {
    let engine = try SQLiteSourceLogEngine(path: path, options: options)
    defer { engine.close() }
    try await TestService.run(engine: engine, body)
  }

  @Test func readersResumeWhereTheyWereBeforeTheRestart() async throws {
    try await withDatabase { path in
      let state = State()
      try await serve(path) { test in
        let writer = try test.connect()
        _ = try writer.post("/v1/blocks/a", "# Trip\n\nPack these:\n\n- so")
        let events = try EventReader(test.connect(), "/v1/blocks/a")
        var document: BlockDocument?
        try events.apply(to: &document) { _, _ in true }
        _ = try writer.post("/v1/blocks/a", "cks\n- ma")
        try events.apply(to: &document) { _, event in event.name == "diff" }
        state.document = document
      }
      try await serve(path) { test in
        var document = state.document
        let at = try #require(document?.at)
        let events = try EventReader(
          test.connect(), "/v1/blocks/a", ["Last-Event-ID": at.description])
        let writer = try test.connect()
        #expect(try writer.post("/v1/blocks/a", "ps\n\nend").status == 200)
        _ = try writer.request("POST", "/v1/blocks/a", ["Stream-Closed": "true"], body: [])
        try events.applyAll(to: &document)
        #expect(try test.document("a") == document)
        #expect(document?.isFinished == true)
      }
    }
  }

  private final class State: @unchecked Sendable {
    // Safe: written and read by one task after the other.
    var document: BlockDocument?
  }

  @Test func aFullDiskIsToldWithARetry() async throws {
    try await withDatabase { path in
      var options = SQLiteSourceLogEngine.Options()
      options.maxPages = 40
      try await serve(path, options: options) { test in
        let writer = try test.connect()
        #expect(try writer.post("/v1/blocks/a", "# A\n").status == 200)
        let answer = try writer.post("/v1/blocks/a", String(repeating: "b", count: 1 << 20))
        #expect(answer.status == 503)
        #expect(answer["Retry-After"] != nil)
        #expect(try answer.json()["type"]?.string == "/problems/storage-unavailable")
        #expect(try test.document("a").at.position.value == 4)
        #expect(try writer.post("/v1/blocks/a", "c").status == 200)
      }
    }
  }

  @Test func concurrentWritersOfOneStreamAllCount() async throws {
    try await withDatabase { path in
      try await serve(path) { test in
        try concurrently(8) { thread in
          let client = try test.connect()
          for number in 0..<50 {
            let answer = try client.post(
              "/v1/blocks/a", "- \(thread) \(number)\n",
              ["Producer-Id": "p\(thread)", "Producer-Epoch": "0", "Producer-Seq": "\(number)"])
            #expect(answer.status == 200)
          }
        }
      }
      try await serve(path) { test in
        let document = try test.document("a")
        #expect(document.blocks.count { $0.type == .paragraph } == 400)
      }
    }
  }
}
