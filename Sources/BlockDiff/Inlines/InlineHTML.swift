import Markup

/// The HTML of a leaf's inline content in a live view, without the leaf's own element.
struct InlineHTML: InlineSink {
  private var writer: HTMLWriter

  init(dialect: Dialect, options: HTMLOptions) { writer = HTMLWriter(dialect: dialect, options: options) }

  var bytes: [UInt8] { writer.bytes }

  mutating func append(
    _ content: borrowing InlineContent, _ events: Range<Int>, of leaf: LeafText,
    _ numbering: inout FootnoteNumbering
  ) {
    writer.write(content, events, of: leaf.bytes, at: leaf.base) { writer, label in
      guard let note = leaf.references.footnote(labelled: leaf.bytes[label]) else { return }
      writer.writeFootnoteReference(leaf.bytes, label, number: numbering.number(of: note), in: leaf.id)
    }
  }
}

extension HTMLWriter {
  /// A live view knows nothing of the references in other leaves: this leaf's ID tells its references from theirs.
  fileprivate mutating func writeFootnoteReference(
    _ text: [UInt8], _ label: Range<Int>, number: Int, in leaf: [UInt8]
  ) {
    write("<sup class=\"footnote-ref\"><a href=\"#fn-")
    writeURL(text, label, isImage: false)
    write("\" id=\"fnref-")
    writeURL(text, label, isImage: false)
    write("-")
    writeEscaped(leaf, leaf.indices)
    write("\" data-footnote-ref>")
    bytes.appendDecimal(number)
    write("</a></sup>")
  }
}
