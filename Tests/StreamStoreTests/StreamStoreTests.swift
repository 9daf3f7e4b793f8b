import BlockDiff
import Dispatch
import Markup
import Synchronization
import Testing

@testable import StreamStore

struct StreamStoreTests {
  private let path = StreamPath("demo")!

  private func store(_ configure: (inout StreamStore.Options) -> Void = { _ in }) -> StreamStore {
    var options = StreamStore.Options()
    configure(&options)
    return StreamStore(options: options)
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func token(_ position: Int, incarnation: UInt64 = 1) -> OffsetToken {
    OffsetToken(incarnation: incarnation, position: ByteOffset(position))
  }

  // MARK: - Appending

  @Test func appendsGiveDiffsThatReplayToTheSnapshot() throws {
    let store = store()
    var document = BlockDocument(incarnation: 1)
    for chunk in ["# Tr", "ip\n\nPack these:\n\n- so", "cks\n- map", "s\n\n"] {
      try document.apply(diff: try store.append(AppendRequest(bytes: bytes(chunk)), to: path).diff)
    }
    let finish = try store.append(AppendRequest(closes: true), to: path)
    try document.apply(diff: finish.diff)
    #expect(document.isFinished)
    #expect(finish.status == StreamStatus(tail: token(37), isFinished: true))
    #expect(finish.status.position == token(38))
    #expect(try BlockDocument(snapshot: store.stream(at: path).snapshot(shape: .flat).json) == document)
  }

  @Test func theFirstDiffOpensWhatIsOpenFromTheStart() throws {
    let store = store()
    let request = AppendRequest(bytes: bytes("hm"), configuration: .init(open: ["think"]))
    var document = BlockDocument(incarnation: 1)
    try document.apply(diff: try store.append(request, to: path).diff)
    #expect(document.blocks.map { $0.id.description } == ["open:think", "open:think+1"])
    #expect(try BlockDocument(snapshot: store.stream(at: path).snapshot(shape: .flat).json) == document)
  }

  @Test func refusesWhatDoesNotGoTogetherAtCreation() {
    let store = store()
    #expect(throws: StreamError.unknownComponent(name: "think", dialect: "gfm")) {
      try store.append(
        AppendRequest(bytes: bytes("a"), configuration: .init(dialect: .gfm, open: ["think"])), to: path)
    }
    #expect(throws: StreamError.openWithFrontMatter) {
      try store.append(
        AppendRequest(bytes: bytes("a"), configuration: .init(open: ["think"], frontMatter: true)), to: path)
    }
    #expect(store.count == 0)
  }

  @Test func refusedAppendsChangeNothing() throws {
    let store = store { $0.maxStreamBytes = 10 }
    try _ = store.append(AppendRequest(bytes: bytes("12345"), sequence: bytes("5")), to: path)
    let before = try store.stream(at: path).snapshot(shape: .flat).json
    let refusals: [(AppendRequest, StreamError)] = [
      (AppendRequest(), .emptyAppend),
      (AppendRequest(bytes: bytes("123456")), .streamFull(limit: 10)),
      (AppendRequest(bytes: bytes("a"), expectedOffset: token(4)), .expectedOffset(tail: token(5))),
      (
        AppendRequest(bytes: bytes("a"), expectedOffset: token(5, incarnation: 2)),
        .expectedOffset(tail: token(5))
      ),
      (AppendRequest(bytes: bytes("a"), sequence: bytes("5")), .sequenceRegressed(last: "5")),
      (
        AppendRequest(bytes: bytes("a"), configuration: .init(dialect: .gfm)),
        .configurationDiffers(field: .dialect, existing: "chat", requested: "gfm")
      ),
      (
        AppendRequest(bytes: bytes("a"), configuration: .init(open: ["think"])),
        .configurationDiffers(field: .open, existing: "", requested: "think")
      ),
      (
        AppendRequest(bytes: bytes("a"), configuration: .init(frontMatter: true)),
        .configurationDiffers(field: .frontMatter, existing: "false", requested: "true")
      ),
      (
        AppendRequest(bytes: bytes("a"), configuration: .init(contentType: "text/plain")),
        .contentTypeDiffers(existing: "text/markdown", requested: "text/plain")
      ),
      (
        AppendRequest(bytes: bytes("a"), producer: ProducerStamp(id: [1], epoch: 0, sequence: 1)),
        .sequenceGap(expected: 0, received: 1)
      ),
    ]
    for (request, error) in refusals {
      #expect(throws: error) { try store.append(request, to: path) }
      #expect(try store.stream(at: path).snapshot(shape: .flat).json == before)
      #expect(store.totalBytes == 5)
    }
    // What was refused has not been remembered either.
    let accepted = AppendRequest(
      bytes: bytes("a"), expectedOffset: token(5),
      producer: ProducerStamp(id: [1], epoch: 0, sequence: 0), sequence: bytes("6"),
      configuration: .init(dialect: .chat, open: [], frontMatter: false, contentType: "text/markdown"))
    #expect(try store.append(accepted, to: path).status.tail == token(6))
  }

  @Test func refusedCreationsLeaveNoStream() {
    let store = store { $0.maxStreamBytes = 3 }
    let refusals: [(AppendRequest, StreamError)] = [
      (AppendRequest(), .emptyAppend),
      (AppendRequest(bytes: bytes("1234")), .streamFull(limit: 3)),
      (AppendRequest(bytes: bytes("1"), expectedOffset: token(0)), .noStream(path: "demo")),
      (
        AppendRequest(bytes: bytes("1"), producer: ProducerStamp(id: [1], epoch: 0, sequence: 5)),
        .sequenceGap(expected: 0, received: 5)
      ),
    ]
    for (request, error) in refusals {
      #expect(throws: error) { try store.append(request, to: path) }
    }
    #expect(store.count == 0)
    #expect(store.totalBytes == 0)
  }

  @Test func doesNotCreateWhereConfigurationForbidsIt() {
    let store = store { $0.createOnAppend = false }
    #expect(throws: StreamError.noStream(path: "demo")) {
      try store.append(AppendRequest(bytes: [1]), to: path)
    }
  }

  @Test func keepsToTheLimitsOfAllStreams() throws {
    let store = store {
      $0.maxStreams = 2
      $0.maxTotalBytes = 10
    }
    _ = try store.append(AppendRequest(bytes: bytes("123456")), to: path)
    let other = StreamPath("other")!
    #expect(throws: StreamError.storeFull(limit: 10)) {
      try store.append(AppendRequest(bytes: bytes("12345")), to: other)
    }
    _ = try store.append(AppendRequest(bytes: bytes("1234")), to: other)
    #expect(throws: StreamError.storeFull(limit: 10)) {
      try store.append(AppendRequest(bytes: bytes("1")), to: path)
    }
    store.remove(path)
    #expect(store.totalBytes == 4)
    _ = try store.append(AppendRequest(bytes: bytes("1")), to: path)
    #expect(throws: StreamError.tooManyStreams(limit: 2)) {
      try store.append(AppendRequest(bytes: bytes("1")), to: StreamPath("third")!)
    }
    #expect(store.totalBytes == 5)
  }

  // MARK: - Closing and duplicates

  @Test func aFinishedStreamTakesNoMoreButTheSameWishAgain() throws {
    let store = store()
    _ = try store.append(AppendRequest(bytes: bytes("a"), closes: true), to: path)
    #expect(throws: StreamError.closed(tail: token(1))) {
      try store.append(AppendRequest(bytes: bytes("b")), to: path)
    }
    #expect(throws: StreamError.closed(tail: token(1))) {
      try store.append(AppendRequest(bytes: bytes("b"), closes: true), to: path)
    }
    // Closure is told before anything else that is wrong.
    #expect(throws: StreamError.closed(tail: token(1))) {
      try store.append(
        AppendRequest(bytes: bytes("b"), configuration: .init(contentType: "text/plain")), to: path)
    }
    let again = try store.append(AppendRequest(closes: true), to: path)
    #expect(again.isDuplicate)
    let update = try BlockDocument.Update(json: again.diff)
    #expect(update.operations.isEmpty && update.from == token(2) && update.to == token(2))
  }

  @Test func aProducersRepetitionIsAppendedOnce() throws {
    let store = store()
    func append(_ text: String, _ sequence: Int, closes: Bool = false) throws -> Appended {
      try store.append(
        AppendRequest(
          bytes: bytes(text), closes: closes, expectedOffset: nil,
          producer: ProducerStamp(id: bytes("p"), epoch: 0, sequence: sequence)), to: path)
    }
    #expect(try !append("a", 0).isDuplicate)
    #expect(try !append("b", 1).isDuplicate)
    let again = try append("a", 0)
    #expect(again.isDuplicate && again.producer?.sequence == 1 && again.status.tail == token(2))
    #expect(try !append("c", 2, closes: true).isDuplicate)
    // The request that closed the stream may come again, an earlier one may not.
    #expect(try append("c", 2, closes: true).isDuplicate)
    #expect(throws: StreamError.closed(tail: token(3))) { try append("b", 1) }
  }

  @Test func aRepetitionIsRecognisedBeforeItsConditionsAreLookedAt() throws {
    let store = store()
    _ = try store.append(AppendRequest(bytes: bytes("a")), to: path)
    let request = AppendRequest(
      bytes: bytes("b"), expectedOffset: token(1),
      producer: ProducerStamp(id: bytes("p"), epoch: 0, sequence: 0), sequence: bytes("1"))
    #expect(try !store.append(request, to: path).isDuplicate)
    #expect(try store.append(request, to: path).isDuplicate)
  }

  // MARK: - Tokens

  @Test func tokensOfAnEarlierIncarnationOrAPositionNotReachedAreGone() throws {
    let store = store()
    _ = try store.append(AppendRequest(bytes: bytes("abc")), to: path)
    let first = try store.stream(at: path)
    #expect(try first.position(of: token(3)) == ByteOffset(3))
    #expect(throws: StreamError.offsetGone(current: token(3))) { try first.position(of: token(4)) }
    store.remove(path)
    #expect(throws: StreamError.noStream(path: "demo")) {
      try first.append(AppendRequest(bytes: bytes("d")))
    }
    _ = try store.append(AppendRequest(bytes: bytes("abcdef"), closes: true), to: path)
    let second = try store.stream(at: path)
    #expect(throws: StreamError.offsetGone(current: token(7, incarnation: 2))) {
      try second.position(of: token(3))
    }
    // Finishing is a position of its own.
    #expect(try second.position(of: token(7, incarnation: 2)) == ByteOffset(7))
  }

  // MARK: - Readers

  @Test func readersAreWokenAfterEveryChangeAndShareTheDiff() throws {
    let store = store()
    _ = try store.append(AppendRequest(bytes: bytes("a")), to: path)
    let stream = try store.stream(at: path)
    let counter = WakeCounter()
    let id = stream.subscribe { counter.count.add(1, ordering: .relaxed) }
    let appended = try stream.append(AppendRequest(bytes: bytes("b")))
    #expect(counter.count.load(ordering: .relaxed) == 1)
    #expect(try stream.changes(since: ByteOffset(1)).json == appended.diff)
    _ = try? stream.append(AppendRequest())
    #expect(counter.count.load(ordering: .relaxed) == 1)
    stream.unsubscribe(id)
    _ = try stream.append(AppendRequest(bytes: bytes("c")))
    #expect(counter.count.load(ordering: .relaxed) == 1)
    #expect(stream.readerCount == 0)
  }

  private final class WakeCounter: Sendable {
    let count = Atomic<Int>(0)
  }

  @Test func whatShowsNothingIsEmpty() throws {
    let store = store()
    _ = try store.append(AppendRequest(bytes: bytes("a\n\n")), to: path)
    let stream = try store.stream(at: path)
    _ = try stream.append(AppendRequest(bytes: bytes("-")))
    let changes = try stream.changes(since: ByteOffset(3))
    #expect(changes.isEmpty)
    #expect(try BlockDocument.Update(json: changes.json).pending == 1)
  }

  // MARK: - Idle streams

  @Test func idleBlocksAreDroppedAndComeBackTheSame() throws {
    let store = store()
    let text = "# A\n\n- b\n  - c\n\n| d | e |\n|---|---|\n| f |"
    _ = try store.append(AppendRequest(bytes: bytes(text)), to: path)
    let stream = try store.stream(at: path)
    let reader = stream.subscribe {}
    defer { stream.unsubscribe(reader) }
    let snapshot = try stream.snapshot(shape: .flat).json
    let since = try stream.changes(since: ByteOffset(9)).json

    store.sweep()
    #expect(stream.isParsed, "one sweep does not make a stream idle")
    #expect(store.sweep() == 1)
    #expect(!stream.isParsed)
    #expect(try stream.changes(since: ByteOffset(9)).json == since)
    #expect(stream.isParsed)
    #expect(try stream.snapshot(shape: .flat).json == snapshot)

    store.sweep()
    store.sweep()
    #expect(!stream.isParsed)
    // An append to it goes on from where the source ends.
    var document = try BlockDocument(snapshot: snapshot)
    try document.apply(diff: try stream.append(AppendRequest(bytes: bytes(" g |\n"))).diff)
    #expect(try BlockDocument(snapshot: stream.snapshot(shape: .flat).json) == document)
  }

  @Test func largeDroppedSourcesAreReadOutsideAndCaughtUpWith() throws {
    let store = store()
    let text = bytes(String(repeating: "- some words\n\n  more\n", count: 60_000))
    _ = try store.append(AppendRequest(bytes: text), to: path)
    let stream = try store.stream(at: path)
    #expect(try stream.largeDroppedSource() == nil)
    store.sweep()
    store.sweep()
    #expect(store.hasLargeDropped)
    let source = try #require(try stream.largeDroppedSource())
    #expect(source == text)
    var parser = MarkupParser(dialect: .chat)
    parser.append(source.span.extracting(..<500_000))
    // While it is being read, the stream goes on.
    _ = try stream.append(AppendRequest(bytes: bytes("- last"), closes: true))
    #expect(!store.hasLargeDropped)
    store.sweep()
    store.sweep()
    try stream.restore(parser)
    #expect(!store.hasLargeDropped && stream.isParsed)
    var direct = MarkupParser(dialect: .chat)
    direct.append((text + bytes("- last")).span)
    direct.finish()
    var writer = JSONWriter()
    writer.write(snapshotOf: direct.blocks, dialect: "chat", in: stream.envelope)
    #expect(try stream.snapshot(shape: .flat).json == writer.bytes)
    store.sweep()
    store.sweep()
    store.remove(path)
    #expect(!store.hasLargeDropped)
  }

  @Test func usedStreamsKeepTheirBlocks() throws {
    let store = store()
    _ = try store.append(AppendRequest(bytes: bytes("a")), to: path)
    for _ in 0..<5 {
      _ = try store.append(AppendRequest(bytes: bytes("a")), to: path)
      #expect(store.sweep() == 0)
    }
  }

  // MARK: - Threads

  @Test func concurrentAppendsAllCountAndReplay() throws {
    let store = store()
    let path = path
    let rounds = 200
    let diffs = DiffList()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<rounds {
        let text = round % 10 == 9 ? "x\n\n" : "t\(thread) "
        if let appended = try? store.append(AppendRequest(bytes: Array(text.utf8)), to: path) {
          diffs.add(appended.diff)
        }
        if round % 50 == 49 { store.sweep() }
      }
    }
    var updates = try diffs.all.map { try BlockDocument.Update(json: $0) }
    #expect(updates.count == 4 * rounds)
    updates.sort { $0.from < $1.from }
    var document = BlockDocument(incarnation: try store.stream(at: path).incarnation)
    for update in updates { try document.apply(update) }
    #expect(try BlockDocument(snapshot: store.stream(at: path).snapshot(shape: .flat).json) == document)
    #expect(store.count == 1)
    #expect(store.totalBytes == document.at.position.value)
  }

  private final class DiffList: @unchecked Sendable {
    // Safe: `list` is touched only on `queue`.
    private let queue = DispatchQueue(label: "diffs")
    private var list: [[UInt8]] = []

    func add(_ diff: [UInt8]) { queue.sync { list.append(diff) } }
    var all: [[UInt8]] { queue.sync { list } }
  }
}
