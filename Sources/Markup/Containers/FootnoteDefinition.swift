// Footnote definitions, as cmark-gfm has them. Held: `[^` at the start of any line until it cannot be one; a
// definition shows at its colon.

extension MarkupParser {
  /// The columns of indentation that continue a footnote definition.
  private static let continuationIndent = 4

  mutating func startFootnoteDefinition(_ start: BlockStart) -> Recognition {
    guard grammar.has(.footnotes) else { return .no }
    guard let caret = required(start.offset + 1) else { return .hold }
    guard caret == UInt8(ascii: "^") else { return .no }
    let labelBegin = start.offset + 2
    guard let offset = runEnd(.footnoteLabel, from: labelBegin) else { return .hold }
    guard peek(offset) == UInt8(ascii: "]") else { return .no }
    guard offset > labelBegin else { return .no }
    guard let colon = required(offset + 1) else { return .hold }
    guard colon == UInt8(ascii: ":") else { return .no }
    openFootnoteDefinition(start, label: labelBegin..<offset)
    return .yes
  }

  private mutating func openFootnoteDefinition(_ start: BlockStart, label: Range<Int>) {
    prepareForBlock()
    addChild()
    let source = Array(input[label])
    let shown = UTF8Text.repaired(source)
    blocks.footnotes.append(
      LabelFields(
        identifier: blocks.intern(Label.identifier(shown)), label: blocks.intern(shown)))
    let name = TemplateKey.encoded(template: Array("footnote".utf8), key: source)
    let row = openRow(
      .footnoteDefinition, begin: start.offset, payload: blocks.footnotes.count - 1, key: templateKey(name))
    let end = label.upperBound + 2
    var container = Container(kind: .footnoteDefinition, row: row, end: end)
    container.indent = Self.continuationIndent
    push(container)
    advance(to: end, column: start.column + end - start.offset)
    decided = cursor
    line.skipsSpace = true
    phase = .blockStart
  }
}
