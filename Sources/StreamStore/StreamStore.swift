import BlockDiff
package import Foundation
package import Markup

/// All streams by their paths. Those that an engine has stored are loaded when they are first asked for.
package final class StreamStore: @unchecked Sendable {
  // Safe: every `var` is touched only between `lock` and `unlock` of `lock`; the rest never changes.

  /// How much is kept, and how.
  package struct Options: Sendable {
    /// Streams at a time.
    package var maxStreams = 100_000
    /// Source bytes of one stream.
    package var maxStreamBytes = 16 << 20
    /// Source bytes of all streams.
    package var maxTotalBytes = 1 << 30
    /// Whether an append to a path without a stream creates one.
    package var createOnAppend = true
    /// The dialect of streams that name none.
    package var defaultDialect = Dialect.chat
    /// The first incarnation given out. It must be above every one of an earlier run whose streams are gone, so
    /// that a token of that run is refused.
    package var firstIncarnation: UInt64 = 1
    /// What the blocks of all streams may take, by estimate.
    package var maxParsedBytes = 512 << 20
    /// The wall clock, by which streams end.
    package var clock: @Sendable () -> Timestamp = { Timestamp(Date()) }

    /// The defaults.
    package init() {}
  }

  package let options: Options
  let engine: any SourceLogEngine
  let budget: StoreBudget
  private let lock = NSLock()
  private let start: Timestamp
  /// The streams in memory, and those that are kept for forks.
  var streams: [StreamPath: BlockStream] = [:]
  /// The paths whose stream someone loads, creates or removes, and who waits for that.
  var claims: [StreamPath: [CheckedContinuation<BlockStream?, Never>]] = [:]
  private var configurations: [[UInt8]: StreamConfiguration] = [:]
  var streamCount: Int
  private var nextIncarnation: UInt64

  /// A store of the streams that the engine holds.
  package init(options: Options = Options(), engine: any SourceLogEngine = MemorySourceLogEngine()) {
    self.options = options
    self.engine = engine
    let totals = engine.totals
    budget = StoreBudget(options, totalBytes: totals.bytes)
    start = budget.now
    streamCount = totals.streams
    nextIncarnation = max(options.firstIncarnation, totals.lastIncarnation + 1)
  }

  func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// The number of streams.
  package var count: Int { locked { streamCount } }

  /// The source bytes that all streams hold.
  package var totalBytes: Int { budget.totalBytes }

  /// The wall clock.
  package var now: Timestamp { budget.now }

  /// Whether what was last appended could be stored.
  package var isStorageAvailable: Bool { engine.isAvailable }

  /// What the blocks in memory take, by estimate.
  package var parsedBytes: Int { budget.parsed.bytes }

  /// The number of streams in memory, with and without blocks.
  package var loadedCount: Int { locked { streams.count } }

  /// The stream at a path, if it is in memory.
  package func find(_ path: StreamPath) -> BlockStream? { locked { streams[path] } }

  /// As above, unless its time is over: what most requests need, without an asynchronous call.
  func findUnexpired(_ path: StreamPath) -> BlockStream? { find(path).flatMap { $0.isExpired ? nil : $0 } }

  /// The stream at a path, which is loaded if need be.
  package func stream(at path: StreamPath) async throws(StreamError) -> BlockStream {
    guard let stream = try await existing(path) else { throw .noStream(path: path.description) }
    return stream
  }

  /// The stream at a path, or `nil`.
  ///
  /// - Throws: `.deleted` where it is only kept for its forks.
  package func existing(_ path: StreamPath) async throws(StreamError) -> BlockStream? {
    if let stream = findUnexpired(path) {
      try stream.requirePresence()
      return stream
    }
    guard let stream = try await claimUnlessThere(path) else {
      endClaim(path, nil)
      return nil
    }
    try stream.requirePresence()
    return stream
  }

  /// The stream at a path whose time is not over, also one that is kept for its forks. Where there is none, the
  /// path is the caller's until `endClaim`.
  func claimUnlessThere(_ path: StreamPath) async throws(StreamError) -> BlockStream? {
    while true {
      var found = find(path)
      if found == nil { found = try await claim(path) }
      guard let stream = found else { return nil }
      guard stream.isExpired else { return stream }
      try await remove(stream)
    }
  }

  /// Counts a stream that is being created; `nil` where there are as many as there may be.
  func takeIncarnation() -> UInt64? {
    locked {
      guard streamCount < options.maxStreams else { return nil }
      streamCount += 1
      defer { nextIncarnation += 1 }
      return nextIncarnation
    }
  }

  // MARK: - Claims

  /// The stream at a path, loaded if need be. Where there is none, the path is the caller's until `endClaim`.
  private func claim(_ path: StreamPath) async throws(StreamError) -> BlockStream? {
    if let stream = await turn(path) { return stream }
    do throws(StreamError) {
      guard let stored = try await load(path) else { return nil }
      endClaim(path, stored)
      return stored
    } catch {
      endClaim(path, nil)
      throw error
    }
  }

  /// Waits until a path is nobody's: gives the stream that is there by then, or else the path to the caller.
  func turn(_ path: StreamPath) async -> BlockStream? {
    await withCheckedContinuation { continuation in
      switch takeTurn(path, continuation) {
      case .taken(let stream): continuation.resume(returning: stream)
      case .waits: break
      }
    }
  }

  private enum Turn {
    case taken(BlockStream?)
    case waits
  }

  private func takeTurn(
    _ path: StreamPath, _ continuation: CheckedContinuation<BlockStream?, Never>
  ) -> Turn {
    locked {
      if let stream = streams[path] { return .taken(stream) }
      guard claims[path] == nil else {
        claims[path]?.append(continuation)
        return .waits
      }
      claims[path.owned] = []
      return .taken(nil)
    }
  }

  /// Gives a path back: everybody who waits has the stream, or the first has the path.
  func endClaim(_ path: StreamPath, _ stream: BlockStream?) {
    let waiters = locked { () -> [CheckedContinuation<BlockStream?, Never>] in
      var waiters = claims.removeValue(forKey: path) ?? []
      if let stream {
        streams[stream.path] = stream
      } else if let first = waiters.first {
        waiters.removeFirst()
        claims[path.owned] = waiters
        return [first]
      }
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: stream) }
  }

  private func load(_ path: StreamPath) async throws(StreamError) -> BlockStream? {
    let stored: StoredStream?
    do throws(SourceLogError) {
      stored = try await engine.load(path)
    } catch {
      throw StreamError(error)
    }
    guard let stored else { return nil }
    guard let configuration = configuration(stored.configuration) else { throw .storageDamaged }
    var lastUse = stored.lastUse
    // What an earlier process did not store of it, it may have had.
    if lastUse < start { lastUse.milliseconds += stored.lifetime.untoldMilliseconds }
    // While a fork is there, its source's path is no other stream's.
    return BlockStream(
      path: path, configuration: configuration, stored: stored, source: stored.forkedFrom.flatMap(find),
      lastUse: lastUse, budget: budget)
  }

  /// Streams of one configuration share it: there are few, and each takes kilobytes.
  private func configuration(_ encoded: [UInt8]) -> StreamConfiguration? {
    if let known = locked({ configurations[encoded] }) { return known }
    guard let configuration = StreamConfiguration(encoded: encoded) else { return nil }
    locked {
      if configurations.count >= Self.maxSharedConfigurations { configurations = [:] }
      configurations[encoded] = configuration
    }
    return configuration
  }

  private static let maxSharedConfigurations = 256
}

extension Timestamp {
  /// The moment of a date.
  package init(_ date: Date) {
    self.init(milliseconds: Int((date.timeIntervalSince1970 * 1000).rounded(.down)))
  }
}
