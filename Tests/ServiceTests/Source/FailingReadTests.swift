import StreamStore
import Synchronization
import Testing

/// What happens to live views when the source cannot be read any more: they are cut off, and the service goes on.
struct FailingReadTests {
  @Test func cutsOffAViewThatHasBegun() async throws {
    let engine = FailingEngine()
    try await TestService.run(engine: engine) { test in
      let writer = try test.connect()
      let binary = ["Content-Type": "application/octet-stream"]
      _ = try writer.request("PUT", "/v1/stream/a", binary)
      let reader = try EventReader(test.connect(), "/v1/stream/a?offset=-1&live=sse")
      #expect(try reader.next()?.name == "control")
      engine.isFailing.store(true, ordering: .relaxed)
      // More than is kept for live readers.
      let long = [UInt8](repeating: 0x61, count: 50_000)
      #expect(try writer.request("POST", "/v1/stream/a", binary, body: long).status == 204)
      #expect(throws: Client.Failure.closed) { try reader.next() }
      #expect(try writer.get("/v1/stream/a").problem == "storage-unavailable")
      engine.isFailing.store(false, ordering: .relaxed)
      #expect(try writer.get("/v1/stream/a").content == long)
    }
  }
}

/// Keeps sources in memory, and does not read them while it fails.
private final class FailingEngine: SourceLogEngine {
  let isFailing = Atomic<Bool>(false)
  private let memory = MemorySourceLogEngine()

  var totals: StoredTotals { memory.totals }
  var isLasting: Bool { memory.isLasting }
  var isAvailable: Bool { memory.isAvailable }

  func load(_ path: StreamPath) async throws(SourceLogError) -> StoredStream? { nil }

  func makeLog(_ source: NewSource) -> any SourceLog { FailingLog(memory.makeLog(source), self) }

  func expiredPaths(at moment: Timestamp, limit: Int) async throws(SourceLogError) -> [StreamPath] { [] }
}

private final class FailingLog: SourceLog {
  private let log: any SourceLog
  private let engine: FailingEngine

  init(_ log: any SourceLog, _ engine: FailingEngine) {
    self.log = log
    self.engine = engine
  }

  func commit(_ entry: SourceEntry, at offset: Int) throws(SourceLogError) -> CommitReceipt? {
    try log.commit(entry, at: offset)
  }

  func read(_ range: Range<Int>) async throws(SourceLogError) -> [UInt8] {
    if engine.isFailing.load(ordering: .relaxed) { throw .unavailable }
    return try await log.read(range)
  }

  func remove() async throws(SourceLogError) -> Removal { try await log.remove() }
}
