import ByteStorage
package import Markup

/// Writes a table as an HTML document (a fragment: no `html` element), as cmark and cmark-gfm do.
package struct HTMLWriter: Sendable {
  var output: HTMLOutput
  var inlines: InlineParser
  var references: References
  /// The blocks that are open on the way to the next one.
  private var path: [OpenElement] = []
  var footnotes = FootnoteNumbers()
  var tableState = HTMLTableState()

  /// A block whose element is open.
  private struct OpenElement {
    var row: Int
    var type: BlockType
    /// A list whose items are not spread, or an item of one: its paragraphs are written without their tags.
    var isTight = false
  }

  package init(dialect: Dialect, options: HTMLOptions = .safe) {
    output = HTMLOutput(options)
    inlines = InlineParser(dialect: dialect)
    references = References()
  }

  /// What has been written.
  package var bytes: [UInt8] { output.bytes }

  /// Writes the whole document.
  ///
  /// - Complexity: O(text + blocks), but for the inline algorithm's own bounds; no recursion over depth.
  package mutating func write(_ table: borrowing BlockTable) {
    references = References(of: table)
    output.reserveCapacity(output.count + table.text.count * 5 / 4)
    writeRows(0..<table.count, under: -1, table)
    writeFootnotes(table)
    output.trim()
  }

  /// Writes the whole document and gives it away in pieces, so that it is never there as a whole beside the table.
  ///
  /// - Parameter take: gets each piece: some blocks of the top level, 64 KiB or as much more as the last of them has.
  /// - Complexity: as `write(_:)`.
  package mutating func write(_ table: borrowing BlockTable, _ take: ([UInt8]) -> Void) {
    references = References(of: table)
    var row = 0
    while row < table.count {
      let end = endOfSubtree(row, table)
      writeRows(row..<end, under: -1, table)
      row = end
      // The next block may want to begin a line.
      if output.count >= Self.pieceBytes && output.endsLine { take(output.drained()) }
    }
    writeFootnotes(table)
    take(output.drained())
  }

  private static let pieceBytes = 64 << 10

  /// The row after the last descendant of `row`.
  func endOfSubtree(_ row: Int, _ table: borrowing BlockTable) -> Int {
    var end = row + 1
    while end < table.count, let parent = table[BlockIndex(end)].parent, parent.row >= row { end += 1 }
    return end
  }

  /// Writes the blocks in `rows`, which are the descendants of the one at `parent`; -1: of the document. Footnote
  /// definitions are left out: they come at the end, if they are referred to.
  mutating func writeRows(_ rows: Range<Int>, under parent: Int, _ table: borrowing BlockTable) {
    path.removeAll(keepingCapacity: true)
    // Only its row counts.
    path.append(OpenElement(row: parent, type: .blockquote))
    var row = rows.lowerBound
    while row < rows.upperBound {
      closePath(to: table.parentRow(ofRow: row), table)
      let type = table.type(ofRow: row)
      if type == .footnoteDefinition {
        row = endOfSubtree(row, table)
        continue
      }
      let isInTight = path[path.count - 1].isTight
      if type.isContainer {
        begin(row, type, isInTight: isInTight, table)
      } else {
        writeLeaf(row, type, isInTight: isInTight, table)
      }
      row += 1
    }
    closePath(to: parent, table)
  }

  private mutating func closePath(to parent: Int, _ table: borrowing BlockTable) {
    while path[path.count - 1].row != parent { end(path.removeLast(), table) }
  }

  /// Writes a leaf's inline content.
  mutating func writeInlines(_ row: Int, _ table: borrowing BlockTable) {
    let range = table.textRange(ofRow: row)
    let plainEnd = output.writePlain(table.text.span, range, as: inlines.plainText)
    if plainEnd == range.upperBound { return }
    inlines.parse(
      table.text.span.extracting(range), plainTo: plainEnd - range.lowerBound, references: references,
      table: table)
    // With what follows, which makes its end quicker to write.
    let text = table.text.span.extracting(range.lowerBound...)
    let end = inlines.content.events.count
    var next = output.write(inlines.content, 0..<end, of: text)
    while next < end {
      let label = inlines.content.events[next].range
      writeFootnoteReference(
        range.lowerBound + label.lowerBound..<range.lowerBound + label.upperBound, table)
      next = output.write(inlines.content, next + 1..<end, of: text)
    }
  }

  // MARK: - Leaves

  private mutating func writeLeaf(
    _ row: Int, _ type: BlockType, isInTight: Bool, _ table: borrowing BlockTable
  ) {
    let index = BlockIndex(row)
    switch type {
    case .paragraph:
      if !isInTight { output.writeLine("<p>") }
      writeInlines(row, table)
      if !isInTight { output.write("</p>\n") }
    case .heading:
      let depth = UInt8(ascii: "0") + UInt8(table.depth(of: index))
      output.writeLine("<h")
      output.write(byte: depth)
      output.write(">")
      writeInlines(row, table)
      output.write("</h")
      output.write(byte: depth)
      output.write(">\n")
    case .code: writeCode(index, table)
    case .thematicBreak: output.writeLine("<hr />\n")
    case .tableCell: writeCell(row, table)
    case .html: writeHTMLBlock(index, table)
    case .math: writeMath(index, table)
    case .definition, .yaml: break
    case .blockquote, .list, .listItem, .table, .tableRow, .footnoteDefinition, .component: break
    }
  }

  // MARK: - Containers

  private mutating func begin(
    _ row: Int, _ type: BlockType, isInTight: Bool, _ table: borrowing BlockTable
  ) {
    let index = BlockIndex(row)
    var isTight = false
    switch type {
    case .blockquote: beginQuote(index, table)
    case .list:
      isTight = !table.isSpread(index)
      writeListTag(index, table)
    case .listItem:
      isTight = isInTight
      output.writeLine("<li>")
      if let isChecked = table.checked(of: index) { writeCheckbox(isChecked) }
    case .table: beginTable(index, table)
    case .tableRow: beginRow(index, table)
    case .component: beginComponent(index, table)
    case .paragraph, .heading, .code, .thematicBreak, .tableCell, .html, .math, .definition, .yaml,
      .footnoteDefinition:
      break
    }
    path.append(OpenElement(row: row, type: type, isTight: isTight))
  }

  private mutating func end(_ element: OpenElement, _ table: borrowing BlockTable) {
    let index = BlockIndex(element.row)
    switch element.type {
    case .blockquote:
      if table.alert(of: index) == nil {
        output.writeLine("</blockquote>\n")
      } else {
        output.writeLine("</div>\n")
      }
    case .list:
      if table.isOrdered(index) { output.writeLine("</ol>\n") } else { output.writeLine("</ul>\n") }
    case .listItem: output.write("</li>\n")
    case .table: endTable()
    case .tableRow: endRow(table)
    case .component: endComponent(index, table)
    case .paragraph, .heading, .code, .thematicBreak, .tableCell, .html, .math, .definition, .yaml,
      .footnoteDefinition:
      break
    }
  }

  private mutating func writeCheckbox(_ isChecked: Bool) {
    output.write("<input type=\"checkbox\" ")
    if isChecked { output.write("checked=\"\" ") }
    output.write("disabled=\"\" /> ")
  }

  private mutating func writeListTag(_ index: BlockIndex, _ table: borrowing BlockTable) {
    guard let start = table.start(of: index) else { return output.writeLine("<ul>\n") }
    output.writeLine("<ol")
    if start != 1 {
      output.write(" start=\"")
      output.write(decimal: start)
      output.write("\"")
    }
    output.write(">\n")
  }

  private mutating func writeCode(_ index: BlockIndex, _ table: borrowing BlockTable) {
    output.writeLine("<pre><code")
    if let language = table.codeInfo(of: index).language {
      output.write(" class=\"language-")
      output.writeEscaped(table.strings.span, language)
      output.write("\"")
    }
    output.write(">")
    output.writeEscaped(table.text.span, table.textRange(of: index))
    if table.hasLines(index) { output.write("\n") }
    output.write("</code></pre>\n")
  }

  private mutating func writeHTMLBlock(_ index: BlockIndex, _ table: borrowing BlockTable) {
    output.startLine()
    switch output.options.rawHTML {
    case .verbatim:
      output.writeVerbatim(table.text.span, table.textRange(of: index))
      // Also where the last of its lines is blank.
      output.write("\n")
    case .escaped:
      output.write("<p>")
      output.writeEscaped(table.text.span, table.textRange(of: index))
      output.write("</p>\n")
    case .omitted: output.write("<!-- raw HTML omitted -->\n")
    }
  }

  private mutating func writeMath(_ index: BlockIndex, _ table: borrowing BlockTable) {
    output.writeLine("<pre><code class=\"language-math math-display\">")
    output.writeEscaped(table.text.span, table.textRange(of: index))
    output.write("</code></pre>\n")
  }

  private mutating func beginQuote(_ index: BlockIndex, _ table: borrowing BlockTable) {
    guard let alert = table.alert(of: index) else { return output.writeLine("<blockquote>\n") }
    output.writeLine("<div class=\"markdown-alert markdown-alert-")
    output.write(alert.name)
    output.write("\">\n<p class=\"markdown-alert-title\">")
    let title = output.count
    output.write(alert.name)
    output.capitalize(at: title)
    output.write("</p>\n")
  }

  private mutating func beginComponent(_ index: BlockIndex, _ table: borrowing BlockTable) {
    output.startLine()
    let component = table.component(of: index)
    output.write("<div data-component=\"")
    output.writeEscaped(table.strings.span, component.name)
    output.write("\" id=\"")
    var id: [UInt8] = []
    id.reserveCapacity(32)
    table.appendID(of: index, to: &id)
    output.writeEscaped(id.span)
    output.write("\">")
    if component.content == .raw {
      output.write("<pre>")
      output.writeEscaped(table.text.span, table.textRange(of: index))
      output.write("</pre>")
    } else {
      output.write("\n")
    }
  }

  private mutating func endComponent(_ index: BlockIndex, _ table: borrowing BlockTable) {
    if table.component(of: index).content != .raw { output.startLine() }
    output.write("</div>\n")
  }
}
