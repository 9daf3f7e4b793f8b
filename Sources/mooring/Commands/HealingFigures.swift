import BlockDiff
import Checker
import Markup

/// How often what a reader of runs is shown of open leaves is taken back (identity.md §8), over documents that are fed
/// token by token.
struct HealingFigures: Sendable {
  private(set) var documents = 0
  private(set) var tokens = 0
  /// Diffs that took something back: text that was shown is gone or is another, or has other marks. That a run is
  /// provisional no more, or that what was a provisional text is now a link, takes nothing back.
  private(set) var takenBack = 0
  /// Diffs that took nothing back, but brought something before text that was shown: a bracket or another delimiter that
  /// was held because it might open something, and did not.
  private(set) var comeLate = 0
  /// Diffs that did either in sealed leaves, but where a definition is the reason: there must be none.
  private(set) var changedSealed = 0
  /// Ops with runs, and the bytes of all diffs.
  private(set) var changes = 0
  private(set) var wireBytes = 0

  /// Feeds one document.
  ///
  /// - Throws: the rule that a diff breaks.
  mutating func add(_ source: [UInt8], dialect: Dialect) throws(BlockDocumentError) {
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
      switch Change(from: old, to: Self.shown(block)) {
      case .none: continue
      case .takenBack: takenBack += 1
      case .comeLate: comeLate += 1
      }
      if !wasOpen { changedSealed += 1 }
    }
  }

  private static func shown(_ block: DocumentBlock) -> [Shown] {
    (block.runs ?? []).flatMap { run in
      let marks = Shown.Marks(run)
      return (run["text"]?.string?.utf8 ?? []).map { Shown(byte: $0, marks: marks) }
    }
  }
}

/// One byte of text that is shown, and how.
private struct Shown: Equatable {
  struct Marks: OptionSet {
    var rawValue: UInt16

    static let link = Marks(rawValue: 1)
    static let provisional = Marks(rawValue: 1 << 15)
    private static let names = [
      "link", "strong", "emphasis", "delete", "inlineCode", "inlineMath", "image", "html", "break",
      "footnoteReference", "component",
    ].map { JSONValue.string(ByteString($0)) }

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ run: JSONValue) {
      self = run["provisional"] == nil ? [] : .provisional
      for mark in run["marks"]?.array ?? [] {
        guard let place = Self.names.firstIndex(of: mark) else { continue }
        insert(Marks(rawValue: 1 << UInt16(place)))
      }
    }
  }

  var byte: UInt8
  var marks: Marks

  /// Whether the other byte shows this one as it was, or, where this one is provisional, as a link's.
  func stays(_ other: Shown) -> Bool {
    guard byte == other.byte else { return false }
    let (before, after) = (marks.subtracting(.provisional), other.marks.subtracting(.provisional))
    return before == after || marks.contains(.provisional) && before.union(.link) == after
  }
}

/// What became of shown text.
private enum Change {
  case none, comeLate, takenBack

  init(from old: [Shown], to new: [Shown]) {
    var place = 0
    self = .none
    for byte in old {
      while place < new.count && !byte.stays(new[place]) {
        self = .comeLate
        place += 1
      }
      guard place < new.count else {
        self = .takenBack
        return
      }
      place += 1
    }
  }
}
