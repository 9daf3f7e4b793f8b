import Checker
import Testing

@Suite struct ShrinkerTests {
  @Test func shrinksToTheBytesThatMatter() {
    let source = Array("some lines\n# of text\n\nand a > quote\n".utf8)
    let shrunk = Shrinker.shrink(source, chunkEnds: [3, 20, source.count], work: 100_000) { source, _ in
      guard source.contains(UInt8(ascii: "#")), source.contains(UInt8(ascii: ">")) else { return nil }
      return Violation(.replay, at: source.count, "both are there")
    }
    #expect(shrunk?.source == Array("#>".utf8))
    #expect(shrunk?.chunks == [2])
    #expect(shrunk?.literal == "[\"#>\"]")
  }

  @Test func keepsTheCutThatMatters() {
    // Fails where a chunk ends between the two.
    let source = Array("a line\nof x and y\n and xy\nmore".utf8)
    let shrunk = Shrinker.shrink(source, chunkEnds: Array(1...source.count), work: 100_000) { source, ends in
      let isCut = ends.contains { end in
        end > 0 && end < source.count && source[end - 1] == UInt8(ascii: "x")
          && source[end] == UInt8(ascii: "y")
      }
      return isCut ? Violation(.chunkIndependence, at: source.count, "cut") : nil
    }
    #expect(shrunk?.source == Array("xy".utf8))
    #expect(shrunk?.chunks == [1, 1])
  }

  @Test func doesNotBeginWithWhatDoesNotFail() {
    #expect(Shrinker.shrink([1, 2], chunkEnds: [2], work: 100) { _, _ in nil } == nil)
  }

  @Test func stopsWhenItsWorkIsUsedUp() {
    var checks = 0
    let source = [UInt8](repeating: 0x61, count: 10_000)
    _ = Shrinker.shrink(source, chunkEnds: [source.count], work: 50_000) { source, _ in
      checks += 1
      return source.count == 10_000 ? Violation(.replay, at: source.count, "") : nil
    }
    #expect(checks < 12)
  }
}
