import BlockDiff
import Foundation
import Markup
import Testing

@testable import StreamStore

/// Appends that are on their way to the log while others come.
struct InFlightTests {
  private let path = StreamPath("demo")!
  private let engine = HeldEngine()
  private let store: StreamStore

  init() { store = StreamStore(engine: engine) }

  private func token(_ position: Int) -> OffsetToken {
    OffsetToken(incarnation: 1, position: ByteOffset(position))
  }

  private func request(
    _ text: String, closes: Bool = false, at expected: Int? = nil, producer: (String, Int)? = nil
  ) -> AppendRequest {
    AppendRequest(
      bytes: Array(text.utf8), closes: closes, expectedOffset: expected.map(token),
      producer: producer.map { ProducerStamp(id: Array($0.0.utf8), epoch: 0, sequence: $0.1) })
  }

  /// Begins an append, and waits until its entry is held.
  private func begin(_ request: AppendRequest) async -> Task<Appended, any Error> {
    let count = engine.log.waitingCount
    let (store, path) = (store, path)
    let task = Task { try await store.append(request, to: path) }
    while engine.log.waitingCount == count { await Task.yield() }
    return task
  }

  /// Creates the stream.
  private func create(_ text: String) async throws -> BlockStream {
    let first = await begin(request(text))
    #expect(store.find(path) == nil, "a stream cannot be seen before it is stored")
    engine.log.settle(.stored)
    _ = try await first.value
    return try await store.stream(at: path)
  }

  @Test func whatIsNotStoredIsNotSeen() async throws {
    let stream = try await create("a")
    let append = await begin(request("b", closes: true))
    #expect(stream.status == StreamStatus(tail: token(1), isFinished: false))
    #expect(try await stream.changes(since: ByteOffset(1)).isEmpty)
    engine.log.settle(.stored)
    #expect(try await append.value.status == StreamStatus(tail: token(2), isFinished: true))
    #expect(stream.status.isFinished)
  }

  @Test func severalOfOneStreamAreShownInTheirOrder() async throws {
    let stream = try await create("# A\n\n")
    var document = try await BlockDocument(snapshot: stream.snapshot(shape: .flat).json)
    var tasks: [Task<Appended, any Error>] = []
    for text in ["- b\n", "- c\n", "\n\nd"] { tasks.append(await begin(request(text))) }
    for _ in tasks { engine.log.settle(.stored) }
    var updates: [BlockDocument.Update] = []
    for task in tasks { updates.append(try BlockDocument.Update(json: try await task.value.diff)) }
    #expect(updates.map(\.from) == [token(5), token(9), token(13)])
    for update in updates { try document.apply(update) }
    #expect(try await BlockDocument(snapshot: stream.snapshot(shape: .flat).json) == document)
  }

  @Test func aFailureTakesBackAllThatFollowsIt() async throws {
    let stream = try await create("a")
    let first = await begin(request("b", producer: ("p", 0)))
    let second = await begin(request("c", producer: ("p", 1)))
    let third = await begin(request("d", closes: true, producer: ("q", 0)))
    engine.log.settle(.refused)
    for task in [first, second, third] {
      if task == second || task == third { engine.log.settle(.stored) }
      await #expect(throws: StreamError.storageUnavailable) { try await task.value }
    }
    #expect(stream.status == StreamStatus(tail: token(1), isFinished: false))
    #expect(store.totalBytes == 1)
    // The same again, as a producer sends it, is taken as if nothing had been.
    let again = await begin(request("b", producer: ("p", 0)))
    engine.log.settle(.stored)
    #expect(try await !again.value.isDuplicate)
    #expect(stream.status.tail == token(2))
  }

  @Test func aRefusalThatRestsOnWhatFailsIsJudgedAgain() async throws {
    _ = try await create("a")
    let first = await begin(request("b"))
    let (store, path) = (store, path)
    let conditional = request("c", at: 1)
    let task = Task { try await store.append(conditional, to: path) }
    // It waits for the first: whether its condition holds is not known.
    for _ in 0..<100 { await Task.yield() }
    #expect(engine.log.waitingCount == 1)
    engine.log.settle(.refused)
    await #expect(throws: StreamError.storageUnavailable) { try await first.value }
    while engine.log.waitingCount == 0 { await Task.yield() }
    engine.log.settle(.stored)
    #expect(try await task.value.status.tail == token(2))
  }

  @Test func aRefusalThatRestsOnWhatIsStoredStands() async throws {
    _ = try await create("a")
    let first = await begin(request("b"))
    let (store, path) = (store, path)
    let conditional = request("c", at: 1)
    let task = Task { try await store.append(conditional, to: path) }
    for _ in 0..<100 { await Task.yield() }
    engine.log.settle(.stored)
    _ = try await first.value
    await #expect(throws: StreamError.expectedOffset(tail: token(2))) { try await task.value }
    #expect(engine.log.waitingCount == 0)
  }

  @Test func aRepetitionIsAnsweredOnceTheFirstIsStored() async throws {
    _ = try await create("a")
    let once = request("b", producer: ("p", 0))
    let first = await begin(once)
    let (store, path) = (store, path)
    let task = Task { try await store.append(once, to: path) }
    for _ in 0..<100 { await Task.yield() }
    engine.log.settle(.stored)
    let repeated = try await task.value
    #expect(repeated.isDuplicate && repeated.status.tail == token(2))
    #expect(try await !first.value.isDuplicate)
  }

  @Test func conditionsAreJudgedByWhatIsOnItsWay() async throws {
    _ = try await create("a")
    let first = await begin(request("b", at: 1))
    let second = await begin(request("c", at: 2))
    engine.log.settle(.stored)
    engine.log.settle(.stored)
    #expect(try await first.value.status.tail == token(2))
    #expect(try await second.value.status.tail == token(3))
  }

  @Test func aFullQueueRefusesAndChangesNothing() async throws {
    let stream = try await create("a")
    engine.log.setFull(true)
    await #expect(throws: StreamError.storageUnavailable) { try await stream.append(request("b")) }
    engine.log.setFull(false)
    #expect(store.totalBytes == 1)
    let append = await begin(request("b", at: 1))
    engine.log.settle(.stored)
    #expect(try await append.value.status.tail == token(2))
  }

  @Test func aStreamWhoseCreationFailsIsNotThere() async throws {
    let first = await begin(request("a"))
    let (store, path) = (store, path)
    // The second waits for the path, and creates the stream when the first has failed.
    let next = request("b")
    let second = Task { try await store.append(next, to: path) }
    for _ in 0..<100 { await Task.yield() }
    #expect(engine.log.waitingCount == 1)
    engine.log.settle(.refused)
    await #expect(throws: StreamError.storageUnavailable) { try await first.value }
    while engine.log.waitingCount == 0 { await Task.yield() }
    engine.log.settle(.stored)
    #expect(try await second.value.status.tail.incarnation == 2)
    #expect(store.count == 1 && store.totalBytes == 1)
  }

  @Test func blocksStayWhileAnythingIsOnItsWay() async throws {
    let stream = try await create("a")
    let append = await begin(request("b"))
    for _ in 0..<3 { store.sweep() }
    #expect(stream.isParsed)
    engine.log.settle(.stored)
    _ = try await append.value
    for _ in 0..<3 { store.sweep() }
    #expect(!stream.isParsed)
  }
}
