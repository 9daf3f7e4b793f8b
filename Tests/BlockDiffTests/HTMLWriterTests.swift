import BlockDiff
import Markup
import Testing

@Suite struct HTMLWriterTests {
  private func html(_ markdown: String, _ dialect: Dialect = .chat, _ options: HTMLOptions = .safe) -> String
  {
    var parser = MarkupParser(dialect: dialect)
    parser.append(Array(markdown.utf8).span)
    parser.finish()
    var writer = HTMLWriter(dialect: dialect, options: options)
    writer.write(parser.blocks)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// In pieces the document is the same, also where raw HTML ends within a line, and with notes at the end.
  @Test(arguments: [HTMLOptions.safe, .exact]) func givesPiecesAway(_ options: HTMLOptions) {
    let part = "# A & B\n\n- one[^n]\n- two\n\n<!-- x --> y\n***\n\n<b\nc>\nText <i>\n\n> quoted\n\n"
    let markdown = String(repeating: part, count: 1500) + "[^n]: Note.\n"
    var parser = MarkupParser(dialect: .gfm)
    parser.append(Array(markdown.utf8).span)
    parser.finish()
    var writer = HTMLWriter(dialect: .gfm, options: options)
    writer.write(parser.blocks)
    var pieces: [[UInt8]] = []
    var other = HTMLWriter(dialect: .gfm, options: options)
    other.write(parser.blocks) { pieces.append($0) }
    #expect(Array(pieces.joined()) == writer.bytes)
    #expect(pieces.count > 2)
    #expect(pieces.dropLast().allSatisfy { (64 << 10..<65 << 10).contains($0.count) && $0.last == 0x0A })
  }

  @Test(arguments: [
    ("$a$", "<p><code class=\"language-math math-inline\">a</code></p>\n"),
    ("x $$a+b$$ y", "<p>x <code class=\"language-math math-display\">a+b</code> y</p>\n"),
    (
      "it is \\(a\\) or \\[b\\].",
      "<p>it is " + math("a", "inline") + " or " + math("b", "display") + ".</p>\n"
    ),
    // Prices stay text.
    ("$5 and $6", "<p>$5 and $6</p>\n"), ("from $5-$6", "<p>from $5-$6</p>\n"),
    ("US$5, $ 6 $", "<p>US$5, $ 6 $</p>\n"), ("20$-30$ a day", "<p>20$-30$ a day</p>\n"),
    ("it had $5, then $x or (US$6)", "<p>it had $5, then $x or (US$6)</p>\n"),
    ("$, $y and $x$", "<p>$, $y and " + math("x", "inline") + "</p>\n"),
    ("$a$$b$", "<p>" + math("a", "inline") + math("b", "inline") + "</p>\n"),
    ("$a\\$b$", "<p>" + math("a\\$b", "inline") + "</p>\n"),
    ("$*a*$", "<p>" + math("*a*", "inline") + "</p>\n"),
    ("`$a$`", "<p><code>$a$</code></p>\n"), ("\\$a$", "<p>$a$</p>\n"), ("$$$a$$$", "<p>$$$a$$$</p>\n"),
  ])
  func readsMathInText(_ markdown: String, _ expected: String) {
    #expect(html(markdown) == expected)
  }

  private static func math(_ text: String, _ kind: String) -> String {
    "<code class=\"language-math math-\(kind)\">\(text)</code>"
  }

  @Test func hasNoMathOutsideOfChat() {
    #expect(html("$a$", .gfm) == "<p>$a$</p>\n")
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:alert(1)", "java&#10;script:alert(1)", "vbscript:x",
    "file:///etc/passwd",
    "data:text/html,x", "&#1;javascript:x",
  ])
  func leavesOutURLsThatRunCode(_ url: String) {
    #expect(html("[a](<\(url)>)") == "<p><a href=\"\">a</a></p>\n")
  }

  @Test func keepsOtherURLs() {
    #expect(html("[a](/x?javascript:y)") == "<p><a href=\"/x?javascript:y\">a</a></p>\n")
    #expect(
      html("![a](data:image/png;base64,AA==)")
        == "<p><img src=\"data:image/png;base64,AA==\" alt=\"a\" /></p>\n")
  }

  @Test func escapesRawHTMLUnlessToldOtherwise() {
    let markdown = "a <b>x</b>\n\n<div>\n<script>y</script>\n</div>\n"
    #expect(
      html(markdown, .commonmark)
        == "<p>a &lt;b&gt;x&lt;/b&gt;</p>\n<p>&lt;div&gt;\n&lt;script&gt;y&lt;/script&gt;\n&lt;/div&gt;</p>\n"
    )
    let verbatim = HTMLOptions(rawHTML: .verbatim)
    #expect(
      html(markdown, .gfm, verbatim)
        == "<p>a <b>x</b></p>\n<div>\n&lt;script>y&lt;/script>\n</div>\n")
    let omitted = HTMLOptions(rawHTML: .omitted)
    #expect(
      html("a <b>x", .commonmark, omitted) == "<p>a <!-- raw HTML omitted -->x</p>\n")
  }

  /// As cmark does.
  @Test(arguments: [
    ("<script>\na\n\n\n", "<script>\na\n\n\n"), ("<script>", "<script>\n"), ("<!-- a\n\n", "<!-- a\n\n"),
    ("<script>\na\n  \n \n", "<script>\na\n  \n \n"), ("<div>\n\n\n", "<div>\n"),
    ("> <script>\n>\n>\n", "<blockquote>\n<script>\n\n\n</blockquote>\n"),
    ("- <!-- a\n\n\nb", "<ul>\n<li>\n<!-- a\n\n\n</li>\n</ul>\n<p>b</p>\n"),
  ])
  func keepsTheBlankLinesAtTheEndOfUnclosedHTML(_ markdown: String, _ expected: String) {
    #expect(html(markdown, .commonmark, .exact) == expected)
  }

  @Test func writesAlertsComponentsAndMathBlocks() {
    #expect(
      html("> [!tip]\n> a\n")
        == """
        <div class="markdown-alert markdown-alert-tip">
        <p class="markdown-alert-title">Tip</p>
        <p>a</p>
        </div>

        """)
    #expect(
      html("<Card key=\"a\">\nb\n</Card>\n")
        == "<div data-component=\"Card\" id=\"Card:a\">\n<p>b</p>\n</div>\n")
    #expect(html("$$\na<b\n$$\n") == "<pre><code class=\"language-math math-display\">a&lt;b</code></pre>\n")
  }

  @Test func writesDeepNestingWithoutRecursion() {
    let depth = 20_000
    let text = html(String(repeating: ">", count: depth) + "a", .commonmark)
    #expect(text.utf8.count == depth * ("<blockquote>\n".utf8.count + "</blockquote>\n".utf8.count) + 9)
  }
}
