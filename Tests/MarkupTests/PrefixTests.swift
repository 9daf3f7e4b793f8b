import BlockDiff
import Checker
import Markup
import TestSupport
import Testing

/// A parser made from the blocks before a boundary is the one that stood there.
struct PrefixTests {
  @Test(arguments: 0..<8, [Dialect.chat, .gfm])
  func equalsOneThatHasReadTheBytes(seed: Int, dialect: Dialect) throws {
    for document in GeneratedDocuments.documents(12, seed: seed, dialect: dialect) {
      let source = document.source
      var parser = MarkupParser(dialect: dialect, options: document.parse.options)
      parser.append(source.span.extracting(0..<source.count / 2))
      parser.append(source.span.extracting(source.count / 2..<source.count))
      for boundary in boundaries(of: parser, source) {
        try expectSame(parser.prefix(to: boundary), document, from: boundary.offset.value)
      }
    }
  }

  /// The boundaries where a line begins, each once.
  private func boundaries(of parser: borrowing MarkupParser, _ source: [UInt8]) -> [BlockTable.Boundary] {
    var found: [BlockTable.Boundary] = []
    for offset in 0...source.count {
      guard let boundary = parser.blocks.boundary(through: ByteOffset(offset)) else { continue }
      let isLineStart = source[boundary.offset.value - 1] == UInt8(ascii: "\n")
      if isLineStart && found.last != boundary { found.append(boundary) }
    }
    return found
  }

  private func expectSame(
    _ prefix: consuming MarkupParser, _ document: CheckRun.Document, from begin: Int
  ) throws {
    let source = document.source
    var ours = prefix
    var others = MarkupParser(dialect: document.parse.dialect, options: document.parse.options)
    others.append(source.span.extracting(0..<begin))
    let (made, expected) = (try BlockDocument(ours.blocks), try BlockDocument(others.blocks))
    try #require(made == expected, "\(document.name) at \(begin)")
    #expect(others.blocks.pending == 0)
    for offset in begin..<source.count {
      ours.append(source.span.extracting(offset..<offset + 1))
      others.append(source.span.extracting(offset..<offset + 1))
      // Also from before the boundary.
      for back in [1, 2, 9, 50, 300] where back <= offset + 1 {
        let since = ByteOffset(offset + 1 - back)
        try #require(
          json(ours.blocks, since) == json(others.blocks, since),
          "\(document.name) at \(begin), the diff from \(since) to \(offset + 1)")
      }
    }
    ours.finish()
    others.finish()
    #expect(try BlockDocument(ours.blocks) == BlockDocument(others.blocks), "\(document.name) at \(begin)")
  }

  private func json(_ table: borrowing BlockTable, _ since: ByteOffset) -> [UInt8] {
    var writer = JSONWriter()
    let envelope = Envelope(stream: "s", lineage: Lineage(incarnation: 1))
    writer.write(table.diff(since: since), of: table, in: envelope)
    return writer.bytes
  }

  @Test(arguments: [
    ("# a\n", 3, nil), ("# a\n", 4, 4), ("# a\n\ntext", 9, 4), ("a\n\n- b\n- c\n\nd\n\n", 14, 3),
    ("a\n\n- b\n- c\n\nd\n\n", 15, 15), ("```\na\n```\nb", 11, 10), ("***\n<Card>\n", 11, 4),
    ("a\n\n|x\n", 6, 3), ("> a\n\n", 5, nil), ("| a |\n|-|\n|\n", 12, nil), ("a\n***\n", 6, 6),
    ("<Card>\n\na\n\n</Card>\n", 20, nil), ("x\n===\n[a]: b\n", 13, 6),
  ])
  func boundariesAreAfterWhatIsSure(text: String, offset: Int, expected: Int?) {
    var parser = MarkupParser(dialect: .chat)
    parser.append(Array(text.utf8).span)
    #expect(parser.blocks.boundary(through: ByteOffset(offset))?.offset.value == expected)
  }
}
