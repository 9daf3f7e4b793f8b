import ByteStorage
package import Markup

/// Writes a table as an HTML document (a fragment: no `html` element), as cmark and cmark-gfm do.
package struct HTMLWriter: Sendable {
  var output: HTMLOutput
  var inlines: InlineParser
  var references: References
  /// The blocks around the innermost one that is open.
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
  ///
  /// - Complexity: O(bytes).
  package var bytes: [UInt8] { output.bytes[0...] }

  /// Writes the whole document.
  ///
  /// - Complexity: O(text + blocks), but for the inline algorithm's own bounds; no recursion over depth.
  package mutating func write(_ table: borrowing BlockTable) {
    references = References(of: table)
    // Text with some references in it, and for each row its tags.
    output.reserveCapacity(table.text.count * 3 / 2 + table.count * 16)
    writeRows(0..<table.count, under: -1, table)
    writeFootnotes(table)
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
    // Of the first one, only its row counts.
    var open = OpenElement(row: parent, type: .blockquote)
    var row = rows.lowerBound
    while row < rows.upperBound {
      let block = table[BlockIndex(row)]
      while open.row != block.rowOfParent { close(&open, table) }
      if block.type == .footnoteDefinition {
        row = endOfSubtree(row, table)
        continue
      }
      if block.type.isContainer {
        path.append(open)
        open = begin(row, block, isInTight: open.isTight, table)
      } else {
        writeLeaf(row, block, isInTight: open.isTight, table)
      }
      row &+= 1
    }
    while open.row != parent { close(&open, table) }
  }

  /// Ends a block; the one around it is the innermost one then.
  private mutating func close(_ open: inout OpenElement, _ table: borrowing BlockTable) {
    end(open, table)
    open = path.removeLast()
  }

  /// Writes a leaf's inline content between its tags.
  ///
  /// - Parameter beginsLine: whether the opening tag does.
  mutating func writeInlines(
    _ block: Block, from opening: ShortText, to closing: ShortText, beginsLine: Bool,
    _ table: borrowing BlockTable
  ) {
    let range = block.textRange
    // With what follows, which makes its end quicker to read.
    let text = table.text.span.extracting(range.lowerBound...)
    let plainEnd = output.writePlain(
      text, to: range.count, as: inlines.plainText, from: opening, to: closing, beginsLine: beginsLine)
    if plainEnd == range.count { return }
    writeParsed(range, plainTo: plainEnd, table)
    output.write(short: closing)
  }

  /// Writes a leaf's inline content that is not plain.
  ///
  /// - Parameter plain: a place up to which nothing begins.
  private mutating func writeParsed(_ range: Range<Int>, plainTo plain: Int, _ table: borrowing BlockTable) {
    let text = table.text.span.extracting(range.lowerBound...)
    inlines.parse(text, to: range.count, plainTo: plain, references: references, table: table)
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
    _ row: Int, _ block: Block, isInTight: Bool, _ table: borrowing BlockTable
  ) {
    let index = BlockIndex(row)
    switch block.type {
    case .paragraph:
      if block.isDirectiveLabel {
        writeInlines(block, from: "<p data-label>", to: "</p>\n", beginsLine: true, table)
      } else if isInTight {
        writeInlines(block, from: "", to: "", beginsLine: false, table)
      } else {
        writeInlines(block, from: "<p>", to: "</p>\n", beginsLine: true, table)
      }
    case .heading:
      let (opening, closing) = Self.headingTags(depth: table.depth(of: index))
      writeInlines(block, from: opening, to: closing, beginsLine: true, table)
    case .code: writeCode(index, table)
    case .thematicBreak: output.writeLine("<hr />\n")
    case .tableCell: writeCell(block, table)
    case .html: writeHTMLBlock(index, table)
    case .math: writeMath(index, table)
    case .definition, .yaml: break
    case .blockquote, .list, .listItem, .table, .tableRow, .footnoteDefinition, .component: break
    }
  }

  private static func headingTags(depth: Int) -> (opening: ShortText, closing: ShortText) {
    switch depth {
    case 1: ("<h1>", "</h1>\n")
    case 2: ("<h2>", "</h2>\n")
    case 3: ("<h3>", "</h3>\n")
    case 4: ("<h4>", "</h4>\n")
    case 5: ("<h5>", "</h5>\n")
    default: ("<h6>", "</h6>\n")
    }
  }

  // MARK: - Containers

  private mutating func begin(
    _ row: Int, _ block: Block, isInTight: Bool, _ table: borrowing BlockTable
  ) -> OpenElement {
    let index = BlockIndex(row)
    var isTight = false
    switch block.type {
    case .blockquote: beginQuote(index, table)
    case .list:
      isTight = !block.isSpread
      writeListTag(index, table)
    case .listItem:
      isTight = isInTight
      output.writeLine("<li>")
      if let isChecked = block.isChecked { writeCheckbox(isChecked) }
    case .table: beginTable(index, table)
    case .tableRow: beginRow(block)
    case .component: beginComponent(index, table)
    case .paragraph, .heading, .code, .thematicBreak, .tableCell, .html, .math, .definition, .yaml,
      .footnoteDefinition:
      break
    }
    return OpenElement(row: row, type: block.type, isTight: isTight)
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
    if let language = table.codeInfo(of: index).language {
      output.writeLine("<pre><code class=\"language-")
      output.writeEscaped(table.strings.span, language)
      output.write("\">")
    } else {
      output.writeLine("<pre><code>")
    }
    output.writeEscaped(table.text.span, table.textRange(of: index))
    if table.hasLines(index) { output.write("\n</code></pre>\n") } else { output.write("</code></pre>\n") }
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
