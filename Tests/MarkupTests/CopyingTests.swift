import BlockDiff
import Checker
import Markup
import TestSupport
import Testing

/// A copied parser goes on as the one that it was copied from would have, and neither knows of the other.
struct CopyingTests {
  @Test(arguments: 0..<150)
  func bothGoOnByThemselves(seed: Int) throws {
    let document = try #require(
      GeneratedDocuments.documents(1, seed: seed, dialect: .chat).first)
    let source = document.source
    let other = Array("- other\n\n<think>\n```\n".utf8)
    for at in stride(from: 0, through: source.count, by: max(1, source.count / 12)) {
      var parser = MarkupParser(dialect: .chat, options: document.parse.options)
      parser.append(source.span.extracting(0..<at))
      var copy = parser.copy()
      parser.append(other.span)
      copy.append(source.span.extracting(at..<source.count))
      copy.finish()
      parser.finish()
      #expect(try BlockDocument(copy.blocks) == whole(source, document), "copied at \(at)")
      #expect(try BlockDocument(parser.blocks) == whole(Array(source[..<at]) + other, document), "\(at)")
    }
  }

  private func whole(_ source: [UInt8], _ document: CheckRun.Document) throws -> BlockDocument {
    var parser = MarkupParser(dialect: .chat, options: document.parse.options)
    parser.append(source.span)
    parser.finish()
    return try BlockDocument(parser.blocks)
  }
}
