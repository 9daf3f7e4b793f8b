import ByteStorage
import Markup

/// The HTML of a leaf's inline content in a live view, without the leaf's own element.
struct InlineHTML: InlineSink, Sendable {
  private var output: HTMLOutput

  init(options: HTMLOptions) { output = HTMLOutput(options) }

  var bytes: GrowingBytes { output.bytes }
  var options: HTMLOptions { output.options }

  mutating func removeAll() { output.removeAll(keepingUpTo: InlineRuns.maxSpareBytes) }

  mutating func append(
    _ content: borrowing InlineContent, _ events: Range<Int>, of leaf: LeafText,
    _ numbering: inout FootnoteNumbering
  ) {
    let text = leaf.bytes.span.extracting(leaf.base...)
    var next = output.write(content, events, of: text)
    while next < events.upperBound {
      let label = [UInt8](copying: leaf.text(content.events[next].range))
      if let note = leaf.references.footnote(labelled: label),
        let defined = leaf.references.footnoteLabel(matching: label)
      {
        // A live view knows nothing of the references in other leaves: this leaf's ID tells its own from theirs.
        output.writeFootnoteReference(defined.span, number: numbering.number(of: note), suffix: leaf.id)
      }
      next = output.write(content, next + 1..<events.upperBound, of: text)
    }
  }
}
