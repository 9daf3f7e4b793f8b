import BlockDiff
import Foundation
import Markup
import StreamStore
import Testing

@testable import SQLiteLog

struct SQLiteSourceLogEngineTests {
  private let path = StreamPath("demo")!

  private func request(
    _ text: String, closes: Bool = false, producer: (epoch: Int, sequence: Int)? = nil,
    sequence: String? = nil,
    configuration: StreamConfiguration.Request = .init()
  ) -> AppendRequest {
    AppendRequest(
      bytes: Array(text.utf8), closes: closes,
      producer: producer.map { ProducerStamp(id: [0x70], epoch: $0.epoch, sequence: $0.sequence) },
      sequence: sequence.map { Array($0.utf8) }, configuration: configuration)
  }

  // MARK: - Coming back

  @Test func streamsComeBackAsTheyWere() async throws {
    let database = try TemporaryDatabase()
    let text = "# Trip\n\n<think>\n- socks\n- maps"
    let (token, snapshot) = try await database.withStore { store in
      for chunk in [text.prefix(10), text.dropFirst(10)] {
        _ = try await store.append(request(String(chunk)), to: path)
      }
      let stream = try await store.stream(at: path)
      return (stream.status.tail, try await stream.snapshot(shape: .flat).json)
    }
    try await database.withStore { store in
      #expect(store.count == 1 && store.totalBytes == text.utf8.count)
      #expect(store.find(path) == nil)
      let stream = try await store.stream(at: path)
      #expect(!stream.isParsed)
      // A reader's token is good, and goes on to what comes after.
      #expect(try stream.position(of: token) == token.position)
      #expect(try await stream.snapshot(shape: .flat).json == snapshot)
      var document = try BlockDocument(snapshot: snapshot)
      _ = try await store.append(request("\n- more", closes: true), to: path)
      try document.apply(diff: try await stream.changes(since: token.position).json)
      #expect(try await BlockDocument(snapshot: stream.snapshot(shape: .flat).json) == document)
    }
    try await database.withStore { store in
      let stream = try await store.stream(at: path)
      #expect(stream.status.isFinished)
      await #expect(throws: StreamError.closed(tail: stream.status.tail)) {
        try await store.append(request("x"), to: path)
      }
    }
  }

  @Test func producersAndSequencesComeBack() async throws {
    let database = try TemporaryDatabase()
    try await database.withStore { store in
      _ = try await store.append(request("a", producer: (2, 0), sequence: "7"), to: path)
      _ = try await store.append(request("b", producer: (2, 1)), to: path)
    }
    try await database.withStore { store in
      let again = try await store.append(request("b", producer: (2, 1)), to: path)
      #expect(again.isDuplicate && again.producer?.sequence == 1)
      await #expect(throws: StreamError.sequenceGap(expected: 2, received: 3)) {
        try await store.append(request("d", producer: (2, 3)), to: path)
      }
      await #expect(throws: StreamError.staleEpoch(current: 2)) {
        try await store.append(request("d", producer: (1, 0)), to: path)
      }
      await #expect(throws: StreamError.sequenceRegressed(last: "7")) {
        try await store.append(request("d", sequence: "7"), to: path)
      }
      #expect(try await !store.append(request("c", closes: true, producer: (2, 2)), to: path).isDuplicate)
    }
    try await database.withStore { store in
      // What closed the stream may come again.
      let again = try await store.append(request("c", closes: true, producer: (2, 2)), to: path)
      #expect(again.isDuplicate)
    }
  }

  @Test func aDialectStaysAsItWasWhenTheStreamWasCreated() async throws {
    let database = try TemporaryDatabase()
    var dialect = Dialect.chat
    dialect.name = "house"
    dialect.components["memo"] = .init(content: .raw)
    try await database.withStore { store in
      _ = try await store.append(
        request("<memo>\n- a\n", configuration: .init(dialect: dialect, open: ["think"])), to: path)
    }
    try await database.withStore { store in
      let stream = try await store.stream(at: path)
      #expect(stream.configuration.dialect == dialect)
      #expect(stream.configuration.options.open == ["think"])
    }
  }

  @Test func incarnationsAreNeverGivenOutAgain() async throws {
    let database = try TemporaryDatabase()
    var first: OffsetToken?
    try await database.withStore(
      store: {
        var o = StreamStore.Options(); o.firstIncarnation = 500; return o
      }()
    ) {
      first = try await $0.append(request("a"), to: path).status.tail
      try await $0.remove(path)
    }
    #expect(first?.incarnation == 500)
    // The clock that numbers incarnations has gone back.
    try await database.withStore { store in
      #expect(store.count == 0 && store.totalBytes == 0)
      let second = try await store.append(request("abc"), to: path).status.tail
      #expect(second.incarnation == 501)
      let stream = try await store.stream(at: path)
      #expect(throws: StreamError.offsetGone(current: second)) {
        try stream.position(of: try #require(first))
      }
    }
  }

  @Test func readsEveryRangeOverItsPieces() async throws {
    let database = try TemporaryDatabase()
    let engine = try database.open()
    defer { engine.close() }
    let log = engine.makeLog(NewSource(path: path, incarnation: 1, configuration: Array("{}".utf8)))
    var generator = SystemRandomNumberGenerator()
    var expected: [UInt8] = []
    for size in [1, 0, 70_000, 3, 65_536, 131_072, 9, 200_001] {
      let piece = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let receipt = try log.commit(SourceEntry(bytes: piece), at: expected.count)
      #expect(await receipt?.settled() == .stored)
      expected += piece
    }
    for _ in 0..<200 {
      let start = Int.random(in: 0...expected.count)
      let end = Int.random(in: start...expected.count)
      #expect(try await log.read(start..<end) == Array(expected[start..<end]))
    }
    #expect(try await log.read(0..<expected.count) == expected)
    await #expect(throws: SourceLogError.damaged) { try await log.read(0..<expected.count + 1) }
  }

  @Test func entriesBehindOneThatFailedAreRefused() async throws {
    let database = try TemporaryDatabase()
    let engine = try database.open()
    defer { engine.close() }
    let log = engine.makeLog(NewSource(path: path, incarnation: 1, configuration: Array("{}".utf8)))
    #expect(try await log.commit(SourceEntry(bytes: [1]), at: 0)?.settled() == .stored)
    #expect(try await log.commit(SourceEntry(bytes: [2]), at: 5)?.settled() == .refused)
    #expect(try await log.commit(SourceEntry(bytes: [3]), at: 1)?.settled() == .stored)
    #expect(try await log.read(0..<2) == [1, 3])
  }

  // MARK: - Opening

  @Test func aSecondServerIsToldThatTheFileIsInUse() throws {
    let database = try TemporaryDatabase()
    let engine = try database.open()
    #expect(throws: SQLiteLogError.inUse(path: database.path, process: Int(getpid()))) { try database.open() }
    engine.close()
  }

  @Test func otherFilesAreLeftAlone() throws {
    let database = try TemporaryDatabase()
    try Connection(path: database.path).run("CREATE TABLE theirs (a)")
    let theirs = try Data(contentsOf: URL(filePath: database.path))
    #expect(throws: SQLiteLogError.foreign(path: database.path)) { try database.open() }
    #expect(try Data(contentsOf: URL(filePath: database.path)) == theirs)

    let text = try TemporaryDatabase()
    let content = String(repeating: "This is no database at all.\n", count: 400)
    try content.write(toFile: text.path, atomically: false, encoding: .utf8)
    #expect(throws: SQLiteLogError.self) { try text.open() }
    #expect(try String(contentsOfFile: text.path, encoding: .utf8) == content)
  }

  @Test func aNewerVersionIsRefused() throws {
    let database = try TemporaryDatabase()
    try database.open().close()
    try Connection(path: database.path).run("PRAGMA user_version = \(Schema.version + 1)")
    #expect(
      throws: SQLiteLogError.newer(
        path: database.path, version: Schema.version + 1, known: Schema.version)
    ) { try database.open() }
  }

  @Test func aPlaceWithoutADirectoryIsNamed() {
    #expect(throws: SQLiteLogError.self) { try SQLiteSourceLogEngine(path: "/nowhere/at/all/mooring.sqlite") }
  }

  // MARK: - Chores

  @Test func piecesOfAClosedStreamBecomeFew() async throws {
    let database = try TemporaryDatabase()
    let engine = try database.open()
    defer { engine.close() }
    let store = StreamStore(engine: engine)
    var text = ""
    for number in 0..<3000 {
      let chunk = "word \(number) and some more of them\n"
      text += chunk
      _ = try await store.append(request(chunk), to: path)
    }
    #expect(try database.number("SELECT count(*) FROM chunks") == 3000)
    _ = try await store.append(request("", closes: true), to: path)
    #expect(try await database.wait("SELECT count(*) FROM chores", for: 0))
    #expect(try database.number("SELECT count(*) FROM chunks") <= 3)
    let stream = try await store.stream(at: path)
    #expect(try await stream.source(upTo: ByteOffset(text.utf8.count)).bytes == Array(text.utf8))
  }

  @Test func nothingIsLeftOfARemovedStream() async throws {
    let database = try TemporaryDatabase()
    let engine = try database.open()
    defer { engine.close() }
    let store = StreamStore(engine: engine)
    for sequence in 0..<50 {
      _ = try await store.append(request("some text\n", producer: (0, sequence)), to: path)
    }
    #expect(try await store.remove(path))
    #expect(try await !store.remove(path))
    await #expect(throws: StreamError.noStream(path: "demo")) { try await store.stream(at: path) }
    #expect(try await database.wait("SELECT count(*) FROM chores", for: 0))
    for table in ["streams", "chunks", "producers"] {
      #expect(try database.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
    }
    #expect(store.count == 0 && store.totalBytes == 0)
  }

  // MARK: - Memory

  @Test func idleStreamsAreForgottenAndLoadedAgain() async throws {
    try await TemporaryDatabase().withStore { store in
      _ = try await store.append(request("# A"), to: path)
      var stream: BlockStream? = try await store.stream(at: path)
      let snapshot = try await stream?.snapshot(shape: .flat).json
      for _ in 0..<4 { store.sweep() }
      #expect(store.find(path) === stream, "a stream that somebody holds stays")
      let reader = stream?.subscribe {}
      stream = nil
      store.sweep()
      #expect(store.find(path) != nil, "a stream with readers stays")
      reader.map { store.find(path)?.unsubscribe($0) }
      store.sweep()
      #expect(store.find(path) == nil)
      #expect(store.count == 1)
      #expect(try await store.stream(at: path).snapshot(shape: .flat).json == snapshot)
    }
  }
}
