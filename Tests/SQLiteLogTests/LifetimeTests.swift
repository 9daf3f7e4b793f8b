import BlockDiff
import StreamStore
import Testing

@testable import SQLiteLog

/// Streams that end by themselves, in the database.
struct LifetimeTests {
  private func path(_ text: String) throws -> StreamPath { try #require(StreamPath(text)) }

  private func expect(
    _ name: String, _ store: StreamStore, isThere: Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let stream = try await store.existing(path(name))
    #expect((stream != nil) == isThere, sourceLocation: sourceLocation)
  }

  private func options(_ clock: TestClock) -> StreamStore.Options {
    var options = StreamStore.Options()
    options.clock = { clock.now }
    return options
  }

  private func create(_ store: StreamStore, _ name: String, _ lifetime: Lifetime) async throws {
    var request = CreationRequest()
    request.bytes = Array("text".utf8)
    request.lifetime = lifetime
    _ = try await store.create(request, at: path(name))
  }

  @Test(arguments: [(60, 10_000), (3200, 200_000)])
  func aRestartNeverShortensAStreamsTime(seconds: Int, untold: Int) async throws {
    let database = try TemporaryDatabase()
    let clock = TestClock(milliseconds: 1_000_000)
    try await database.withStore(store: options(clock)) { store in
      try await create(store, "a", .idle(seconds: seconds))
      // Not more than what is left out of what is stored: the database does not know of this use.
      clock.advance(milliseconds: untold)
      try await store.stream(at: path("a")).noteUse()
    }
    clock.advance(milliseconds: seconds * 1000 - 1)
    try await database.withStore(store: options(clock)) { store in
      try await expect("a", store, isThere: true)
      clock.advance(milliseconds: 1)
      try await expect("a", store, isThere: false)
      #expect(store.count == 0)
    }
  }

  @Test func usesThatAreLongApartAreStored() async throws {
    let database = try TemporaryDatabase()
    let clock = TestClock(milliseconds: 1_000_000)
    try await database.withStore(store: options(clock)) { store in
      try await create(store, "a", .idle(seconds: 60))
      for _ in 0..<20 {
        clock.advance(milliseconds: 20_000)
        try await store.stream(at: path("a")).noteUse()
      }
    }
    clock.advance(milliseconds: 59_999)
    try await database.withStore(store: options(clock)) { store in
      try await expect("a", store, isThere: true)
    }
  }

  /// Should the server end, its readers come again.
  @Test func readersKeepAStreamOverARestart() async throws {
    let database = try TemporaryDatabase()
    let clock = TestClock(milliseconds: 1_000_000)
    try await database.withStore(store: options(clock)) { store in
      try await create(store, "a", .idle(seconds: 60))
      let stream = try await store.stream(at: path("a"))
      _ = stream.subscribe {}
      for _ in 0..<200 {
        clock.advance(milliseconds: 5_000)
        await store.removeExpired()
      }
    }
    clock.advance(milliseconds: 59_999)
    try await database.withStore(store: options(clock)) { store in
      try await expect("a", store, isThere: true)
    }
  }

  @Test func aStreamThatIsForgottenKeepsItsTime() async throws {
    let database = try TemporaryDatabase()
    let clock = TestClock(milliseconds: 1_000_000)
    try await database.withStore(store: options(clock)) { store in
      try await create(store, "a", .idle(seconds: 16))
      clock.advance(milliseconds: 500)
      try await store.stream(at: path("a")).noteUse()
      // The first sweep has the use stored.
      for _ in 0..<10_000 where store.loadedCount > 0 {
        store.sweep()
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(store.loadedCount == 0)
      clock.advance(milliseconds: 15_999)
      try await expect("a", store, isThere: true)
      clock.advance(milliseconds: 1)
      try await expect("a", store, isThere: false)
    }
  }

  @Test func whatNobodyAsksForIsRemovedToo() async throws {
    let database = try TemporaryDatabase()
    let clock = TestClock(milliseconds: 1_000_000)
    try await database.withStore(store: options(clock)) { store in
      try await create(store, "idle", .idle(seconds: 16))
      try await create(store, "moment", .until(Timestamp(milliseconds: 1_010_000)))
      try await create(store, "lasting", .unlimited)
    }
    try await database.withStore(store: options(clock)) { store in
      await store.removeExpired()
      #expect(store.count == 3)
      clock.advance(milliseconds: 10_000)
      await store.removeExpired()
      #expect(store.count == 2)
      // What nobody has loaded is removed when its time is over for certain.
      clock.advance(milliseconds: 15_999)
      await store.removeExpired()
      #expect(store.count == 2)
      clock.advance(milliseconds: 1)
      await store.removeExpired()
      #expect(store.count == 1)
      try await expect("lasting", store, isThere: true)
    }
  }
}
