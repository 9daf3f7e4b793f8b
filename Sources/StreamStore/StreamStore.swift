import Foundation
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

    /// The defaults.
    package init() {}
  }

  package let options: Options
  private let engine: any SourceLogEngine
  private let budget: StoreBudget
  private let lock = NSLock()
  /// The streams in memory.
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
    budget = StoreBudget(
      maxStreamBytes: options.maxStreamBytes, maxTotalBytes: options.maxTotalBytes, totalBytes: totals.bytes)
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

  /// The stream at a path, if it is in memory.
  package func find(_ path: StreamPath) -> BlockStream? { locked { streams[path] } }

  /// The stream at a path, which is loaded if need be.
  package func stream(at path: StreamPath) async throws(StreamError) -> BlockStream {
    if let stream = find(path) { return stream }
    guard let stream = try await claim(path) else {
      endClaim(path, nil)
      throw .noStream(path: path.description)
    }
    return stream
  }

  // MARK: - Appending

  /// Appends to the stream at a path, and creates it where there is none and configuration allows.
  package func append(
    _ request: AppendRequest, to path: StreamPath
  ) async throws(StreamError) -> Appended {
    if let stream = find(path) { return try await stream.append(request) }
    if let stream = try await claim(path) { return try await stream.append(request) }
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
    guard let incarnation = takeIncarnation() else { throw .tooManyStreams(limit: options.maxStreams) }
    let path = path.owned
    let stream = BlockStream(
      path: path, incarnation: incarnation, configuration: configuration,
      log: engine.makeLog(path: path, incarnation: incarnation, configuration: configuration.encoded),
      budget: budget)
    do throws(StreamError) {
      return (stream, try await stream.append(request))
    } catch {
      locked { streamCount -= 1 }
      throw error
    }
  }

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
    return BlockStream(
      path: path, incarnation: stored.incarnation, configuration: configuration, state: stored.state,
      log: stored.log, budget: budget)
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

  /// Removes the stream at a path. Readers that hold it keep what they have, and appends to it are refused; a
  /// later append to the path creates another stream, which refuses this one's tokens.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  package func remove(_ path: StreamPath) async throws(StreamError) -> Bool {
    while true {
      guard let stream = try await claim(path) else {
        endClaim(path, nil)
        return false
      }
      // Another may have removed it, and even created the next, in between.
      guard claim(path, from: stream) else { continue }
      defer { endClaim(path, nil) }
      stream.discard()
      do throws(SourceLogError) {
        try await stream.log.remove()
      } catch {
        // It is still stored, and is loaded again.
        throw StreamError(error)
      }
      // All that was on its way has settled before the removal.
      stream.showStored()
      budget.release(stream.acceptedBytes)
      locked { streamCount -= 1 }
      return true
    }
  }

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
          if !isKnownUniquelyReferenced(&stream) || !stream.isIdle { streams[path] = stream }
        }
      }
      paths = paths.dropFirst(256)
    }
  }
}
