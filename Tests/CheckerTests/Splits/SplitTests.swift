import Checker
import Testing

@Suite struct SplitTests {
  @Test(arguments: [
    Split.whole, .bytes, .lines, .tokens, .random(seed: 1), .random(seed: 2), .two(at: 3),
    .recorded([0, 1, 1]),
  ])
  func cutsTheWholeSource(_ split: Split) {
    for text in ["", "a", "# Trip\n\nPack these:\r\n- socks\n"] {
      let source = Array(text.utf8)
      let ends = split.chunkEnds(of: source)
      #expect(ends == ends.sorted() && ends.last == source.count)
      #expect(ends == split.chunkEnds(of: source), "the same cuts for the same seed")
    }
  }

  @Test func cutsWhereItSays() {
    let source = Array("ab cd\nef\n".utf8)
    #expect(Split.lines.chunkEnds(of: source) == [6, 9])
    #expect(Split.tokens.chunkEnds(of: source) == [2, 5, 8, 9])
    #expect(Split.bytes.chunkEnds(of: source) == Array(1...9))
    #expect(Split.two(at: 4).chunkEnds(of: source) == [4, 9])
  }

  @Test func namesLists() {
    #expect(
      CheckOptions.splits(named: "lines,random:7,random", seed: 3) == [
        .lines, .random(seed: 7), .random(seed: 3),
      ])
    #expect(CheckOptions.splits(named: "all", seed: 1) == CheckOptions.allSplits(seed: 1))
    for list in ["", "line", "lines,", "random:", "random:x"] {
      #expect(CheckOptions.splits(named: list, seed: 1) == nil)
    }
  }
}
