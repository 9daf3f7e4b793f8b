import Markup
import TestSupport
import Testing

/// The work for a leaf's inline content grows as the leaf does, also on text that is made to be slow. Work is counted
/// in steps, not in time.
@Suite struct InlineCostTests {
  @Test(arguments: [
    "*a ", "_a_", "[", "![", "`", "``a`", "<", "<a b='", "<!--", "<?", "&", "\\", "$a", "$$a", "\\(", "[a](",
    "[a](<b", "**a *a ", "a**b", "[a]", "[^a]", "~a~~", "www.", "http://", "a@", "[[a]](", "![[]()", "*_*_",
    "](", "!",
    "[a](b \"", "<a ", "<a@", "<a:", "*a _b ", "***a ** b",
    "<X>", "<X>a</X>", "</X>", "<X ", "<X a={", "<X a={}", "<X a=\"", "<X a=b ", "*<X>", "[<X>", "<X>[",
    "<tool_call>",
    "<tool_call><", "<X><y-z>", "<X></tool_call>", "<X><Y></X>",
    ":", "::", ":a", ":a[", ":a[]", ":a[b]", ":a{", ":a{b=\"", ":a{b='\"", ":a[[", ":a[:b[]", ":a[*b]", "\\:",
    ":a[`", ":a{b ",
    ":a[[x](u)]", "[:a[[x](u)]", ":a[<X>]", ":a[]{", ":a[\\", ":é",
  ])
  func growsAsTheTextDoes(_ unit: String) {
    let small = steps(unit, 2_000)
    let large = steps(unit, 16_000)
    // Eight times the text; a quadratic parser would take 64 times the steps.
    #expect(large <= 9 * small + 1_000, "\(small) steps for N, \(large) for 8 N")
  }

  private func steps(_ unit: String, _ count: Int) -> Int {
    let text = Array(String(repeating: unit, count: count).utf8)
    var parser = InlineParser(dialect: .directives)
    parser.parse(text.span, references: References(), table: BlockTable())
    return parser.steps
  }
}
