import BlockDiff
import Checker
import Markup
import TestSupport
import Testing

/// A parser that keeps no history shows what one shows that does.
struct HistoryTests {
  @Test(arguments: 0..<150)
  func theBlocksAreTheSameWithoutIt(seed: Int) throws {
    let document = try #require(GeneratedDocuments.documents(1, seed: seed, dialect: .chat).first)
    for chunk in [1, 20, document.source.count + 1] {
      let kept = try blocks(document, chunk, keepsHistory: true)
      #expect(try blocks(document, chunk, keepsHistory: false) == kept, "\(chunk) bytes at a time")
    }
  }

  private func blocks(
    _ document: CheckRun.Document, _ chunk: Int, keepsHistory: Bool
  ) throws -> BlockDocument {
    var parser = MarkupParser(
      dialect: .chat, options: document.parse.options, keepsHistory: keepsHistory)
    for begin in stride(from: 0, to: document.source.count, by: chunk) {
      parser.append(
        document.source.span.extracting(begin..<min(begin + chunk, document.source.count)))
    }
    parser.finish()
    return try BlockDocument(parser.blocks)
  }
}
