import ByteStorage
import Markup
import TestSupport
import Testing

/// Directives that are blocks: the finished blocks in short, a line each.
@Suite struct DirectiveTests {
  @Test(arguments: [
    ("::a", "e0 a none 0..3"), ("::a  \n", "e0 a none 0..3"), ("  ::a-b", "e2 a-b none 2..7"),
    ("::a[b *c*]", "e0 a markdown 0..10|  e0+1 label 'b *c*' 4..9"),
    ("::a[ b ]", "e0 a markdown 0..8|  e0+1 label 'b' 5..6"),
    ("::a[]", "e0 a none 0..5"), ("::a[ \t]{x}", "e0 a none x 0..10"),
    ("::a[[b]\\]]", "e0 a markdown 0..10|  e0+1 label '[b]\\]' 4..9"),
    ("::é", "e0 é none 0..4"), ("::a{b=c .d #e .f}", "a:e a none b=c class=d f id=e 0..17"),
    ("::a{key=k}", "a:k a none key=k 0..10"), ("::a{#k template=T}", "T:k a none id=k template=T 0..18"),
    ("::a{key=k}\n::a{key=k}", "a:k a none key=k 0..10|a:k#2 a none key=k 11..21"),
    ("::a{b='&amp; c' d=\"\"}", "e0 a none b=& c d= 0..21"),
    ("x\n::a\ny", "doc+1 'x' 0..1|e2 a none 2..5|e2+1 'y' 6..7"),
    (":::a\nb\n:::\nc", "e0 a markdown 0..10|  e0+1 'b' 5..6|e0+2 'c' 11..12"),
    (":::a[b]\nc", "e0 a markdown 0..9|  e0+1 label 'b' 5..6|  e0+2 'c' 8..9"),
    (":::a\n\n:::", "e0 a markdown 0..9"), (":::a", "e0 a markdown 0..4"),
    (":::a\n\nb\n\n", "e0 a markdown 0..7|  e0+1 'b' 6..7"),
    // A fence of at least as many colons closes, the outermost that it can.
    (
      "::::a\n:::b\nc\n:::\nd\n::::",
      "e0 a markdown 0..23|  e6 b markdown 6..16|    e6+1 'c' 11..12|  e6+2 'd' 17..18"
    ),
    (":::a\n:::b\n:::\nc", "e0 a markdown 0..13|  e5 b markdown 5..9|e5+1 'c' 14..15"),
    (":::a\n:::: \nb", "e0 a markdown 0..9|e0+1 'b' 11..12"),
    ("::::a\n:::\nb", "e0 a markdown 0..11|  e0+1 ':::\nb' 6..11"),
    (":::a\n    :::", "e0 a markdown 0..12|  e0+1 code ':::' 9..12"),
    (":::a\n```\nb\n:::\nc", "e0 a markdown 0..14|  e5 code 'b' 5..10|e5+1 'c' 15..16"),
    (":::a\n<artifact>\n:::\nb", "e0 a markdown 0..19|  e5 artifact raw '\n' 5..16|e5+1 'b' 20..21"),
    // Its lines may be indented as its fence is.
    ("  :::a\n  ```\n    b\n  ```\n  :::", "e2 a markdown 2..30|  e9 code '  b' 9..24"),
    // Containers around it and in it.
    ("> :::a\n> b\n> :::\n> c", "e0 quote 0..20|  e2 a markdown 2..16|    e2+1 'b' 9..10|  e2+2 'c' 19..20"),
    ("> :::a\n> b\nc", "e0 quote 0..10|  e2 a markdown 2..10|    e2+1 'b' 9..10|e2+2 'c' 11..12"),
    (":::a\n> b\nc\n:::", "e0 a markdown 0..14|  e5 quote 5..10|    e5+1 'b\nc' 7..10"),
    (
      "- :::a\n  b\n- c",
      "doc+1 list 0..14|  e0 item 0..10|    e2 a markdown 2..10|      e2+1 'b' 9..10|  e11 item 11..14|    e11+1 'c' 13..14"
    ),
    ("> a\n:::b\nc", "e0 quote 0..3|  e0+1 'a' 2..3|e4 b markdown 4..10|  e4+1 'c' 9..10"),
    // Tags around it and in it.
    (
      "<Card>\n:::a\nb</Card>\nc",
      "e0 Card markdown 0..20|  e7 a markdown 7..13|    e7+1 'b' 12..13|e7+2 'c' 21..22"
    ),
    (
      "<Card>:::a\nb\n:::</Card>c",
      "e0 Card markdown 0..23|  e6 a markdown 6..16|    e6+1 'b' 11..12|e6+2 'c' 23..24"
    ),
    (":::a\n<Card>\n:::\nb", "e0 a markdown 0..15|  e5 Card markdown 5..11|e5+1 'b' 16..17"),
    (":::a\n</a>\n:::", "e0 a markdown 0..13|  e5 html '</a>' 5..9"),
    (":::a\n<Card x={\n:::\n}>", "e0 a markdown 0..18|  e0+1 '<Card x={' 5..14|e0+2 '}>' 19..21"),
    ("<Card>::a</Card>b", "e0 Card markdown 0..16|  e6 a none 6..9|e6+1 'b' 16..17"),
  ])
  func readsDirectives(_ source: String, _ expected: String) {
    #expect(blocks(source) == expected)
  }

  @Test(arguments: [
    ":a", "::", ":::", ":: a", "::a b", "::a[", "::a[b", "::a{", "::a{b", "::-", "::a-", "::a_", "::a[]b",
    "::a{b==}", "::a{b=}",
    "::a{.}", "::a{b=\"c", "::a{b=\"c\"d}", "::a{} {}", "::a:", "::a[b]]", "::a{b}[c]", "::\u{3000}", "::💚",
    "::a\u{2003}",
  ])
  func leavesTheOthersAsText(_ source: String) {
    #expect(blocks(source) == "doc+1 '\(source)' 0..\(source.utf8.count)")
  }

  @Test func isTextInTheShippedDialects() {
    #expect(blocks(":::a\nb\n:::", .chat) == "doc+1 ':::a\nb\n:::' 0..10")
  }

  @Test func countsOffsetsInTheSource() {
    var parser = MarkupParser(dialect: .directives)
    parser.append(([0x3A, 0x3A, 0x61, 0x5B, 0xFF, 0x62, 0x00, 0x20, 0x5D] as [UInt8]).span)
    parser.finish()
    #expect(outline(parser.blocks) == "e0 a markdown 0..9|  e0+1 label '\u{FFFD}b\u{FFFD}' 4..7")
  }

  private func blocks(_ source: String, _ dialect: Dialect = .directives) -> String {
    var parser = MarkupParser(dialect: dialect)
    parser.append(Array(source.utf8).span)
    parser.finish()
    return outline(parser.blocks)
  }

  private func outline(_ table: borrowing BlockTable) -> String {
    var lines: [String] = []
    for row in 0..<table.count {
      let index = BlockIndex(row)
      let block = table[index]
      var depth = 0
      var parent = block.parent
      while let next = parent {
        depth += 1
        parent = table[next].parent
      }
      var id: [UInt8] = []
      table.appendID(of: index, to: &id)
      var line = String(repeating: "  ", count: depth) + String(decoding: id, as: UTF8.self)
      switch block.type {
      case .paragraph: if block.isDirectiveLabel { line += " label" }
      case .component:
        let (name, content) = table.component(of: index)
        line += " \(string(table, name)) \(content.name)"
        for attribute in table.attributes(of: index) {
          line += " " + string(table, attribute.name)
          if let value = attribute.value { line += "=" + string(table, value) }
        }
      case .blockquote: line += " quote"
      case .listItem: line += " item"
      default: line += " \(block.type.name)"
      }
      if block.hasText {
        line += " '\(String(decoding: table.text[table.textRange(of: index)], as: UTF8.self))'"
      }
      lines.append(line + " \(block.begin.value)..\(block.end?.value ?? -1)")
    }
    return lines.joined(separator: "|")
  }

  private func string(_ table: borrowing BlockTable, _ range: Range<Int>) -> String {
    String(decoding: table.strings[range], as: UTF8.self)
  }
}
