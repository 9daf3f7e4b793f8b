import Foundation
package import Markup
import Synchronization

/// All streams by their paths.
package final class StreamStore: @unchecked Sendable {
  // Safe: `streams` and `lastIncarnation` are touched only between `lock` and `unlock` of `lock`; the rest
  // never changes.

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
  private var streams: [StreamPath: BlockStream] = [:]
  private var nextIncarnation: UInt64

  /// An empty store.
  package init(options: Options = Options(), engine: any SourceLogEngine = MemorySourceLogEngine()) {
    self.options = options
    self.engine = engine
    budget = StoreBudget(
      maxStreamBytes: options.maxStreamBytes, maxTotalBytes: options.maxTotalBytes)
    nextIncarnation = options.firstIncarnation
  }

  /// The number of streams.
  package var count: Int {
    lock.lock()
    defer { lock.unlock() }
    return streams.count
  }

  /// The source bytes that all streams hold.
  package var totalBytes: Int { budget.totalBytes }

  /// Whether the blocks of a large stream have been dropped, so that it has to be looked whether they are needed.
  package var hasLargeDropped: Bool { budget.largeDropped.load(ordering: .relaxed) > 0 }

  /// The stream at a path, if there is one.
  package func find(_ path: StreamPath) -> BlockStream? {
    lock.lock()
    defer { lock.unlock() }
    return streams[path]
  }

  /// The stream at a path.
  package func stream(at path: StreamPath) throws(StreamError) -> BlockStream {
    guard let stream = find(path) else { throw .noStream(path: path.description) }
    return stream
  }

  /// Appends to the stream at a path, and creates it where there is none and configuration allows.
  package func append(
    _ request: AppendRequest, to path: StreamPath
  ) throws(StreamError) -> Appended {
    if let stream = find(path) { return try stream.append(request) }
    guard options.createOnAppend else { throw .noStream(path: path.description) }
    // There is no tail that could be the expected one.
    guard request.expectedOffset == nil else { throw .noStream(path: path.description) }
    guard !request.bytes.isEmpty || request.closes else { throw .emptyAppend }

    // The first append is made before anyone can see the stream, so that a refused one leaves nothing.
    let created = try makeStream(at: path, request.configuration)
    let appended = try created.append(request, isFirst: true)
    switch insert(created) {
    case .inserted: return appended
    case .full:
      created.discard()
      throw .tooManyStreams(limit: options.maxStreams)
    case .exists(let other):
      created.discard()
      return try other.append(request)
    }
  }

  private func makeStream(
    at path: StreamPath, _ request: StreamConfiguration.Request
  ) throws(StreamError) -> BlockStream {
    let configuration = try StreamConfiguration(request, defaultDialect: options.defaultDialect)
    let incarnation = takeIncarnation()
    do throws(SourceLogError) {
      let log = try engine.makeLog(path: path, incarnation: incarnation, configuration: configuration)
      return BlockStream(
        path: path, incarnation: incarnation, configuration: configuration, log: log, budget: budget)
    } catch {
      throw .storageUnavailable
    }
  }

  private func takeIncarnation() -> UInt64 {
    lock.lock()
    defer { lock.unlock() }
    defer { nextIncarnation += 1 }
    return nextIncarnation
  }

  private enum Insertion {
    case inserted
    case exists(BlockStream)
    case full
  }

  private func insert(_ stream: BlockStream) -> Insertion {
    lock.lock()
    defer { lock.unlock() }
    if let other = streams[stream.path] { return .exists(other) }
    guard streams.count < options.maxStreams else { return .full }
    streams[stream.path] = stream
    return .inserted
  }

  /// Forgets the stream at a path. Readers and writers that hold it keep what they have; a later append to the
  /// path creates another stream, which refuses this one's tokens.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  package func remove(_ path: StreamPath) -> Bool {
    guard let stream = take(path) else { return false }
    stream.discard()
    return true
  }

  private func take(_ path: StreamPath) -> BlockStream? {
    lock.lock()
    defer { lock.unlock() }
    return streams.removeValue(forKey: path)
  }

  /// Drops the blocks of streams that nobody has used since the sweep before the last one. Called twice within
  /// the time after which idle blocks go.
  ///
  /// - Returns: the number of streams whose blocks were dropped.
  @discardableResult
  package func sweep() -> Int {
    let tick = budget.nextTick() - 1
    var dropped = 0
    for stream in all where stream.dropParsed(unusedSince: tick) { dropped += 1 }
    return dropped
  }

  private var all: [BlockStream] {
    lock.lock()
    defer { lock.unlock() }
    return Array(streams.values)
  }
}
