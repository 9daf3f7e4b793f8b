import ByteStorage
import Markup
import Testing

@testable import BlockDiff

/// Text is looked at and written by whole vectors: what matters may stand at each place of one, and of the text's end.
@Suite struct HTMLOutputTests {
  private static let references: [Character: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;",
  ]

  private func escaped(_ text: String) -> String {
    text.map { Self.references[$0] ?? String($0) }.joined()
  }

  /// Calls `body` with what stands around a mark: at each place of the first vectors, at the end, just before it and not.
  private func forEachPlace(_ body: (_ before: String, _ after: String) -> Bool) {
    for place in 0..<40 {
      for rest in [0, 1, 30] {
        guard body(String(repeating: "b", count: place), String(repeating: "b", count: rest)) else { return }
      }
    }
  }

  @Test(arguments: ["&", "<", ">", "\"", "&\"", "\n", "é"], ["", "\"", String(repeating: "&", count: 40)])
  func escapesAtEveryPlace(_ mark: String, _ behind: String) {
    forEachPlace { before, after in
      let text = before + mark + after
      let source = Array((text + behind).utf8)
      var output = HTMLOutput(.exact)
      output.writeEscaped(source.span, 0..<text.utf8.count)
      output.writeCodeSpan(source.span, 0..<text.utf8.count)
      output.write(source.span, 0..<text.utf8.count)
      let code = escaped(text).map { $0 == "\n" ? " " : String($0) }.joined()
      let found = String(decoding: output.bytes[0...], as: UTF8.self)
      let isExpected = found == escaped(text) + code + text
      #expect(isExpected, "\(text.debugDescription): \(found)")
      return isExpected
    }
  }

  @Test func makesRoomForReferences() {
    let source = [UInt8](repeating: UInt8(ascii: "\""), count: 10_000)
    var output = HTMLOutput(.exact)
    output.writeEscaped(source.span)
    output.writeLine("<p>")
    #expect(output.bytes[0...] == Array((String(repeating: "&quot;", count: 10_000) + "\n<p>").utf8))
  }

  /// What begins at a mark is found at every place, and what only looks like a mark stands for itself.
  @Test(arguments: [
    ("*b*", "<em>b</em>"), ("`b`", "<code>b</code>"), ("[b](/u)", "<a href=\"/u\">b</a>"),
    ("~b~", "<del>b</del>"), ("\\*", "*"), ("&lt;", "&lt;"), (" \n b", "\nb"), ("  \n b", "<br />\nb"),
    ("<!>", "&lt;!&gt;"), ("{|}", "{|}"), ("w: #1%!", "w: #1%!"), ("a\nb", "a\nb"), ("^@$", "^@$"),
    ("\"\n\"", "&quot;\n&quot;"), ("!", "!"), ("ww", "ww"),
    (" www.b.c ", " <a href=\"http://www.b.c\">www.b.c</a> "),
    (" http://b.c ", " <a href=\"http://b.c\">http://b.c</a> "),
  ])
  func findsMarksAtEveryPlace(_ markdown: String, _ html: String) {
    forEachPlace { before, after in
      let found = self.html("a" + before + markdown + after + "a")
      let isExpected = found == "<p>a" + before + html + after + "a</p>\n"
      #expect(isExpected, "\(before)\(markdown.debugDescription)\(after): \(found)")
      return isExpected
    }
  }

  private func html(_ markdown: String) -> String {
    var parser = MarkupParser(dialect: .gfm)
    parser.append(Array(markdown.utf8).span)
    parser.finish()
    var writer = HTMLWriter(dialect: .gfm, options: .exact)
    writer.write(parser.blocks)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
