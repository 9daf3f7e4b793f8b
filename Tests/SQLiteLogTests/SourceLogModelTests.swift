import BlockDiff
import Checker
import Foundation
import Markup
import StreamStore
import Synchronization
import Testing

@testable import SQLiteLog

/// Operations drawn at random, on both engines, beside a model of what they have to give: appends, producers,
/// creation, forks, deletion, expiry, restarts. `MOORING_MODEL_RUNS` says how many runs each engine gets, 12 if it
/// does not.
struct SourceLogModelTests {
  enum Engine: String, CaseIterable, Sendable { case memory, sqlite }

  private static let runs =
    ProcessInfo.processInfo.environment["MOORING_MODEL_RUNS"].flatMap { Int($0) } ?? 12

  @Test(arguments: Engine.allCases, 0..<runs)
  func doesAsTheModel(engine kind: Engine, seed: Int) async throws {
    var run = try ModelRun(kind, seed: UInt64(seed))
    defer { run.close() }
    for step in 0..<500 { try await run.step(step) }
    try await run.checkAll(500)
  }
}

/// One run of operations.
private struct ModelRun {
  private static let paths = ["a", "b", "c", "d", "e"]
  private static let start = 1_800_000_000_000

  private let kind: SourceLogModelTests.Engine
  private let database: TemporaryDatabase
  private let clock: TestClock
  private var sqlite: SQLiteSourceLogEngine?
  private var store: StreamStore
  private var generator: SeededGenerator
  private var model: [String: ModelStream] = [:]
  private var lastIncarnation: UInt64 = 0

  init(_ kind: SourceLogModelTests.Engine, seed: UInt64) throws {
    self.kind = kind
    database = try TemporaryDatabase()
    clock = TestClock(milliseconds: Self.start)
    generator = SeededGenerator(seed: seed)
    store = StreamStore()
    try open()
  }

  func close() { sqlite?.close() }

  /// Opens a store: with a database, on what another has stored there.
  private mutating func open() throws {
    var options = StreamStore.Options()
    let clock = clock
    options.clock = { clock.now }
    // Little, so that blocks are dropped in the middle of it all.
    options.maxParsedBytes = generator.below(2) == 0 ? 10 << 10 : 1 << 20
    guard kind == .sqlite else {
      store = StreamStore(options: options)
      return
    }
    sqlite?.close()
    let engine = try database.open()
    sqlite = engine
    store = StreamStore(options: options, engine: engine)
    for (path, stream) in model {
      // Not every use is stored; how much later the last may have been is.
      model[path]?.lastUse =
        stream.lastUse.lowerBound...stream.lastUse.upperBound + stream.lifetime.untoldMilliseconds
    }
  }

  private var now: Int { clock.now.milliseconds }

  // MARK: - Steps

  mutating func step(_ step: Int) async throws {
    let name = Self.paths[generator.below(Self.paths.count)]
    let path = try #require(StreamPath(name))
    try await settle(name, path, step)
    switch generator.below(24) {
    case 0 where kind == .sqlite: try open()
    case 0, 1: store.sweep()
    case 2, 3: clock.advance(milliseconds: generator.below(4000))
    case 4: await store.removeExpired()
    case 5, 6: try await remove(name, path, step)
    case 7, 8, 9: try await create(name, path, step)
    case 10, 11, 12: try await read(name, path, step)
    default: try await append(name, path, step)
    }
    if step.isMultiple(of: 7) { try await checkTotals(step) }
  }

  /// Looks for a stream, so that one whose time is over is gone.
  private mutating func settle(_ name: String, _ path: StreamPath, _ step: Int) async throws {
    guard let stream = model[name], !stream.isKept else { return }
    let isThere: Bool
    do throws(StreamError) {
      isThere = try await store.existing(path) != nil
    } catch {
      #expect(error == .deleted(path: name), "step \(step)")
      isThere = false
    }
    if let isExpired = stream.isExpired(at: now) { #expect(isThere != isExpired, "step \(step): \(name)") }
    if !isThere { removeFromModel(name) }
  }

  private mutating func removeFromModel(_ name: String) {
    guard let stream = model[name] else { return }
    if model.values.contains(where: { $0.source?.incarnation == stream.incarnation }) {
      model[name]?.isKept = true
      return
    }
    model[name] = nil
    guard let source = stream.source, model[source.path]?.isKept ?? false else { return }
    removeFromModel(source.path)
  }

  private mutating func remove(_ name: String, _ path: StreamPath, _ step: Int) async throws {
    if model[name]?.isKept ?? false {
      await #expect(throws: StreamError.deleted(path: name), "step \(step)") { try await store.remove(path) }
      return
    }
    let isRemoved = try await store.remove(path)
    #expect(isRemoved == (model[name] != nil), "step \(step)")
    removeFromModel(name)
  }

  private mutating func read(_ name: String, _ path: StreamPath, _ step: Int) async throws {
    guard let expected = model[name], !expected.isKept else {
      let error = model[name] == nil ? StreamError.noStream(path: name) : .deleted(path: name)
      await #expect(throws: error, "step \(step)") { try await store.stream(at: path) }
      return
    }
    let stream = try await store.stream(at: path)
    if generator.below(2) == 0 {
      stream.noteUse()
      let now = now
      model[name]?.lastUse = now...now
    }
    try await check(stream, expected, step)
  }

  // MARK: - Creation

  private mutating func create(_ name: String, _ path: StreamPath, _ step: Int) async throws {
    var request = CreationRequest()
    request.configuration.contentType = "text/markdown"
    if generator.below(3) == 0 { request.bytes = Array("# New\n".utf8) }
    request.closes = generator.below(6) == 0
    switch generator.below(4) {
    case 0: request.lifetime = .idle(seconds: 1 + generator.below(8))
    case 1: request.lifetime = .until(Timestamp(milliseconds: now + generator.below(9000)))
    default: break
    }
    let sourceName = Self.paths[generator.below(Self.paths.count)]
    var offset: Int?
    let isFork = generator.below(2) == 0
    if isFork {
      let sourcePath = try #require(StreamPath(sourceName))
      try await settle(sourceName, sourcePath, step)
      // What is settled may have been the stream itself.
      guard let source = model[sourceName], !source.isKept else { return }
      if generator.below(3) > 0 { offset = generator.below(source.bytes.count + 1) }
      request.fork = .init(
        source: try await store.stream(at: sourcePath), offset: offset.map { ByteOffset($0) })
    }
    let result: Result<Created, StreamError>
    do throws(StreamError) {
      result = .success(try await store.create(request, at: path))
    } catch {
      result = .failure(error)
    }
    if let existing = model[name] {
      let isSame =
        !existing.isKept && existing.isClosed == request.closes
        && existing.source?.path == (isFork ? sourceName : nil)
        && (offset == nil || offset == existing.forkOffset)
        && existing.lifetime == request.lifetime ?? (isFork ? existing.lifetime : .unlimited)
      #expect(isSame == ((try? result.get().isNew) == false), "step \(step): \(result)")
      return
    }
    let stream = try result.get().stream
    #expect(try result.get().isNew, "step \(step)")
    #expect(stream.incarnation > lastIncarnation, "step \(step)")
    lastIncarnation = stream.incarnation
    var expected = ModelStream(incarnation: stream.incarnation)
    if isFork, let source = model[sourceName] {
      expected = source.fork(sourceName, at: offset ?? source.bytes.count, incarnation: stream.incarnation)
    }
    expected.write(request.bytes)
    expected.isClosed = request.closes
    if let lifetime = request.lifetime { expected.lifetime = lifetime }
    expected.lastUse = now...now
    model[name] = expected
    // That of a fork whose end is its source's may be over at once.
    try await settle(name, path, step)
    if let expected = model[name], !expected.isKept { try await check(stream, expected, step) }
  }

  // MARK: - Appends

  private mutating func append(_ name: String, _ path: StreamPath, _ step: Int) async throws {
    let present = model[name]
    let request = Self.request(&generator, present)
    let result: Result<Appended, StreamError>
    do throws(StreamError) {
      result = .success(try await store.append(request, to: path))
    } catch {
      result = .failure(error)
    }
    if model[name]?.isKept ?? false {
      #expect(result.error == .deleted(path: name), "step \(step)")
      return
    }
    var stream = model[name] ?? ModelStream(incarnation: result.incarnation ?? lastIncarnation + 1)
    let expected = stream.append(request)
    if model[name] == nil, request.expectedOffset != nil {
      #expect(result.error == .noStream(path: name), "step \(step)")
      return
    }
    switch expected {
    case .success(let isDuplicate):
      let appended = try result.get()
      #expect(appended.isDuplicate == isDuplicate, "step \(step)")
      #expect(appended.status.tail == stream.tail, "step \(step)")
      #expect(appended.status.isFinished == stream.isClosed, "step \(step)")
      if model[name] == nil {
        #expect(stream.incarnation > lastIncarnation, "step \(step)")
        lastIncarnation = stream.incarnation
      }
      if !isDuplicate { stream.lastUse = now...now }
      model[name] = stream
    case .failure(let error): #expect(result.error == error, "step \(step)")
    }
  }

  private static func request(
    _ generator: inout SeededGenerator, _ stream: ModelStream?
  ) -> AppendRequest {
    let pieces = ["# A\n", "- b\n", "\n", "word ", "| c |\n|---|\n", "```\n", "<think>\n", ""]
    var request = AppendRequest(bytes: Array(pieces[generator.below(pieces.count)].utf8))
    request.wantsDiff = generator.below(3) > 0
    if generator.below(25) == 0 { request.closes = true }
    if generator.below(3) == 0 {
      let id = Array("p\(generator.below(2))".utf8)
      let last = stream?.producers[id]
      request.producer = ProducerStamp(
        id: id, epoch: max(0, (last?.epoch ?? 0) + [0, 0, 0, 0, 1, -1][generator.below(6)]),
        sequence: max(0, (last?.sequence ?? -1) + [1, 1, 1, 1, 0, 2, -3][generator.below(7)]))
    }
    if generator.below(6) == 0 { request.sequence = Array("\(generator.below(10))".utf8) }
    if generator.below(6) == 0 {
      var tail = stream?.tail ?? OffsetToken(incarnation: 1, position: .zero)
      if generator.below(2) == 0 { tail.position.value += 1 }
      request.expectedOffset = tail
    }
    return request
  }

  // MARK: - Checks

  private mutating func checkTotals(_ step: Int) async throws {
    for name in Self.paths { try await settle(name, try #require(StreamPath(name)), step) }
    #expect(store.count == model.count, "step \(step)")
    #expect(store.totalBytes == model.values.reduce(0) { $0 + $1.ownByteCount }, "step \(step)")
  }

  mutating func checkAll(_ step: Int) async throws {
    try await checkTotals(step)
    for (name, expected) in model where !expected.isKept {
      try await check(try await store.stream(at: try #require(StreamPath(name))), expected, step)
    }
    // Nothing is kept for forks that are gone.
    for name in Self.paths {
      let path = try #require(StreamPath(name))
      if model[name]?.isKept == false { try await remove(name, path, step) }
    }
    #expect(model.isEmpty && store.count == 0 && store.totalBytes == 0, "step \(step)")
  }

  private func check(_ stream: BlockStream, _ expected: ModelStream, _ step: Int) async throws {
    #expect(stream.status.tail == expected.tail, "step \(step)")
    #expect(stream.status.position == expected.position, "step \(step)")
    #expect(stream.status.isFinished == expected.isClosed, "step \(step)")
    let (bytes, _) = try await stream.source(upTo: ByteOffset(expected.bytes.count))
    #expect(bytes == expected.bytes, "step \(step)")
    for (position, token) in expected.tokens.enumerated() {
      #expect(try stream.position(of: token).value == position, "step \(step)")
    }
    var parser = MarkupParser(dialect: .chat)
    parser.append(expected.bytes.span)
    if expected.isClosed { parser.finish() }
    let snapshot = try await BlockDocument(snapshot: stream.snapshot(shape: .flat).json)
    #expect(
      try snapshot == BlockDocument(parser.blocks, incarnation: expected.position.incarnation),
      "step \(step)")
  }
}

/// A clock that stands until a test moves it.
final class TestClock: Sendable {
  private let milliseconds: Atomic<Int>

  init(milliseconds: Int) { self.milliseconds = Atomic(milliseconds) }

  var now: Timestamp { Timestamp(milliseconds: milliseconds.load(ordering: .relaxed)) }

  func advance(milliseconds count: Int) { milliseconds.add(count, ordering: .relaxed) }
}

extension Result<Appended, StreamError> {
  fileprivate var error: StreamError? { if case .failure(let error) = self { error } else { nil } }
  fileprivate var incarnation: UInt64? {
    if case .success(let appended) = self { appended.status.tail.incarnation } else { nil }
  }
}
