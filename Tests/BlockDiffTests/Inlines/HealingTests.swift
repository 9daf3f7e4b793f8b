import Markup
import Testing

@testable import BlockDiff

/// What is shown of an open leaf (identity.md §8), in short: runs with bars between them, a run's marks in braces, `?`
/// where it is provisional, and what it leads to.
@Suite struct HealingTests {
  private func runs(_ text: String, _ dialect: Dialect = .chat, isFinished: Bool = false) -> String {
    var parser = MarkupParser(dialect: dialect)
    parser.append(Array(text.utf8).span)
    if isFinished { parser.finish() }
    var view = InlineView(dialect: dialect)
    view.update(to: parser.blocks)
    let rows = (0..<parser.blocks.count).filter { parser.blocks[BlockIndex($0)].hasInlineContent }
    guard let row = rows.last else { return "no leaf" }
    var list = InlineRuns()
    view.write(BlockIndex(row), of: parser.blocks, policy: .safe, to: &list)
    return list.runs.map { short($0, list.bytes) }.joined(separator: "|")
  }

  private func short(_ run: InlineRun, _ bytes: [UInt8]) -> String {
    var text = String(decoding: bytes[run.text], as: UTF8.self)
    let names: [(InlineRun.Marks, String)] = [
      (.link, "link"), (.strong, "strong"), (.emphasis, "em"), (.delete, "del"), (.inlineCode, "code"),
      (.inlineMath, "math"), (.image, "image"), (.html, "html"), (.break, "break"),
      (.footnoteReference, "note"),
    ]
    let marks = names.filter { run.marks.contains($0.0) }.map(\.1)
    if !marks.isEmpty || run.isProvisional {
      text += "{\(marks.joined(separator: ","))\(run.isProvisional ? "?" : "")}"
    }
    if let url = run.url ?? run.source { text += "→" + String(decoding: bytes[url], as: UTF8.self) }
    return text
  }

  @Test(arguments: [
    ("**bo", "bo{strong?}"), ("a *b", "a |b{em?}"), ("a *b*", "a |b{em?}"), ("a *b* c", "a |b{em}| c"),
    ("***a", "a{strong,em?}"), ("**a *b", "a {strong?}|b{strong,em?}"),
    ("**a *b* c", "a {strong?}|b{strong,em?}| c{strong?}"),
    ("~~a", "a{del?}"), ("~5 or", "~5 or"), ("`a", "a{code?}"), ("``a`", "a{code?}"), ("`a` b", "a{code}| b"),
    ("_a", "a{em?}"), ("snake_case", "snake_case"), ("a * b", "a * b"), ("2 ** 3", "2 ** 3"),
  ])
  func showsDelimitersAsIfTheyClosed(_ text: String, _ expected: String) {
    #expect(runs(text) == expected)
  }

  @Test(arguments: [
    ("a *", "a "), ("a **", "a "), ("a `", "a "), ("a ~", "a "), ("wow!", "wow"), ("a\\", "a"),
    ("a &am", "a "), ("a &amp;", "a &"), ("a http", "a "), ("a https:/", "a "), ("a www.", "a "),
    ("ahttp", "ahttp"), ("a & b", "a & b"), ("a <", "a "), ("a <b c", "a "),
    ("a < b", "a < b"), ("a <b> c", "a |<b>{html}| c"), ("a <http://e.o", "a "), ("a $", "a "),
  ])
  func hidesWhatMayStillGrow(_ text: String, _ expected: String) {
    #expect(runs(text) == expected)
  }

  @Test(arguments: [
    ("a [b", "a |b{link?}"), ("a [b]", "a |b{link?}"), ("a [b](", "a |b{link?}"), ("a [b](/u", "a |b{link?}"),
    ("a [b](/u)", "a |b{link}→/u"), ("a [b] c", "a [b] c"), ("a [b](/u c", "a [b](/u c"),
    ("a [*b", "a |b{link,em?}"), ("a ![b", "a "), ("a ![b](/u", "a "), ("a ![b](/u) c", "a |b{image}→/u| c"),
    ("a ![b] c", "a ![b] c"), ("a [^no", "a "), ("a [^no] b", "a [^no] b"),
    ("see www.exam", "see |www.exam{link?}"),
    ("see www.e.org now", "see |www.e.org{link}→http://www.e.org| now"),
    ("to a@b.or", "to |a@b.or{link?}"),
  ])
  func showsUnfinishedLinksWithoutATargetAndImagesNotAtAll(_ text: String, _ expected: String) {
    #expect(runs(text) == expected)
  }

  @Test(arguments: [
    ("a $x", "a |x{math?}"), ("a $x$ b", "a |x{math}| b"), ("for $5 or", "for $5 or"),
    ("a $$x", "a |x{math?}"),
    ("a \\(x", "a |x{math?}"), ("a \\(x\\", "a |x{math?}"),
  ])
  func showsMathAsIfItClosedButNoPrices(_ text: String, _ expected: String) {
    #expect(runs(text) == expected)
  }

  @Test(arguments: [
    ("**bo", "**bo"), ("a [b", "a [b"), ("a ![b", "a ![b"), ("`a", "`a"), ("a <b c", "a <b c"),
    ("wow!", "wow!"),
    ("a &am", "a &am"), ("a $x", "a $x"), ("a *", "a *"),
    ("see www.e.org", "see |www.e.org{link}→http://www.e.org"),
  ])
  func inventsNoCloserInSealedLeaves(_ text: String, _ expected: String) {
    #expect(runs(text, isFinished: true) == expected)
    #expect(runs("\(text)\n\n") == expected)
  }

  @Test func keepsUnsafeURLsOut() {
    #expect(runs("[a](javascript:b) c") == "a{link}| c")
    #expect(runs("![a](data:text/html,x) c") == "a{image}| c")
  }

  @Test func joinsWhatShowsAlike() {
    #expect(runs("a &amp; \\* b\nc  \nd", isFinished: true) == "a & * b\nc|\n{break}|d")
    #expect(runs("[a](/u)[b](/u)", isFinished: true) == "a{link}→/u|b{link}→/u")
    #expect(runs("**c**__d__", isFinished: true) == "cd{strong}")
  }

  @Test func describesAnImageInPlainText() {
    #expect(runs("![a *b* `c` [d](/e)](/u)", isFinished: true) == "a b c d{image}→/u")
    #expect(runs("[![a](/i)](/u)", isFinished: true) == "a{link,image}→/u")
    #expect(runs("![](/u)", isFinished: true) == "{image}→/u")
  }
}
