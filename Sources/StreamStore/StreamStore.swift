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
  private let engine: any SourceLogEngine
  private let budget: StoreBudget
  private let lock = NSLock()
  private let start: Timestamp
  /// The streams in memory, and those that are kept for forks.
  private var streams: [StreamPath: BlockStream] = [:]
  /// The paths whose stream someone loads, creates or removes, and who waits for that.
  private var claims: [StreamPath: [CheckedContinuation<BlockStream?, Never>]] = [:]
  private var configurations: [[UInt8]: StreamConfiguration] = [:]
  private var streamCount: Int
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

  private func locked<Result>(_ body: () -> Result) -> Result {
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

  /// What the blocks in memory take, by estimate.
  package var parsedBytes: Int { budget.parsed.bytes }

  /// The number of streams in memory, with and without blocks.
  package var loadedCount: Int { locked { streams.count } }

  /// The stream at a path, if it is in memory.
  package func find(_ path: StreamPath) -> BlockStream? { locked { streams[path] } }

  /// The stream at a path, which is loaded if need be.
  package func stream(at path: StreamPath) async throws(StreamError) -> BlockStream {
    guard let stream = try await existing(path) else { throw .noStream(path: path.description) }
    return stream
  }

  /// The stream at a path, or `nil`.
  ///
  /// - Throws: `.deleted` where it is only kept for its forks.
  package func existing(_ path: StreamPath) async throws(StreamError) -> BlockStream? {
    guard let stream = try await claimUnlessThere(path) else {
      endClaim(path, nil)
      return nil
    }
    guard stream.isPresent else { throw stream.locked { stream.absence } }
    return stream
  }

  /// The stream at a path whose time is not over, also one that is kept for its forks. Where there is none, the
  /// path is the caller's until `endClaim`.
  private func claimUnlessThere(_ path: StreamPath) async throws(StreamError) -> BlockStream? {
    while true {
      var found = find(path)
      if found == nil { found = try await claim(path) }
      guard let stream = found else { return nil }
      guard stream.isExpired else { return stream }
      try await remove(stream)
    }
  }

  // MARK: - Appending

  /// Appends to the stream at a path, and creates it where there is none and configuration allows.
  package func append(
    _ request: AppendRequest, to path: StreamPath
  ) async throws(StreamError) -> Appended {
    if let stream = try await claimUnlessThere(path) { return try await stream.append(request) }
    do throws(StreamError) {
      let (stream, appended) = try await create(path, request)
      endClaim(path, stream)
      return appended
    } catch {
      endClaim(path, nil)
      throw error
    }
  }

  /// Creates a stream with its first append, before which nobody can see it, so that a refused one leaves
  /// nothing. The path is claimed.
  private func create(
    _ path: StreamPath, _ request: AppendRequest
  ) async throws(StreamError) -> (BlockStream, Appended) {
    guard options.createOnAppend else { throw .noStream(path: path.description) }
    // There is no tail that could be the expected one.
    guard request.expectedOffset == nil else { throw .noStream(path: path.description) }
    guard !request.bytes.isEmpty || request.closes else { throw .emptyAppend }
    let configuration = try StreamConfiguration(
      request.configuration, defaultDialect: options.defaultDialect)
    guard configuration.isMarkup || !request.wantsDiff else {
      throw .notMarkup(type: configuration.mediaType)
    }
    return try await create(path, configuration, .unlimited, nil, request)
  }

  private func create(
    _ path: StreamPath, _ configuration: StreamConfiguration, _ lifetime: Lifetime,
    _ fork: (source: BlockStream, offset: ByteOffset)?, _ first: AppendRequest
  ) async throws(StreamError) -> (BlockStream, Appended) {
    guard let incarnation = takeIncarnation() else { throw .tooManyStreams(limit: options.maxStreams) }
    let path = path.owned
    let source = NewSource(
      path: path, incarnation: incarnation, configuration: configuration.encoded, lifetime: lifetime,
      fork: fork.map { .init(source: $0.source.log, offset: $0.offset.value) })
    let stream = BlockStream(
      path: path, incarnation: incarnation, configuration: configuration, lifetime: lifetime, fork: fork,
      log: engine.makeLog(source), budget: budget)
    do throws(StreamError) {
      return (stream, try await stream.append(first))
    } catch {
      locked { streamCount -= 1 }
      throw error
    }
  }

  // MARK: - Creating

  /// Creates a stream, or finds that it is there as the request asks.
  ///
  /// - Throws: what `BlockStream.check` throws where another is there.
  package func create(
    _ request: CreationRequest, at path: StreamPath
  ) async throws(StreamError) -> Created {
    if let stream = try await claimUnlessThere(path) { return try found(stream, request) }
    do throws(StreamError) {
      let stream = try await make(request, at: path)
      endClaim(path, stream)
      return Created(stream: stream, isNew: true)
    } catch {
      endClaim(path, nil)
      throw error
    }
  }

  private func found(_ stream: BlockStream, _ request: CreationRequest) throws(StreamError) -> Created {
    guard stream.isPresent else { throw .pathInUse(path: stream.path.description) }
    try stream.check(request, source: request.fork?.source.path, offset: request.fork?.offset)
    return Created(stream: stream, isNew: false)
  }

  private func make(
    _ request: CreationRequest, at path: StreamPath
  ) async throws(StreamError) -> BlockStream {
    var first = AppendRequest(bytes: request.bytes, closes: request.closes)
    first.wantsDiff = false
    first.isCreation = true
    guard let fork = request.fork else {
      var asked = request.configuration
      asked.contentType = asked.contentType ?? request.defaultContentType
      let configuration = try StreamConfiguration(asked, defaultDialect: options.defaultDialect)
      return try await create(path, configuration, request.lifetime ?? .unlimited, nil, first).0
    }
    let source = fork.source
    try source.configuration.check(request.configuration, hasContent: true)
    let tail = source.status.tail
    let offset = fork.offset ?? tail.position
    guard offset <= tail.position else { throw .forkBeyondTail(tail: tail) }
    guard source.lineage.ancestors.count < Self.maxForkDepth else {
      throw .forkTooDeep(limit: Self.maxForkDepth)
    }
    do throws(StreamError) {
      return try await create(
        path, source.configuration, request.lifetime ?? source.lifetime, (source, offset), first
      ).0
    } catch {
      // The engine refuses a fork whose source was removed in between.
      switch source.locked({ source.presence }) {
      case .present: throw error
      case .discarded: throw .noStream(path: source.path.description)
      case .kept: throw .forkOfDeleted(path: source.path.description)
      }
    }
  }

  /// The most streams that a stream may have been forked from, one from the other: reading it looks at each.
  private static let maxForkDepth = 100

  /// Counts a stream that is being created; `nil` where there are as many as there may be.
  private func takeIncarnation() -> UInt64? {
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
  private func turn(_ path: StreamPath) async -> BlockStream? {
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
  private func endClaim(_ path: StreamPath, _ stream: BlockStream?) {
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
    return BlockStream(
      path: path, configuration: configuration, stored: stored, lastUse: lastUse, budget: budget)
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

  // MARK: - Removing

  /// Removes the stream at a path. Appends to it are refused from then on, and live readers woken; a later append to
  /// the path creates another stream, which refuses this one's tokens. A stream that has forks keeps its path.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `.deleted` where it had been removed before, and is kept for its forks.
  @discardableResult
  package func remove(_ path: StreamPath) async throws(StreamError) -> Bool {
    while let stream = try await existing(path) {
      // Another may have removed it, and even created the next, in between.
      if try await remove(stream) { return true }
    }
    return false
  }

  /// Removes a stream. False where another has it, who may remove it.
  @discardableResult
  private func remove(_ stream: BlockStream) async throws(StreamError) -> Bool {
    guard claim(stream.path, from: stream) else { return false }
    stream.discard()
    let removal: Removal
    do throws(SourceLogError) {
      removal = try await stream.log.remove()
    } catch {
      // It is still stored, and is loaded again.
      endClaim(stream.path, nil)
      throw StreamError(error)
    }
    // All that was on its way has settled before the removal.
    stream.showStored()
    switch removal {
    case .kept:
      stream.keep()
      endClaim(stream.path, stream)
    case .removed(let kept):
      forget(byteCount: stream.ownBytes)
      endClaim(stream.path, nil)
      for source in kept { await forget(source) }
    }
    return true
  }

  private func forget(byteCount: Int) {
    budget.release(byteCount)
    locked { streamCount -= 1 }
  }

  /// Forgets a stream that had been kept for its forks, the last of which is gone. Its path is free.
  private func forget(_ source: Removal.KeptSource) async {
    forget(byteCount: source.byteCount)
    guard let stream = await turn(source.path) else { return endClaim(source.path, nil) }
    locked {
      if stream.incarnation == source.incarnation, streams[source.path] === stream {
        streams[source.path] = nil
      }
    }
  }

  /// Removes the streams whose time is over. Whoever asks for one finds that out by himself; this is for those that
  /// nobody asks for.
  package func removeExpired() async {
    var paths = locked { Array(streams.values) }.filter(\.isExpired).map(\.path)
    if let stored = try? await engine.expiredPaths(at: budget.now, limit: Self.maxExpiredAtOnce) {
      paths += stored
    }
    for path in paths {
      // What cannot be removed now is found again.
      _ = try? await existing(path)
    }
  }

  private static let maxExpiredAtOnce = 1000

  private func claim(_ path: StreamPath, from stream: BlockStream) -> Bool {
    locked {
      guard streams[path] === stream, claims[path] == nil else { return false }
      streams[path] = nil
      claims[path.owned] = []
      return true
    }
  }

  // MARK: - Idle streams

  /// Drops the blocks of streams that nobody has used since the sweep before the last one, and forgets streams
  /// without blocks that can be loaded again. Called twice within the time after which idle blocks go.
  ///
  /// - Returns: the number of streams whose blocks were dropped.
  @discardableResult
  package func sweep() -> Int {
    if engine.isLasting { forgetIdle() }
    let tick = budget.nextTick() - 1
    var dropped = 0
    for stream in locked({ Array(streams.values) }) where stream.dropParsed(unusedSince: tick) {
      dropped += 1
    }
    return dropped
  }

  /// Forgets the streams that nobody holds: whoever loads one then has the only one of its path.
  private func forgetIdle() {
    var paths = locked { Array(streams.keys) }[...]
    // In slices, so that nobody waits long for the lock.
    while !paths.isEmpty {
      locked {
        for path in paths.prefix(256) {
          guard var stream = streams.removeValue(forKey: path) else { continue }
          if !isKnownUniquelyReferenced(&stream) || !stream.isIdle() { streams[path] = stream }
        }
      }
      paths = paths.dropFirst(256)
    }
  }
}

extension Timestamp {
  /// The moment of a date.
  package init(_ date: Date) {
    self.init(milliseconds: Int((date.timeIntervalSince1970 * 1000).rounded(.down)))
  }
}
