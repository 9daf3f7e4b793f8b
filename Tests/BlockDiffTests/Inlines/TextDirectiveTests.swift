import Markup
import TestSupport
import Testing

/// Directives in text, as runs in short (`RunSummary`).
@Suite struct TextDirectiveTests {
  @Test(arguments: [
    ("a :b[c] d", "a |c{b}| d"), ("a :b[c]{d=e .f #g}", "a |c{b d=e class=f id=g}"), ("a :b{c}", "a |{b c}"),
    ("a :b[]", "a |{b}"), ("a :b{}", "a |{b}"), ("a :b[ c ]", "a | c {b}"), ("a :é_1[c]", "a |c{é_1}"),
    ("a:b[c]", "a|c{b}"), ("\\::b[c]", ":|c{b}"), ("a :b[c]d", "a |c{b}|d"), ("a :b[c]:d[e]", "a |c{b}|e{d}"),
    ("a :b[c]{d='&amp;\ne'}", "a |c{b d=&\ne}"),
    // A label holds inline content, directives too, and no part of one.
    ("a :b[*c* `d`]", "a |c{b,em}| {b}|d{b,code}"), ("a :b[c :d[e]]", "a |c {b}|e{b,d}"),
    ("a :b[c\nd]", "a |c\nd{b}"), ("a :b[[c](/u)]", "a |c{b,link}→/u"), ("a :b[[c]]", "a |[c]{b}"),
    ("a :b[c\\]d]", "a |c]d{b}"), ("a :b[<Tag>c</Tag>]", "a |c{b,Tag}"), ("# a :b[c]", "a |c{b}"),
    ("*a :b[c* d]*", "a {em}|c* d{b,em}"), ("a :b[*c] d*", "a |*c{b}| d*"), ("a :b[`c] d`", "a |`c{b}| d`"),
    ("a `b :c[d` e]", "a |b :c[d{code}| e]"), ("w <Tag>:b[c</Tag>]", "w |<Tag>{html}|c{b}|</Tag>{b,html}"),
    ("a :b[$c] d$", "a |$c{b}| d$"), ("a :b[www.e.org c]", "a |www.e.org c{b}"),
    ("a :b[ www.e.org]", "a | {b}|www.e.org{b,link}→http://www.e.org"),
    // Links hold no links, also where one is in a label.
    ("[a :b[c]](/u)", "a {link}→/u|c{b,link}→/u"), ("[a :b[[c](/u)] d](/v)", "[a |c{b,link}→/u| d](/v)"),
    ("![a :b[c] d](/u)", "a c d{image}→/u"),
  ])
  func readsDirectives(_ text: String, _ expected: String) {
    #expect(RunSummary.of(text, .directives, isFinished: true) == expected)
  }

  @Test(arguments: [
    "at 10:30", "a:b", "a :b", ":b", "a :b[c", "a :b{c", "a ::b[c]", "a :-b[c]", "a :b-[c]", "a :b:[c]",
    "a :b {c}", "a :b{..c}",
    "a :b{c=}", "a: [b", "a :💚[b", "\\:a[b]",
  ])
  func leavesTheOthersAsText(_ text: String) {
    let shown = text.hasPrefix("\\") ? String(text.dropFirst()) : text
    #expect(RunSummary.of("w " + text, .directives, isFinished: true) == "w " + shown)
  }

  @Test(arguments: [
    ("a :b[c]{..d}", "a |c{b}|{..d}"), ("a :b[c]{d", "a |c{b}|{d"), ("a :b[c] {d}", "a |c{b}| {d}"),
    ("a :b[c]]", "a |c{b}|]"),
  ])
  func endsBeforeWhatIsNoneOfIt(_ text: String, _ expected: String) {
    #expect(RunSummary.of(text, .directives, isFinished: true) == expected)
  }

  @Test(arguments: [
    ("a :", "a "), ("a :b", "a "), ("at 10:30", "at 10:30"), ("Note:", "Note:"), ("a:b", "a:b"),
    ("a:b{c", "a:b{c"), ("a :b[", "a "), ("a :b[c", "a |c{b?}"),
    ("a :b[*c", "a |c{b,em?}"), ("a :b[c]", "a |c{b?}"), ("a :b[c]{d", "a |c{b?}"),
    ("a :b[c]{d}", "a |c{b d}"),
    ("a :b{d", "a "), ("a :b{d}", "a |{b d}"), ("a :b[c] d", "a |c{b}| d"), ("*a :b[c", "a {em?}|c{b,em?}"),
    ("*a :b[c]", "a {em?}|c{b,em?}"), ("[a :b[c]", "a {?}|c{b?}"), ("a :b[c]{..", "a |c{b}|{.."),
    ("a :b[[c](/u)", "a |c{b,link?}→/u"),
    ("a :b[c :d[e", "a |c {b?}|e{b,d?}"), ("a 1:b[c", "a 1:b[c"), ("![a :b[c", ""),
  ])
  func showsWhatIsOpenAsIfItClosed(_ text: String, _ expected: String) {
    #expect(RunSummary.of(text, .directives) == expected)
  }

  @Test func takesNoTagsForComponentsThatAreTooDeep() {
    let tags = (1...9).map { "<T-\($0)>" }.joined()
    #expect(RunSummary.of("w \(tags):a[b]", .directives, isFinished: true).hasSuffix("|<T-9>{html}|b{a}"))
  }

  @Test func boundsTheDepth() {
    let nested = (1...10).reduce("x") { text, number in ":c\(number)[\(text)]" }
    let around = (3...10).reversed().map { "c\($0)" }.joined(separator: ",")
    #expect(RunSummary.of("w " + nested, .directives, isFinished: true) == "w |:c2[:c1[x]]{\(around)}")
  }
}
