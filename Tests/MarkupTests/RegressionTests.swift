import ByteStorage
import Markup
import Testing

/// Sources that once went wrong, each with what is right.
@Suite struct RegressionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var source: String
    /// The types and texts of the leaves.
    var leaves: [String]
    var dialect = Dialect.commonmark
    var open: [String] = []

    var testDescription: String { source.debugDescription }
  }

  static let cases: [Case] = [
    // A tab that begins at a container's content column is not cut.
    Case(source: "- ```\n  \tz\n", leaves: ["code:\tz"]),
    Case(source: "- <div>\n  \tz\n", leaves: ["html:<div>\n\tz"]),
    Case(source: "-     \ta", leaves: ["code:\ta"]),
    Case(source: ">\t  \ta", leaves: ["code:\ta"]),
    // A blank line that is narrower than an item's content has no white space of its own.
    Case(source: "1.  ```\n  \n    a", leaves: ["code:\na"]),
    Case(source: "*\t```\n   \n    a\n", leaves: ["code:\na"]),
    Case(source: "*    <pre>\n\t\n     a\n</pre>", leaves: ["html:<pre>\n\na", "html:</pre>"]),
    // A lazy line after a definition that is nothing but a close tag begins no paragraph.
    Case(
      source: "89.  [^]:`\n    </think>", leaves: ["definition:[^]:`"], dialect: .chat, open: ["think"]),
    // A close tag counts in no HTML of types 1 to 5, behind a quote's marker either.
    Case(source: "<Ab>><?\n><", leaves: ["html:<?\n<"], dialect: .chat),
    // After a task box white space means nothing, also before a close tag.
    Case(source: "<X>- [x]     </X>", leaves: [], dialect: .chat),
    Case(source: "- [x]    </think>a", leaves: ["paragraph:a"], dialect: .chat, open: ["think"]),
    // A close tag of what is around an item ends a raw component in it, also one without a line.
    Case(source: "<X>\n* <tool_call>\n</X>\n", leaves: ["component:\n"], dialect: .chat),
    Case(source: "<X>\n> <tool_call>\n</X>a", leaves: ["component:\n", "paragraph:a"], dialect: .chat),
    Case(source: "<X>\n* <tool_call>\n  </X>\n", leaves: ["component:\n</X>\n"], dialect: .chat),
    // An empty footnote definition goes on after blank lines.
    Case(source: "[^1]:\n\n\n    a\n", leaves: ["paragraph:a"], dialect: .gfm),
  ]

  @Test(arguments: cases)
  func readsWhatOnceWentWrong(_ test: Case) {
    let bytes = Array(test.source.utf8)
    for chunk in [1, 2, 3, bytes.count] {
      var parser = MarkupParser(dialect: test.dialect, options: .init(open: test.open))
      for begin in stride(from: 0, to: bytes.count, by: chunk) {
        parser.append(bytes[begin..<min(begin + chunk, bytes.count)].span)
      }
      parser.finish()
      #expect(leaves(of: parser.blocks) == test.leaves, "in chunks of \(chunk)")
    }
  }

  /// A heading that shows before its text, behind a table cell that ends with white space, once seemed to have had
  /// text at once: the history of the shared text took the cell's white space for it.
  @Test(arguments: ["A\n-|\n1 \n# H\n", "|a |\n|-|\n| b \t|\n| c\\| |\n\nd e", "d\n|-\na \n\\[\n x\n\\]\n"])
  func knowsHowLongTextWas(_ source: String) {
    let bytes = Array(source.utf8)
    var whole = MarkupParser(dialect: .chat)
    whole.append(bytes.span)
    var prefix = MarkupParser(dialect: .chat)
    for end in 1...bytes.count {
      prefix.append(bytes[end - 1..<end].span)
      for row in 0..<prefix.blocks.count {
        let index = BlockIndex(row)
        let block = prefix.blocks[index]
        guard block.hasText, !block.isSealed, block.type == whole.blocks[index].type else { continue }
        let length = whole.blocks.textLength(of: index, at: ByteOffset(end))
        #expect(length == prefix.blocks.textRange(of: index).count, "block \(row) at \(end)")
      }
    }
  }

  private func leaves(of table: BlockTable) -> [String] {
    (0..<table.count).map { BlockIndex($0) }.filter { table[$0].hasText }.map {
      "\(table[$0].type.name):" + String(decoding: table.text[table.textRange(of: $0)], as: UTF8.self)
    }
  }
}
