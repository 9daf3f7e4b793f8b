import Checker

/// Makes paragraphs out of every inline construct of CommonMark, valid and broken, from a seed.
package struct InlineGenerator {
  private var generator: SeededGenerator
  private let hasDirectives: Bool

  package init(seed: UInt64, hasDirectives: Bool = false) {
    generator = SeededGenerator(seed: seed)
    self.hasDirectives = hasDirectives
  }

  /// A directive in text, or a part of one.
  static func directive(_ generator: inout SeededGenerator) -> String {
    generator.pick([
      ":term[chunk]", ":a[", ":b{", ":a", ":", "::", "\\:", ":x[*b]{k=v}", ":t[a](/u)", ":t[[a](/u)]", "}",
      "{.c}", "]{a=b",
      ":t[`]`]", ":a[:b[", "]]", ":é[ü]{#i .k}", ":n{a='b'}", ":t[$x$]", ":m[<Tag>]", "10:30[",
      ":t[www.e.org ]", ":-[",
      ":t[![a", ":t[\\]",
    ])
  }

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
      if hasDirectives && generator.chance(30) {
        text += Self.directive(&generator)
        continue
      }
      text += Self.atoms[Int(generator.next() % UInt64(Self.atoms.count))]
      if text.last == "\n" { text += "w" }
    }
    return text
  }
}
