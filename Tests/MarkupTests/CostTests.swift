import Markup
import TestSupport
import Testing

/// Promise 7: the work for an append is bounded by its bytes and the open blocks, in every kind of block and on
/// hostile input. Work is counted in steps (bytes looked at, blocks handled), not in time.
@Suite struct CostTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    var name: String
    var head = ""
    var body: String
    /// Steps that a byte may take: a few looks at each byte, and the open containers of each line.
    var stepsPerByte = 6.0

    /// What is held first, and so paid for later: an open tag's 8 KiB a few times over.
    var slack: Double { body.hasPrefix("<X a") ? 48_000 : 2_000 }

    var testDescription: String { name }

    func document(_ count: Int) -> [UInt8] {
      var bytes = Array(head.utf8)
      let unit = Array(body.utf8)
      while bytes.count < count { bytes += unit }
      return Array(bytes.prefix(count))
    }
  }

  static let openBlocks: [Kind] = [
    Kind(name: "paragraph of one line", body: "lorem ipsum dolor sit amet "),
    Kind(name: "paragraph of lines", body: "lorem ipsum dolor sit amet\n"),
    Kind(name: "paragraph of CJK text", body: "春眠不觉晓处处闻啼鸟夜来风雨声"),
    Kind(name: "ATX heading", head: "# a", body: " word"),
    Kind(name: "list", body: "- item text here ok\n"),
    Kind(name: "loose list", body: "- item\n\n"),
    Kind(name: "nested list", head: "- a\n  - b\n    - c\n", body: "    - item text here\n"),
    Kind(name: "task list", body: "- [x] done and done\n"),
    Kind(name: "table", head: "|a|b|\n|-|-|\n", body: "| cell one | two |\n"),
    Kind(name: "table's row", head: "|a|b|\n|-|-|\n", body: "cell "),
    Kind(name: "fence", head: "```swift\n", body: "let x = call(a, b)\n"),
    Kind(name: "indented code", body: "    let x = call(a)\n"),
    Kind(name: "block quote", head: "> a\n", body: "> quoted text here\n"),
    Kind(name: "HTML", head: "<div>\n", body: "<p>text of html</p>\n"),
    Kind(name: "comment", head: "<!--\n", body: "text -- of > comment\n"),
    Kind(name: "math", head: "$$\n", body: "a + b = c \\\\ d\n"),
    Kind(name: "component", head: "<think>\n", body: "some thought of mine\n"),
    Kind(name: "raw component", head: "<tool_call>\n", body: "{\"a\": 1, \"b\": [<]}\n"),
    Kind(name: "footnote definition", head: "[^1]: a\n", body: "    more of the note\n"),
    Kind(name: "definitions", body: "[a]: /u\n", stepsPerByte: 8),
    Kind(name: "directive", head: ":::note\n", body: "some text in it\n"),
    Kind(name: "directives", body: "::a[label]{b=c}\n", stepsPerByte: 8),
    Kind(name: "front matter", head: "---\n", body: "key: value of it\n"),
  ]

  static let hostile: [Kind] = [
    "*", "_", "[", "![", "`", "<", ">x", "|", "$", "~", "#", "=", "-", "\\", "- ", "* * ", " ", "\t", "\n",
    "\r", "\0", "1", "1. x\n", "[^", "|a\n", "|a|\n|-\n", "a|b\n-|", "<X a={\n", "<X a=\"\n", "<X a='\n",
    "<X>", "</X>", "<X>`</X>", "[a]:", "[a]: /u '\n", "[a\n", "(\"'", "&amp;", "    a\n\n\n", "\u{FFFD}",
    "$$\n\n", "```\n``\n", "> [!note]\n", "- [", "<a b='", "</a", "<!", "<!-", "<?",
    ":", "::", "::a\n", ":::a\n", "::a[\n", ":::a\n:::\n", ":a[", "> :::a\n",
  ].map { Kind(name: "\($0.debugDescription) over and over", body: $0, stepsPerByte: 14) }

  /// A line costs its own bytes, however many components are open that hold it.
  static let deep: [Kind] = ["a\n", "\n", "<X\na\na\na\n\n", "- a\n", "> a\n"].map {
    Kind(
      name: "\($0.debugDescription) in components", head: String(repeating: "<X>\n", count: 300), body: $0,
      stepsPerByte: 14)
  }

  static let longHolds: [Kind] = [
    Kind(name: "info string", head: "```", body: "x"),
    Kind(name: "tag on one line", head: "<a b='", body: "x"),
    Kind(name: "footnote label", head: "[^", body: "x"),
    Kind(name: "delimiter row", head: "a|b\n", body: "-"),
    Kind(name: "open tag", head: "<X a=\"", body: "v"),
    Kind(name: "line of math", head: "$$", body: "x"),
    Kind(name: "setext underline", head: "a\n", body: "="),
    Kind(name: "closing fence", head: "```\n", body: "`"),
    Kind(name: "white space", head: "a", body: " "),
    Kind(name: "blank lines after code", head: "    a\n", body: "\n"),
    Kind(name: "close tag behind a backtick", head: "<X>\n`a</X>", body: "b"),
    Kind(name: "header row", head: "|", body: "a|"),
    Kind(name: "link label", head: "[", body: "a b "),
    Kind(name: "definition's title", head: "[a]: /u\n'", body: "line of it\n"),
    Kind(name: "open tags that end at a blank line", body: "<X a={\n<X a={\n<X a={\n<X a={\n\n"),
    Kind(name: "directive's name", head: "::", body: "name"),
    Kind(name: "directive's label", head: "::a[", body: "label "),
    Kind(name: "directive's fence", head: "", body: ":"),
    Kind(name: "closing fence of a directive", head: ":::a\n", body: ":"),
    Kind(name: "name behind many colons", head: String(repeating: ":", count: 8_000), body: "a"),
    Kind(name: "components in one another", body: "<X>\n"),
    Kind(name: "tags behind backticks", head: "<X>\na", body: "`b</X"),
  ].map {
    var kind = $0
    kind.stepsPerByte = 8
    return kind
  }

  /// The steps of feeding a document in small chunks, up to each tenth of it.
  private func steps(_ bytes: [UInt8], chunk: Int = 20) -> [Int] {
    var parser = MarkupParser(dialect: .directives, options: .init(frontMatter: true))
    var marks = [0]
    var begin = 0
    while begin < bytes.count {
      let end = min(begin + chunk, bytes.count)
      parser.append(bytes[begin..<end].span)
      begin = end
      while marks.count <= 10 && begin >= bytes.count * marks.count / 10 { marks.append(parser.steps) }
    }
    return marks
  }

  @Test(arguments: openBlocks + longHolds + hostile + deep)
  func costsNoMorePerByteAtTheEnd(_ kind: Kind) {
    let small = steps(kind.document(16_384))
    let large = steps(kind.document(65_536))
    let atMost = kind.stepsPerByte * 65_536
    #expect(Double(large[10]) <= atMost, "\(large[10]) steps for 64 KiB")
    #expect(
      Double(large[10]) <= 4.2 * Double(small[10]) + kind.slack,
      "\(small[10]) steps at N, \(large[10]) at 4 N")
  }

  @Test(arguments: openBlocks)
  func lastTenthCostsWhatTheFirstDid(_ kind: Kind) {
    let marks = steps(kind.document(100_000))
    let first = marks[1] - marks[0]
    let last = marks[10] - marks[9]
    #expect(
      Double(last) <= 1.1 * Double(first) + 50, "\(first) steps in the first tenth, \(last) in the last")
  }

  @Test(arguments: [1, 7, 4096])
  func costDoesNotDependOnChunks(_ chunk: Int) {
    for kind in Self.openBlocks {
      let bytes = kind.document(32_768)
      let fine = steps(bytes, chunk: chunk)[10]
      #expect(
        Double(fine) <= (kind.stepsPerByte + 6) * Double(bytes.count), "\(kind.name): \(fine) steps")
    }
  }

  @Test func openBlocksAreWalkedOncePerLine() {
    // A quote 1,000 deep: each line costs its markers, nothing more.
    let line = Array((String(repeating: ">", count: 1_000) + "a\n").utf8)
    var parser = MarkupParser(dialect: .directives)
    var marks: [Int] = []
    for _ in 0..<20 {
      parser.append(line.span)
      marks.append(parser.steps)
    }
    #expect(marks[19] - marks[18] <= 12 * line.count)
  }
}
