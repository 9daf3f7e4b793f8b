import ByteStorage
import Markup

/// What a leaf's inline content is written to.
protocol InlineSink: Sendable {
  /// Takes some of the events of `content`, which are balanced: every element that begins ends.
  mutating func append(
    _ content: borrowing InlineContent, _ events: Range<Int>, of leaf: LeafText,
    _ numbering: inout FootnoteNumbering)

  /// Forgets what was written; the buffers stay, unless they are large.
  mutating func removeAll()
}

/// The leaf that events are about.
struct LeafText {
  /// The table's text, in which the leaf's begins at `base`.
  let bytes: GrowingBytes
  let base: Int
  let references: References
  let policy: HTMLOptions
  /// The leaf's ID.
  let id: [UInt8]

  /// A part of the leaf's text.
  @_lifetime(borrow self)
  func text(_ range: Range<Int>) -> Span<UInt8> {
    bytes.span.extracting(range.lowerBound + base..<range.upperBound + base)
  }

  /// The footnote that a label in the leaf's text names.
  func footnote(_ label: Range<Int>) -> BlockIndex? {
    references.footnote(labelled: bytes[label.lowerBound + base..<label.upperBound + base])
  }
}

/// The numbers of footnotes while a leaf's content is written.
///
/// In a live view a note gets its number when the first reference to it resolves, and keeps it: numbers follow the
/// first references as long as notes are defined before their use or in its order, and never change.
struct FootnoteNumbering {
  /// The numbers that are given, by the definition's row.
  let known: [Int: Int]
  /// The notes that this leaf is the first to refer to, in order.
  private(set) var added: [Int]

  init(known: [Int: Int], added: some Sequence<Int> = []) {
    self.known = known
    self.added = Array(added)
  }

  /// The note's number, from 1.
  mutating func number(of note: BlockIndex) -> Int {
    if let number = known[note.row] { return number }
    if let index = added.firstIndex(of: note.row) { return known.count + index + 1 }
    added.append(note.row)
    return known.count + added.count
  }
}
