import Checker
import TestSupport
import Testing

@testable import StreamStore

struct MemorySourceLogTests {
  @Test func givesBackEveryRangeOverItsSegments() async throws {
    let log = MemorySourceLogEngine().makeLog(
      NewSource(path: try #require(StreamPath("a")), incarnation: 1, configuration: []))
    var generator = SeededGenerator(seed: 7)
    var expected: [UInt8] = []
    while expected.count < 300_000 {
      let piece = (0..<generator.below(9000)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      #expect(try log.commit(SourceEntry(bytes: piece), at: expected.count) == nil)
      expected += piece
    }
    for _ in 0..<200 {
      let start = generator.below(expected.count)
      let end = start + generator.below(expected.count - start + 1)
      #expect(try await log.read(start..<end) == Array(expected[start..<end]))
    }
    #expect(try await log.read(0..<expected.count) == expected)
    #expect(try await log.read(65_536..<65_536).isEmpty)
  }
}
