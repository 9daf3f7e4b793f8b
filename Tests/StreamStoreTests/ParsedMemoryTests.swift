import BlockDiff
import Testing

@testable import StreamStore

/// What blocks take together, and which are dropped.
struct ParsedMemoryTests {
  private func path(_ number: Int) throws -> StreamPath { try #require(StreamPath("s\(number)")) }

  /// A store whose budget is that of `count` streams of the text, and an eighth more.
  private func store(for count: Int, _ text: [UInt8]) -> StreamStore {
    var options = StreamStore.Options()
    options.maxParsedBytes = ParsedMemory.cost(ofSource: text.count) * count * 8 / 7 + 1
    return StreamStore(options: options)
  }

  @Test func dropsWhatWasUsedLongestAgo() async throws {
    let text = Array("- a\n- b\n".utf8)
    let store = store(for: 4, text)
    for number in 0..<4 { _ = try await store.append(AppendRequest(bytes: text), to: path(number)) }
    #expect(store.parsedBytes == 4 * ParsedMemory.cost(ofSource: text.count))
    // The first is used again, so the second is the oldest.
    _ = try await store.stream(at: path(0)).snapshot(shape: .flat)
    _ = try await store.append(AppendRequest(bytes: text), to: path(4))
    let parsed = try (0..<5).filter { try #require(store.find(path($0))).isParsed }
    #expect(parsed.contains(0) && parsed.contains(4) && !parsed.contains(1))
    #expect(store.parsedBytes <= store.options.maxParsedBytes)
    let snapshot = try await store.stream(at: path(1)).snapshot(shape: .flat)
    let other = try await store.stream(at: path(2)).snapshot(shape: .flat)
    let (one, two) = (try BlockDocument(snapshot: snapshot.json), try BlockDocument(snapshot: other.json))
    #expect(one.blocks == two.blocks)
  }

  @Test func readersOfDroppedBlocksGetWhatTheyWait() async throws {
    let text = Array("- a\n- b\n".utf8)
    let store = store(for: 2, text)
    _ = try await store.append(AppendRequest(bytes: text), to: path(0))
    let stream = try await store.stream(at: path(0))
    let reader = stream.subscribe {}
    defer { stream.unsubscribe(reader) }
    var document = try BlockDocument(snapshot: try await stream.snapshot(shape: .flat).json)
    for number in 1..<6 { _ = try await store.append(AppendRequest(bytes: text), to: path(number)) }
    #expect(!stream.isParsed)
    for _ in 0..<3 {
      var raw = AppendRequest(bytes: Array("- more\n".utf8))
      raw.wantsDiff = false
      // What needs no blocks leaves them where they are.
      _ = try await stream.append(raw)
    }
    #expect(!stream.isParsed)
    try document.apply(diff: try await stream.changes(since: document.at.position).json)
    #expect(try document == BlockDocument(snapshot: try await stream.snapshot(shape: .flat).json))
  }

  @Test func whatIsGoneCountsForNothing() async throws {
    let store = StreamStore()
    for number in 0..<10 {
      _ = try await store.append(AppendRequest(bytes: Array("text".utf8)), to: path(number))
    }
    for number in 0..<10 { #expect(try await store.remove(path(number))) }
    #expect(store.parsedBytes == 0)
  }

  @Test func oneStreamAloneKeepsItsBlocks() async throws {
    var options = StreamStore.Options()
    options.maxParsedBytes = 1
    let store = StreamStore(options: options)
    for _ in 0..<3 { _ = try await store.append(AppendRequest(bytes: Array("text".utf8)), to: path(0)) }
    #expect(try #require(store.find(path(0))).isParsed)
  }

  @Test func recentBytesAreThoseOfTheSource() {
    var recent = RecentBytes()
    var source: [UInt8] = []
    for round in 0..<400 {
      let piece = (0..<(round * 37 % 1500)).map { UInt8(truncatingIfNeeded: $0 &+ round) }
      recent.append(piece, at: source.count)
      source += piece
      for length in [0, 1, 100, 5000, 70_000] where length <= source.count {
        let range = source.count - length..<source.count
        if let bytes = recent.bytes(in: range) { #expect(bytes == Array(source[range])) }
      }
      #expect(recent.bytes(in: source.count - piece.count..<source.count) != nil)
    }
    #expect(recent.bytes(in: 0..<10) == nil)
    // After a gap, nothing is known of what was before.
    recent.append([1, 2], at: source.count + 5)
    #expect(recent.bytes(in: source.count..<source.count + 7) == nil)
    #expect(recent.bytes(in: source.count + 5..<source.count + 7) == [1, 2])
  }
}
