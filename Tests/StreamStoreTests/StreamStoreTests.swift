import BlockDiff
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

  @Test func appendsGiveDiffsThatReplayToTheSnapshot() async throws {
    let store = store()
    var document = BlockDocument(incarnation: 1)
    for chunk in ["# Tr", "ip\n\nPack these:\n\n- so", "cks\n- map", "s\n\n"] {
      try document.apply(diff: try await store.append(AppendRequest(bytes: bytes(chunk)), to: path).diff)
    }
    let finish = try await store.append(AppendRequest(closes: true), to: path)
    try document.apply(diff: finish.diff)
    #expect(document.isFinished)
    #expect(finish.status == StreamStatus(tail: token(37), isFinished: true))
    #expect(finish.status.position == token(38))
    #expect(try await BlockDocument(snapshot: store.stream(at: path).snapshot(shape: .flat).json) == document)
  }

  @Test func theFirstDiffOpensWhatIsOpenFromTheStart() async throws {
    let store = store()
    let request = AppendRequest(bytes: bytes("hm"), configuration: .init(open: ["think"]))
    var document = BlockDocument(incarnation: 1)
    try document.apply(diff: try await store.append(request, to: path).diff)
    #expect(document.blocks.map { $0.id.description } == ["open:think", "open:think+1"])
    #expect(try await BlockDocument(snapshot: store.stream(at: path).snapshot(shape: .flat).json) == document)
  }

  @Test func refusesWhatDoesNotGoTogetherAtCreation() async throws {
    let store = store()
    await #expect(throws: StreamError.unknownComponent(name: "think", dialect: "gfm")) {
      try await store.append(
        AppendRequest(bytes: bytes("a"), configuration: .init(dialect: .gfm, open: ["think"])), to: path)
    }
    await #expect(throws: StreamError.openWithFrontMatter) {
      try await store.append(
        AppendRequest(bytes: bytes("a"), configuration: .init(open: ["think"], frontMatter: true)), to: path)
    }
    #expect(store.count == 0)
  }

  @Test func refusedAppendsChangeNothing() async throws {
    let store = store { $0.maxStreamBytes = 10 }
    try await _ = store.append(AppendRequest(bytes: bytes("12345"), sequence: bytes("5")), to: path)
    let before = try await store.stream(at: path).snapshot(shape: .flat).json
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
      await #expect(throws: error) { try await store.append(request, to: path) }
      #expect(try await store.stream(at: path).snapshot(shape: .flat).json == before)
      #expect(store.totalBytes == 5)
    }
    // What was refused has not been remembered either.
    let accepted = AppendRequest(
      bytes: bytes("a"), expectedOffset: token(5),
      producer: ProducerStamp(id: [1], epoch: 0, sequence: 0), sequence: bytes("6"),
      configuration: .init(dialect: .chat, open: [], frontMatter: false, contentType: "text/markdown"))
    #expect(try await store.append(accepted, to: path).status.tail == token(6))
  }

  @Test func refusedCreationsLeaveNoStream() async throws {
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
      await #expect(throws: error) { try await store.append(request, to: path) }
    }
    #expect(store.count == 0)
    #expect(store.totalBytes == 0)
  }

  @Test func doesNotCreateWhereConfigurationForbidsIt() async throws {
    let store = store { $0.createOnAppend = false }
    await #expect(throws: StreamError.noStream(path: "demo")) {
      try await store.append(AppendRequest(bytes: [1]), to: path)
    }
  }

  @Test func keepsToTheLimitsOfAllStreams() async throws {
    let store = store {
      $0.maxStreams = 2
      $0.maxTotalBytes = 10
    }
    _ = try await store.append(AppendRequest(bytes: bytes("123456")), to: path)
    let other = StreamPath("other")!
    await #expect(throws: StreamError.storeFull(limit: 10)) {
      try await store.append(AppendRequest(bytes: bytes("12345")), to: other)
    }
    _ = try await store.append(AppendRequest(bytes: bytes("1234")), to: other)
    await #expect(throws: StreamError.storeFull(limit: 10)) {
      try await store.append(AppendRequest(bytes: bytes("1")), to: path)
    }
    try await store.remove(path)
    #expect(store.totalBytes == 4)
    _ = try await store.append(AppendRequest(bytes: bytes("1")), to: path)
    await #expect(throws: StreamError.tooManyStreams(limit: 2)) {
      try await store.append(AppendRequest(bytes: bytes("1")), to: StreamPath("third")!)
    }
    #expect(store.totalBytes == 5)
  }

  // MARK: - Closing and duplicates

  @Test func aFinishedStreamTakesNoMoreButTheSameWishAgain() async throws {
    let store = store()
    _ = try await store.append(AppendRequest(bytes: bytes("a"), closes: true), to: path)
    await #expect(throws: StreamError.closed(tail: token(1))) {
      try await store.append(AppendRequest(bytes: bytes("b")), to: path)
    }
    await #expect(throws: StreamError.closed(tail: token(1))) {
      try await store.append(AppendRequest(bytes: bytes("b"), closes: true), to: path)
    }
    // Closure is told before anything else that is wrong.
    await #expect(throws: StreamError.closed(tail: token(1))) {
      try await store.append(
        AppendRequest(bytes: bytes("b"), configuration: .init(contentType: "text/plain")), to: path)
    }
    let again = try await store.append(AppendRequest(closes: true), to: path)
    #expect(again.isDuplicate)
    let update = try BlockDocument.Update(json: again.diff)
    #expect(update.operations.isEmpty && update.from == token(2) && update.to == token(2))
  }

  @Test func aProducersRepetitionIsAppendedOnce() async throws {
    let store = store()
    func append(_ text: String, _ sequence: Int, closes: Bool = false) async throws -> Appended {
      try await store.append(
        AppendRequest(
          bytes: bytes(text), closes: closes, expectedOffset: nil,
          producer: ProducerStamp(id: bytes("p"), epoch: 0, sequence: sequence)), to: path)
    }
    #expect(try await !append("a", 0).isDuplicate)
    #expect(try await !append("b", 1).isDuplicate)
    let again = try await append("a", 0)
    #expect(again.isDuplicate && again.producer?.sequence == 1 && again.status.tail == token(2))
    #expect(try await !append("c", 2, closes: true).isDuplicate)
    // The request that closed the stream may come again, an earlier one may not.
    #expect(try await append("c", 2, closes: true).isDuplicate)
    await #expect(throws: StreamError.closed(tail: token(3))) { try await append("b", 1) }
  }

  @Test func aRepetitionIsRecognisedBeforeItsConditionsAreLookedAt() async throws {
    let store = store()
    _ = try await store.append(AppendRequest(bytes: bytes("a")), to: path)
    let request = AppendRequest(
      bytes: bytes("b"), expectedOffset: token(1),
      producer: ProducerStamp(id: bytes("p"), epoch: 0, sequence: 0), sequence: bytes("1"))
    #expect(try await !store.append(request, to: path).isDuplicate)
    #expect(try await store.append(request, to: path).isDuplicate)
  }

  // MARK: - Tokens

  @Test func tokensOfAnEarlierIncarnationOrAPositionNotReachedAreGone() async throws {
    let store = store()
    _ = try await store.append(AppendRequest(bytes: bytes("abc")), to: path)
    let first = try await store.stream(at: path)
    #expect(try first.position(of: token(3)) == ByteOffset(3))
    #expect(throws: StreamError.offsetGone(current: token(3))) { try first.position(of: token(4)) }
    try await store.remove(path)
    await #expect(throws: StreamError.noStream(path: "demo")) {
      try await first.append(AppendRequest(bytes: bytes("d")))
    }
    _ = try await store.append(AppendRequest(bytes: bytes("abcdef"), closes: true), to: path)
    let second = try await store.stream(at: path)
    #expect(throws: StreamError.offsetGone(current: token(7, incarnation: 2))) {
      try second.position(of: token(3))
    }
    // Finishing is a position of its own.
    #expect(try second.position(of: token(7, incarnation: 2)) == ByteOffset(7))
  }

  // MARK: - Readers

  @Test func readersAreWokenAfterEveryChangeAndShareTheDiff() async throws {
    let store = store()
    _ = try await store.append(AppendRequest(bytes: bytes("a")), to: path)
    let stream = try await store.stream(at: path)
    let counter = WakeCounter()
    let id = stream.subscribe { counter.count.add(1, ordering: .relaxed) }
    let appended = try await stream.append(AppendRequest(bytes: bytes("b")))
    #expect(counter.count.load(ordering: .relaxed) == 1)
    #expect(try await stream.changes(since: ByteOffset(1)).json == appended.diff)
    _ = try? await stream.append(AppendRequest())
    #expect(counter.count.load(ordering: .relaxed) == 1)
    stream.unsubscribe(id)
    _ = try await stream.append(AppendRequest(bytes: bytes("c")))
    #expect(counter.count.load(ordering: .relaxed) == 1)
    #expect(stream.readerCount == 0)
  }

  private final class WakeCounter: Sendable {
    let count = Atomic<Int>(0)
  }

  @Test func whatShowsNothingIsEmpty() async throws {
    let store = store()
    _ = try await store.append(AppendRequest(bytes: bytes("a\n\n")), to: path)
    let stream = try await store.stream(at: path)
    _ = try await stream.append(AppendRequest(bytes: bytes("-")))
    let changes = try await stream.changes(since: ByteOffset(3))
    #expect(changes.isEmpty)
    #expect(try BlockDocument.Update(json: changes.json).pending == 1)
  }

  // MARK: - Idle streams

  @Test func idleBlocksAreDroppedAndComeBackTheSame() async throws {
    let store = store()
    let text = "# A\n\n- b\n  - c\n\n| d | e |\n|---|---|\n| f |"
    _ = try await store.append(AppendRequest(bytes: bytes(text)), to: path)
    let stream = try await store.stream(at: path)
    let reader = stream.subscribe {}
    defer { stream.unsubscribe(reader) }
    let snapshot = try await stream.snapshot(shape: .flat).json
    let since = try await stream.changes(since: ByteOffset(9)).json

    store.sweep()
    #expect(stream.isParsed, "one sweep does not make a stream idle")
    #expect(store.sweep() == 1)
    #expect(!stream.isParsed)
    #expect(try await stream.changes(since: ByteOffset(9)).json == since)
    #expect(stream.isParsed)
    #expect(try await stream.snapshot(shape: .flat).json == snapshot)

    store.sweep()
    store.sweep()
    #expect(!stream.isParsed)
    // An append to it goes on from where the source ends.
    var document = try BlockDocument(snapshot: snapshot)
    try document.apply(diff: try await stream.append(AppendRequest(bytes: bytes(" g |\n"))).diff)
    #expect(try await BlockDocument(snapshot: stream.snapshot(shape: .flat).json) == document)
  }

  @Test func largeSourcesComeBackInSlicesForAllWhoWait() async throws {
    let store = store()
    let text = bytes(String(repeating: "- some words\n\n  more\n", count: 20_000))
    _ = try await store.append(AppendRequest(bytes: text, closes: true), to: path)
    let stream = try await store.stream(at: path)
    let snapshot = try await stream.snapshot(shape: .flat).json
    store.sweep()
    store.sweep()
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for _ in 0..<8 {
        tasks.addTask {
          let again = try await stream.snapshot(shape: .flat).json
          #expect(again == snapshot)
        }
      }
      try await tasks.waitForAll()
    }
  }

  @Test func usedStreamsKeepTheirBlocks() async throws {
    let store = store()
    _ = try await store.append(AppendRequest(bytes: bytes("a")), to: path)
    for _ in 0..<5 {
      _ = try await store.append(AppendRequest(bytes: bytes("a")), to: path)
      #expect(store.sweep() == 0)
    }
  }

  // MARK: - Threads

  @Test func concurrentAppendsAllCountAndReplay() async throws {
    let store = store()
    let path = path
    let rounds = 200
    let diffs = try await withThrowingTaskGroup(of: [[UInt8]].self) { tasks in
      for task in 0..<4 {
        tasks.addTask {
          var diffs: [[UInt8]] = []
          for round in 0..<rounds {
            let text = round % 10 == 9 ? "x\n\n" : "t\(task) "
            diffs.append(try await store.append(AppendRequest(bytes: Array(text.utf8)), to: path).diff)
            if round % 50 == 49 { store.sweep() }
          }
          return diffs
        }
      }
      return try await tasks.reduce(into: []) { $0 += $1 }
    }
    var updates = try diffs.map { try BlockDocument.Update(json: $0) }
    #expect(updates.count == 4 * rounds)
    updates.sort { $0.from < $1.from }
    var document = BlockDocument(incarnation: try await store.stream(at: path).incarnation)
    for update in updates { try document.apply(update) }
    #expect(try await BlockDocument(snapshot: store.stream(at: path).snapshot(shape: .flat).json) == document)
    #expect(store.count == 1)
    #expect(store.totalBytes == document.at.position.value)
  }
}
