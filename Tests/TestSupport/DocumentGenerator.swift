package import Checker

/// Makes documents out of every construct of the dialects, hostile ones included, from a seed.
///
/// The grammar leans towards what decides late, closes early or nests: a document of plain paragraphs finds
/// nothing.
package struct DocumentGenerator {
  package private(set) var generator: SeededGenerator
  private var output: [UInt8] = []
  /// What stands before each line of the containers that are open.
  private var prefixes: [[UInt8]] = []
  /// Whether the line being written has its prefixes already.
  private var isInLine = false
  private var lineEnd: [UInt8] = [0x0A]

  private let hasDirectives: Bool

  package init(seed: UInt64, hasDirectives: Bool = false) {
    generator = SeededGenerator(seed: seed)
    self.hasDirectives = hasDirectives
  }

  /// The next document: about `blocks` blocks, sometimes damaged.
  package mutating func document(blocks: Int = 6) -> [UInt8] {
    output = []
    prefixes = []
    isInLine = false
    lineEnd = generator.pick([[0x0A], [0x0A], [0x0A], [0x0A], [0x0D, 0x0A], [0x0D]])
    if generator.chance(3) { output += [0xEF, 0xBB, 0xBF] }
    if generator.chance(3) { put("---\na: 1\n---\n") }
    for _ in 0..<1 + generator.below(blocks) { block(depth: 0) }
    if generator.chance(30) { trimEnd() }
    if generator.chance(35) { mutate() }
    return output
  }

  // MARK: - Blocks

  private mutating func block(depth: Int) {
    if hasDirectives && generator.chance(25) { return directive(depth: depth) }
    let kinds = depth < 4 ? 24 : 15
    switch generator.below(kinds) {
    case 0, 1: paragraph()
    case 2: atxHeading()
    case 3: setextHeading()
    case 4: line(generator.pick(["---", "***", "- - -", "___", " * * *", "--", "-\t-\t-", "---- x"]))
    case 5: fence()
    case 6: indentedCode()
    case 7: html()
    case 8, 9: table()
    case 10: definition()
    case 11: math()
    case 12: line(inline())
    case 13: hostile()
    case 14: component(depth: depth)
    case 15, 16: quote(depth: depth)
    case 17, 18, 19, 20: list(depth: depth)
    case 21: footnote(depth: depth)
    default: component(depth: depth)
    }
    if generator.chance(55) { blankLine() }
  }

  private mutating func paragraph() {
    for _ in 0..<1 + generator.below(3) { line(indent(3) + inline() + trailing()) }
  }

  private mutating func atxHeading() {
    line(
      indent(3) + String(repeating: "#", count: 1 + generator.below(7))
        + generator.pick([" ", " ", "\t", "", "  "]) + inline()
        + generator.pick(["", "", " #", " ##  ", "#", " \\#", "\t#\t"]))
  }

  private mutating func setextHeading() {
    paragraph()
    line(indent(3) + generator.pick(["===", "---", "=", "-", "--  ", "== =", "=\\", "- "]))
  }

  private mutating func fence() {
    let mark = generator.pick(["```", "~~~", "````", "~~~~", "``"])
    line(indent(3) + mark + generator.pick(["", "py", " js a=1", "a`b", " \\* &amp;", "\tx", "</Card>"]))
    for _ in 0..<generator.below(4) {
      line(
        generator.pick([
          "x = 1", "", "  y", "\tz", "``", "~~", "# no", "</think>", "```x", "    ```", "- a", "\0",
        ]))
    }
    if generator.chance(75) { line(indent(3) + mark + generator.pick(["", "`", " ", "  \t", " x"])) }
  }

  private mutating func indentedCode() {
    for _ in 0..<1 + generator.below(3) {
      line(generator.pick(["    ", "\t", "     ", "  \t"]) + inline())
      if generator.chance(30) { line(generator.pick(["", "  ", "     ", "\t\t"])) }
    }
  }

  private mutating func html() {
    let open = generator.pick([
      "<script>", "<pre>", "<!-- a", "<?php", "<!DOCTYPE x", "<![CDATA[", "<div>", "</td>", "<i class=\"a\">",
      "<br/>", "<i", "<a\tb='c'>", "</script>", "<style", "<textarea>x", "<table", "<x-y", "<div class=\"",
    ])
    line(indent(3) + open + (generator.chance(40) ? inline() : ""))
    for _ in 0..<generator.below(3) { line(inline()) }
    if generator.chance(30) { blankLine() }
    if generator.chance(60) {
      line(generator.pick(["</script>", "</pre>", "-->", "?>", ">", "]]>", "</div>", "</i> x"]))
    }
  }

  private mutating func table() {
    if generator.chance(25) { paragraph() }
    let columns = 1 + generator.below(3)
    line(row(columns))
    let cells = (0..<(generator.chance(85) ? columns : columns + 1)).map { _ in
      generator.pick(["-", "---", ":-", "-:", ":-:", " --- ", ":-: "])
    }
    line(
      generator.pick(["|", "", "| "]) + cells.joined(separator: "|") + generator.pick(["|", "", " |", "| x"]))
    for _ in 0..<generator.below(4) { line(row(1 + generator.below(4))) }
    if generator.chance(20) { line("|") }
  }

  private mutating func row(_ columns: Int) -> String {
    let cells = (0..<columns).map { _ in
      generator.pick([" a ", "b", "", " ", " c\\|d ", "`|`", "é", "\\", " e  "])
    }
    return generator.pick(["|", "|", "", " | "]) + cells.joined(separator: "|")
      + generator.pick(["|", "", "| "])
  }

  private mutating func definition() {
    let label = generator.pick(["[a]", "[B c]", "[^", "[a\\]]", "[]", "[a\nb]", "[é]", "[a[b]"])
    let target = generator.pick([" /u", "\n/u", " <a b>", "", " <", "\n\n/u", " /u x", "  \n  /v"])
    let title = generator.pick([
      "", " \"t\"", "\n'two\nlines'", "\n(t) x", "\n\"t", " 't", "\n\"a\n\nb\"", "\n  'x'  ",
    ])
    lines(indent(3) + label + ":" + target + title)
    if generator.chance(30) { line(generator.pick(["===", "---", "x", "| a |"])) }
  }

  private mutating func math() {
    let text = generator.pick([
      "$$\nx\n$$", "\\[\na\n\\]", "$$ a $$", "$$a$$ b", "$$\nx\n$$ y", "\\[ \\\\] \\]", "$$\n\nx", "$$$",
      "\\[",
    ])
    lines(indent(3) + text)
  }

  private mutating func hostile() {
    let piece = generator.pick([
      "[", "<", "`", "*", ">", "- ", "1. ", "|", "\t", "$", "&", "\\", "<a ", "</", "[^", "#", "![",
    ])
    line(String(repeating: piece, count: 1 + generator.below(30)))
  }

  // MARK: - Containers

  private mutating func quote(depth: Int) {
    if generator.chance(30) {
      line(
        generator.pick(["> ", ">", ">  "])
          + generator.pick(["[!note]", "[!TIP]", "[!warning] x", "[!", "[!no]", "[!note]  "]))
    }
    nested(first: nil, rest: generator.pick(["> ", ">", "> ", ">\t", ">  "]), depth: depth)
  }

  private mutating func list(depth: Int) {
    let marker = generator.pick(["-", "*", "+", "1.", "2)", "10.", "123456789."])
    let gap = generator.pick([" ", " ", "  ", "\t", "    ", "     "])
    for _ in 0..<1 + generator.below(3) {
      let box = generator.chance(20) ? generator.pick(["[ ] ", "[x] ", "[X]\t", "[ ]", "[x", "[y] "]) : ""
      let width = marker.utf8.count + (gap == "\t" || gap.utf8.count > 4 ? 1 : gap.utf8.count)
      if generator.chance(10) {
        line(marker)
        if generator.chance(50) { blankLine() }
      } else {
        nested(
          first: indentBytes(2) + Array((marker + gap + box).utf8),
          rest: String(repeating: " ", count: width),
          depth: depth)
      }
      if generator.chance(25) { blankLine() }
    }
  }

  private mutating func footnote(depth: Int) {
    let label = generator.pick(["[^1]:", "[^a b]:", "[^é]:", "[^]:", "[^1", "[^x]: "])
    nested(
      first: Array((indent(3) + label + generator.pick([" ", "", "  "])).utf8), rest: "    ", depth: depth)
  }

  private mutating func component(depth: Int) {
    let name = generator.pick([
      "Card", "think", "tool_call", "x-y", "artifact", "BR", "Card", "thinking", "A.b",
    ])
    let attributes = generator.pick([
      "", " key=\"k\"", " key='a b'", " id=7", " wide", " key=\"\" id=\"z\"", " data={{a: \"}\"}}", " a=b/",
      " key=\"k\" template=\"T\"", "\n  key=\"n\"\n", " x=\">\"", " a b c", " \"", " key=\"&amp;é\"",
      " {...p}",
    ])
    let isEmpty = generator.chance(25)
    lines(
      indent(3) + "<" + name + attributes + (isEmpty ? "/>" : generator.chance(92) ? ">" : ""), ends: false)
    if generator.chance(70) { endLine() }
    if isEmpty { return endLineIfOpen() }
    for _ in 0..<generator.below(3) {
      if depth < 4 { block(depth: depth + 1) } else { line(inline()) }
    }
    let close = generator.pick([
      "</\(name)>", "</\(name)>", "</\(name)>", "</\(name) >", "x</\(name)>", "`</\(name)>` </\(name)>",
      "`` </\(name)>", "</\(name)> after", "</\(name)></Card>", "</\(name)", "</other>", "", "   </\(name)>",
      "    </\(name)>", "</\(name)><Card key=\"k\">x</Card>",
    ])
    line(close)
  }

  private mutating func directive(depth: Int) {
    let fence = generator.pick([":::", ":::", "::::", "::", "::", ":::::", ":"])
    let name = generator.pick(["card", "note", "x-y", "é", "a_", "9", "", " warning", "Card"])
    let label = generator.pick(["", "", "[One *b*]", "[ a ]", "[]", "[a [b] c]", "[a\\]", "[", "[a</Card>]"])
    let attributes = generator.pick([
      "", "", "{#k}", "{.a .b key=\"k\"}", "{a=b c}", "{key='&amp;é'}", "{", "{a=\"}", "{x=1}{", "{}",
      "{#k template=T}",
    ])
    line(indent(3) + fence + name + label + attributes + generator.pick(["", "", "", " ", "\t", " x"]))
    guard fence.utf8.count > 2 else { return }
    for _ in 0..<generator.below(3) {
      if depth < 4 { block(depth: depth + 1) } else { line(inline()) }
    }
    line(
      indent(3)
        + generator.pick([
          fence, fence, fence, ":::", "::::", fence + "  ", fence + " x", "", "\t" + fence, "> " + fence,
        ]))
  }

  private mutating func nested(first: [UInt8]?, rest: String, depth: Int) {
    if let first {
      startLine()
      output += first
    }
    prefixes.append(Array(rest.utf8))
    for _ in 0..<1 + generator.below(3) { block(depth: depth + 1) }
    prefixes.removeLast()
    endLineIfOpen()
  }

  // MARK: - Lines

  private mutating func line(_ text: String) {
    startLine()
    output += Array(text.utf8)
    endLine()
  }

  /// Writes text with line feeds in it, each line behind its prefixes.
  private mutating func lines(_ text: String, ends: Bool = true) {
    let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, part) in parts.enumerated() {
      startLine()
      output += Array(part.utf8)
      if ends || number + 1 < parts.count { endLine() }
    }
  }

  private mutating func blankLine() {
    endLineIfOpen()
    if generator.chance(50) {
      for prefix in prefixes { output += prefix }
    }
    if generator.chance(15) { output += Array(generator.pick([" ", "\t", "      "]).utf8) }
    endLine()
  }

  private mutating func startLine() {
    guard !isInLine else { return }
    isInLine = true
    for prefix in prefixes {
      // A lazy line, or one that leaves the container.
      if generator.chance(94) { output += prefix } else { return }
    }
  }

  private mutating func endLine() {
    output += generator.chance(98) ? lineEnd : generator.pick([[0x0A], [0x0D], [0x0D, 0x0A]])
    isInLine = false
  }

  private mutating func endLineIfOpen() { if isInLine { endLine() } }

  private mutating func put(_ text: String) { output += Array(text.utf8) }

  private mutating func indent(_ most: Int) -> String {
    generator.chance(80) ? "" : String(repeating: " ", count: generator.below(most + 2))
  }

  private mutating func indentBytes(_ most: Int) -> [UInt8] { Array(indent(most).utf8) }

  private mutating func trailing() -> String { generator.pick(["", "", "", "  ", "\\", " \t", "\t", "   "]) }

  private mutating func inline() -> String {
    var text = ""
    for _ in 0..<1 + generator.below(4) {
      if hasDirectives && generator.chance(20) { text += InlineGenerator.directive(&generator) }
      text += generator.pick([
        "a", "word ", "**b**", "`c`", "`` d", "[l](/u)", "<i>", "</Card>", "</think>", "é", "😀", " ", "\\",
        "&amp;",
        "|", "$x$", "![", "]", "*", "_", "~~", "https://x.y", "[^1]", "\u{301}", "#", "- ", "> ", "1. ", "<",
        "\t",
        "`</Card>`", "=", "\u{2028}", "\u{a0}", "[a]: ", "$$", "<Card/>", "<!--", "<Tag>", "</Tag>",
        "w<Tag a=\"b\" {", " <x-y n={1}>b</x-y>", "<tool_call>", "</tool_call>",
      ])
    }
    return text
  }

  // MARK: - Damage

  private mutating func trimEnd() {
    output.removeLast(min(output.count, 1 + generator.below(6)))
  }

  private mutating func mutate() {
    for _ in 0..<1 + generator.below(4) where !output.isEmpty {
      let place = generator.below(output.count)
      let length = min(1 + generator.below(6), output.count - place)
      switch generator.below(4) {
      case 0: output.removeSubrange(place..<place + length)
      case 1: output.insert(contentsOf: output[place..<place + length], at: place)
      case 2:
        output.insert(
          generator.pick(
            Array("\n\r\t >-*#`~|<[]()\\\"'&=+1.:$!_^/ab{}".utf8) + [0, 0xFF, 0xC3, 0xE2, 0xF0, 0x80]),
          at: place)
      default: output[place] = UInt8(truncatingIfNeeded: generator.next())
      }
    }
  }
}
