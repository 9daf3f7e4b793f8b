import ByteStorage
import Checker
import Markup

@testable import BlockDiff

/// Feeds a document and holds what readers of its inline content are told against what they would see if they came
/// only now.
struct InlineReplay: ~Copyable {
  private let source: [UInt8]
  private let dialect: Dialect
  private let output: InlineOutput
  private var parser: MarkupParser
  private var view: InlineView
  /// What a reader has that applies each diff, and what readers had earlier who come again.
  private var document = BlockDocument()
  private var earlier: [BlockDocument] = []

  private init(_ source: [UInt8], _ dialect: Dialect, _ output: InlineOutput) {
    self.source = source
    self.dialect = dialect
    self.output = output
    parser = MarkupParser(dialect: dialect)
    view = InlineView(dialect: dialect)
  }

  /// The first difference that feeding `source` in chunks that end at `ends` shows; `nil` if there is none.
  static func difference(
    _ source: [UInt8], _ ends: [Int], _ dialect: Dialect, _ output: InlineOutput
  ) -> String? {
    var replay = InlineReplay(source, dialect, output)
    var start = 0
    var position: ByteOffset?
    for end in ends + [source.count + 1] {
      if end > source.count {
        replay.parser.finish()
      } else {
        replay.parser.append(source.span.extracting(start..<end))
      }
      start = end
      do {
        if let difference = try replay.compare(since: position) { return "at \(end): \(difference)" }
      } catch {
        return "at \(end): \(error)"
      }
      position = replay.parser.blocks.position
    }
    return replay.differenceFromWhole
  }

  private mutating func diff(since position: ByteOffset?) -> [UInt8] {
    var writer = JSONWriter()
    let table = parser.blocks
    writer.write(table.diff(since: position), of: table, inlines: &view, as: output, in: Envelope())
    return writer.bytes
  }

  /// A reader who comes now sees what one has who was there all the time, and one who comes again.
  private mutating func compare(since position: ByteOffset?) throws -> String? {
    let last = diff(since: position)
    try document.apply(diff: last)
    var fresh = InlineView(dialect: dialect)
    var writer = JSONWriter()
    writer.write(snapshotOf: parser.blocks, inlines: &fresh, as: output, in: Envelope())
    let expected = try BlockDocument(snapshot: writer.bytes)
    if let difference = Self.difference(expected, document) {
      return "\(difference)\nafter \(String(decoding: last, as: UTF8.self))"
    }
    for old in [earlier.first, earlier.dropLast(2).last, earlier.dropLast(9).last].compactMap({ $0 }) {
      var again = old
      let catchUp = diff(since: old.at.position)
      try again.apply(diff: catchUp)
      if let difference = Self.difference(expected, again) {
        return "from \(old.at.position): \(difference)\nafter \(String(decoding: catchUp, as: UTF8.self))"
      }
    }
    if earlier.count == 64 { earlier.remove(at: 1) }
    earlier.append(document)
    return nil
  }

  private static func difference(_ expected: BlockDocument, _ found: BlockDocument) -> String? {
    guard expected != found else { return nil }
    for (a, b) in zip(expected.blocks, found.blocks) where a != b { return "expected \(a)\nfound \(b)" }
    return "other blocks"
  }

  /// A sealed leaf shows what the whole of its text gives, however it came. Footnotes are numbered otherwise.
  private var differenceFromWhole: String? {
    guard output == .html else { return nil }
    let table = parser.blocks
    let references = References(of: table)
    for row in 0..<table.count where table[BlockIndex(row)].hasInlineContent {
      guard let html = document.blocks[row].html, !html.description.contains("footnote-ref") else { continue }
      let text = table.text.span.extracting(table.textRange(of: BlockIndex(row)))
      var whole = InlineParser(dialect: dialect)
      whole.parse(text, references: references, table: table)
      var output = HTMLOutput(.safe)
      _ = output.write(whole.content, 0..<whole.content.events.count, of: text)
      if output.bytes[0...] != html.utf8 {
        return "row \(row), expected \(String(decoding: output.bytes[0...], as: UTF8.self))\nfound \(html)"
      }
    }
    return nil
  }
}
