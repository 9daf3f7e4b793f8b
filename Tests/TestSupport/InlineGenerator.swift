import Checker

/// Makes paragraphs out of every inline construct of CommonMark, valid and broken, from a seed.
package struct InlineGenerator {
  private var generator: SeededGenerator

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private static let atoms = [
    "*", "**", "***", "_", "`", "[", "![", "]", "](", "](/u)", "](<a b> \"t\")", "[a]", "[ref]", "[ref][]",
    "[x][ref]", ")", "(", "<", ">", "<a>", "</b>", "<!-- c -->", "<?x?>", "<http://e.org>", "<a@b.co>",
    "&amp;", "&#65;",
    "&nosuch;", "\\", "\\*", "\\[", "  \n", "\\\n", "\n", " ", " ", " ", "a", "b", "foo", "bar.", "\"q\"",
    "'s'", "é", "!",
    ".", "1", "日本", "\t", "<a href=\"x\">", "~", "$",
    // Components in the dialect chat.
    "<Tag>", "</Tag>", "<x-y a=\"b\" c>", "</x-y>", "<Icon/>", "<tool_call>", "</tool_call>", "<Tag a={{b}}>",
  ]

  /// A paragraph, and the definition that its references may mean. It begins with a letter, so that it begins no
  /// other block, and so do its further lines.
  package mutating func document() -> String { paragraph() + "\n\n[ref]: /url \"title\"\n" }

  /// The paragraph alone, without a line end.
  package mutating func paragraph() -> String {
    var text = "w"
    for _ in 0..<(2 + Int(generator.next() % 24)) {
      text += Self.atoms[Int(generator.next() % UInt64(Self.atoms.count))]
      if text.last == "\n" { text += "w" }
    }
    return text
  }
}
