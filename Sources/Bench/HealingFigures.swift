package import BlockDiff
import Checker
package import Markup

/// How often what a reader of runs is shown of open leaves is taken back (identity.md §8), over documents that are fed
/// token by token.
package struct HealingFigures: Sendable {
  package private(set) var documents = 0
  package private(set) var tokens = 0
  /// Diffs that took something back: text that was shown is gone or is another, or has other marks. That a run is
  /// provisional no more, or that a link now leads somewhere, takes nothing back.
  package private(set) var takenBack = 0
  /// Those of them where an open bracket turned out to be text: it was shown as a link's text.
  package private(set) var takenBackBrackets = 0
  /// The same in sealed leaves, but where a definition is the reason: there must be none.
  package private(set) var takenBackSealed = 0
  /// Ops with runs, and the bytes of all diffs.
  package private(set) var changes = 0
  package private(set) var wireBytes = 0

  package init() {}

  /// Feeds one document.
  ///
  /// - Throws: the rule that a diff breaks.
  package mutating func add(_ source: [UInt8], dialect: Dialect) throws(BlockDocumentError) {
    documents += 1
    var parser = MarkupParser(dialect: dialect)
    var view = InlineView(dialect: dialect)
    var document = BlockDocument()
    var position: ByteOffset?
    var begin = 0
    for end in Split.tokens.chunkEnds(of: source) + [source.count + 1] {
      if end > source.count {
        parser.finish()
      } else {
        tokens += 1
        parser.append(source.span.extracting(begin..<end))
      }
      begin = end
      var writer = JSONWriter()
      writer.write(
        parser.blocks.diff(since: position), of: parser.blocks, inlines: &view, as: .runs, in: Envelope())
      position = parser.blocks.position
      wireBytes += writer.bytes.count
      try apply(try BlockDocument.Update(json: writer.bytes), to: &document)
    }
  }

  private mutating func apply(
    _ update: BlockDocument.Update, to document: inout BlockDocument
  ) throws(BlockDocumentError) {
    var before: [(id: ByteString, wasOpen: Bool, shown: [Shown])] = []
    for case .inlines(let id, let change, _) in update.operations {
      changes += 1
      guard let block = document[id], !change.isResolution else { continue }
      before.append((id, block.isOpen, Self.shown(block)))
    }
    try document.apply(update)
    for (id, wasOpen, old) in before {
      guard let block = document[id] else { continue }
      if !Self.shown(block).starts(with: old) {
        takenBack += 1
        if Self.isBracket(old, Self.shown(block)) { takenBackBrackets += 1 }
        if !wasOpen { takenBackSealed += 1 }
      }
    }
  }

  /// One byte of text that is shown, and how.
  private struct Shown: Equatable {
    var byte: UInt8
    var marks: JSONValue?
  }

  /// Whether the first difference is a bracket that was not shown.
  private static func isBracket(_ old: [Shown], _ new: [Shown]) -> Bool {
    let common = zip(old, new).prefix { $0 == $1 }.count
    return common < new.count && new[common].byte == UInt8(ascii: "[")
  }

  private static func shown(_ block: DocumentBlock) -> [Shown] {
    (block.runs ?? []).flatMap { run in
      (run["text"]?.string?.utf8 ?? []).map { Shown(byte: $0, marks: run["marks"]) }
    }
  }
}
