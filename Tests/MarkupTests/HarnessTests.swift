import Markup
import TestSupport
import Testing

/// What the other tests stand on.
@Suite struct HarnessTests {
  @Test func generatesTheSameDocumentForTheSameSeed() {
    var first = DocumentGenerator(seed: 7)
    var second = DocumentGenerator(seed: 7)
    var other = DocumentGenerator(seed: 8)
    let documents = (0..<20).map { _ in first.document() }
    #expect(documents == (0..<20).map { _ in second.document() })
    #expect(documents != (0..<20).map { _ in other.document() })
  }

  @Test func generatesEveryConstruct() {
    let wanted = [
      "```", "~~~", "- ", "1. ", "> ", "[!note]", "|-", "[^1]:", "$$", "\\[", "<Card", "<think>", "</Card>",
      "===", "<script>", "[ ] ", "[x] ", "\t", "\r", "[a]:", "    ", "`</Card>`", "<tool_call", "{...p}",
    ]
    var text = ""
    for seed in 0..<400 as Range<UInt64> {
      var generator = DocumentGenerator(seed: seed)
      text += String(decoding: generator.document(), as: UTF8.self)
    }
    for construct in wanted { #expect(text.utf8.firstRange(of: construct.utf8) != nil, "\(construct)") }
  }

  @Test func readsCmarksOutline() {
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE document SYSTEM "CommonMark.dtd">
      <document sourcepos="1:1-9:1" xmlns="http://commonmark.org/xml/1.0">
        <list sourcepos="1:1-2:3" type="ordered" start="3" delim="period" tight="true">
          <item sourcepos="1:1-2:3">
            <paragraph sourcepos="1:4-1:4">
              <text sourcepos="1:4-1:4" xml:space="preserve">a</text>
              <<unknown> sourcepos="1:2-1:5" />
            </paragraph>
          </item>
        </list>
        <code_block sourcepos="4:1-6:3" info="js  x&amp;y" xml:space="preserve">&lt;b
      </code_block>
        <<unknown> sourcepos="8:1-9:0">
          <paragraph sourcepos="8:7-8:7">
            <text sourcepos="8:7-8:7" xml:space="preserve">x</text>
          </paragraph>
        </<unknown>>
        <thematic_break sourcepos="9:1-9:3" />
      </document>
      """
    let outline = PeerOutline(cmarkXML: xml)
    #expect(
      outline.lines == [
        "list ordered 3 tight", "  item @1:1", "    paragraph @1:4", #"code [js x&y] "<b" @4:1"#,
        "thematicBreak @9:1",
      ])
    #expect(outline.footnotes == [["paragraph @8:7"]])
  }
}
