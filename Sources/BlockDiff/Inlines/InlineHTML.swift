import Markup

/// The HTML of a leaf's inline content in a live view, without the leaf's own element.
struct InlineHTML: InlineSink, Sendable {
  private var writer: HTMLWriter

  init(dialect: Dialect, options: HTMLOptions) { writer = HTMLWriter(dialect: dialect, options: options) }

  var bytes: [UInt8] { writer.bytes }
  var options: HTMLOptions { writer.options }

  mutating func removeAll() {
    writer.bytes.removeAll(keepingCapacity: writer.bytes.capacity <= InlineRuns.maxSpareBytes)
  }

  mutating func append(
    _ content: borrowing InlineContent, _ events: Range<Int>, of leaf: LeafText,
    _ numbering: inout FootnoteNumbering
  ) {
    writer.write(content, events, of: leaf.bytes, at: leaf.base) { writer, label in
      guard let note = leaf.references.footnote(labelled: leaf.bytes[label]) else { return }
      // A live view knows nothing of the references in other leaves: this leaf's ID tells its own from theirs.
      writer.writeFootnoteReference(
        leaf.bytes, label, number: numbering.number(of: note), suffix: leaf.id)
    }
  }
}
