import Testing

/// What is shown of an open leaf (identity.md §8), in short (`RunSummary`).
@Suite struct HealingTests {
  @Test(arguments: [
    ("**bo", "bo{strong?}"), ("a *b", "a |b{em?}"), ("a *b*", "a |b{em?}"), ("a *b* c", "a |b{em}| c"),
    ("***a", "a{strong,em?}"), ("**a *b", "a {strong?}|b{strong,em?}"),
    ("**a *b* c", "a {strong?}|b{strong,em?}| c{strong?}"),
    ("~~a", "a{del?}"), ("~5 or", "~5 or"), ("~$5 or", "~$5 or"), ("`a", "a{code?}"), ("``a`", "a{code?}"),
    ("`a` b", "a{code}| b"),
    ("_a", "a{em?}"), ("snake_case", "snake_case"), ("a * b", "a * b"), ("2 ** 3", "2 ** 3"),
  ])
  func showsDelimitersAsIfTheyClosed(_ text: String, _ expected: String) {
    #expect(RunSummary.of(text) == expected)
  }

  @Test(arguments: [
    ("a *", "a "), ("a **", "a "), ("a `", "a "), ("a ~", "a "), ("wow!", "wow"), ("a\\", "a"),
    ("a &am", "a "), ("a &amp;", "a &"), ("a http", "a "), ("a https:/", "a "),
    ("a h", "a "), ("a he", "a he"), ("：ht", "："), ("a www.", "a "),
    ("ahttp", "ahttp"), ("a & b", "a & b"), ("a <", "a "), ("a <b c", "a "),
    ("a < b", "a < b"), ("a <b> c", "a |<b>{html}| c"), ("a <http://e.o", "a "), ("a $", "a "),
  ])
  func hidesWhatMayStillGrow(_ text: String, _ expected: String) {
    #expect(RunSummary.of(text) == expected)
  }

  @Test(arguments: [
    ("a [b", "a |b{?}"), ("a [b]", "a |b{?}"), ("a [b](", "a |b{?}"), ("a [b](/u", "a |b{?}"),
    ("a [b](/u)", "a |b{link}→/u"), ("a [b] c", "a [b] c"), ("a [b](/u c", "a [b](/u c"),
    ("a [*b", "a |b{em?}"), ("a ![b", "a "), ("a ![b](/u", "a "), ("a ![b](/u) c", "a |b{image}→/u| c"),
    ("a ![b] c", "a ![b] c"), ("a [^no", "a "), ("a [^no] b", "a [^no] b"),
    ("see www.exam", "see |www.exam{link?}"), ("see www.e.org.", "see |www.e.org{link?}"),
    ("see (http://e.org/a).", "see (|http://e.org/a{link?}"),
    ("see www.e.org. A", "see |www.e.org{link}→http://www.e.org|. A"),
    ("see www.e.org now", "see |www.e.org{link}→http://www.e.org| now"),
    ("to a@b.or", "to |a@b.or{link?}"),
  ])
  func showsUnfinishedLinksWithoutATargetAndImagesNotAtAll(_ text: String, _ expected: String) {
    #expect(RunSummary.of(text) == expected)
  }

  @Test(arguments: [
    ("a $x", "a |x{math?}"), ("a $x$ b", "a |x{math}| b"), ("for $5 or", "for $5 or"),
    ("a $$x", "a |x{math?}"), ("a $x, $", "a $x, "), ("a $x, $y", "a $x, |y{math?}"),
    ("$x$$y", "x{math}|y{math?}"), ("\\(x\\)\\(y\\)", "x{math}|y{math}"),
    ("a \\(x", "a |x{math?}"), ("a \\(x\\", "a |x{math?}"),
  ])
  func showsMathAsIfItClosedButNoPrices(_ text: String, _ expected: String) {
    #expect(RunSummary.of(text) == expected)
  }

  @Test(arguments: [
    ("**bo", "**bo"), ("a [b", "a [b"), ("a ![b", "a ![b"), ("`a", "`a"), ("a <b c", "a <b c"),
    ("wow!", "wow!"),
    ("a &am", "a &am"), ("a $x", "a $x"), ("a *", "a *"),
    ("see www.e.org", "see |www.e.org{link}→http://www.e.org"),
  ])
  func inventsNoCloserInSealedLeaves(_ text: String, _ expected: String) {
    #expect(RunSummary.of(text, isFinished: true) == expected)
    #expect(RunSummary.of("\(text)\n\n") == expected)
  }

  @Test func keepsUnsafeURLsOut() {
    #expect(RunSummary.of("[a](javascript:b) c") == "a{link}| c")
    #expect(RunSummary.of("![a](data:text/html,x) c") == "a{image}| c")
  }

  @Test func joinsWhatShowsAlike() {
    #expect(RunSummary.of("a &amp; \\* b\nc  \nd", isFinished: true) == "a & * b\nc|\n{break}|d")
    #expect(RunSummary.of("[a](/u)[b](/u)", isFinished: true) == "a{link}→/u|b{link}→/u")
    #expect(RunSummary.of("**c**__d__", isFinished: true) == "cd{strong}")
  }

  @Test func describesAnImageInPlainText() {
    #expect(RunSummary.of("![a *b* `c` [d](/e)](/u)", isFinished: true) == "a b c d{image}→/u")
    #expect(RunSummary.of("[![a](/i)](/u)", isFinished: true) == "a{link,image}→/u")
    #expect(RunSummary.of("![](/u)", isFinished: true) == "{image}→/u")
  }
}
