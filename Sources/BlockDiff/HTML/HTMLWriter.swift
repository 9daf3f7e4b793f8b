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
    /// A list whose items are not spread, an item of one, or a paragraph there, which is written without its tags.
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
    output.bytes.reserveCapacity(output.bytes.count + table.text.count * 5 / 4)
    writeRows(0..<table.count, under: -1, table)
    writeFootnotes(table)
  }

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
      let index = BlockIndex(row)
      closePath(to: table[index].parent?.row ?? -1, table)
      let type = table[index].type
      if case .footnoteDefinition = type {
        row = endOfSubtree(row, table)
        continue
      }
      let element = OpenElement(row: row, type: type, isTight: isTight(index, type, table))
      begin(element, table)
      path.append(element)
      row += 1
    }
    closePath(to: parent, table)
  }

  private mutating func closePath(to parent: Int, _ table: borrowing BlockTable) {
    while let last = path.last, last.row != parent {
      path.removeLast()
      end(last, table)
    }
  }

  private func isTight(_ index: BlockIndex, _ type: BlockType, _ table: borrowing BlockTable) -> Bool {
    switch type {
    case .list: return !table.isSpread(index)
    case .listItem: return path[path.count - 1].isTight
    case .paragraph:
      let parent = path[path.count - 1]
      if case .listItem = parent.type { return parent.isTight }
      return false
    default: return false
    }
  }

  /// Writes a leaf's inline content.
  mutating func writeInlines(_ index: BlockIndex, _ table: borrowing BlockTable) {
    let range = table.textRange(of: index)
    let text = table.text.span.extracting(range)
    if inlines.isPlain(text) { return output.writeEscaped(text) }
    inlines.parse(text, references: references, table: table)
    let end = inlines.content.events.count
    var next = output.write(inlines.content, 0..<end, of: text)
    while next < end {
      let label = inlines.content.events[next].range
      writeFootnoteReference(
        range.lowerBound + label.lowerBound..<range.lowerBound + label.upperBound, table)
      next = output.write(inlines.content, next + 1..<end, of: text)
    }
  }

  // MARK: - Blocks

  private mutating func begin(_ element: OpenElement, _ table: borrowing BlockTable) {
    let index = BlockIndex(element.row)
    switch element.type {
    case .paragraph:
      if !element.isTight {
        output.startLine()
        output.write("<p>")
      }
      writeInlines(index, table)
    case .heading:
      output.startLine()
      output.write("<h")
      output.bytes.appendDecimal(table.depth(of: index))
      output.write(">")
      writeInlines(index, table)
    case .code: writeCode(index, table)
    case .thematicBreak:
      output.startLine()
      output.write("<hr />\n")
    case .blockquote: beginQuote(index, table)
    case .list:
      output.startLine()
      writeListTag(index, table)
    case .listItem:
      output.startLine()
      output.write("<li>")
      if let isChecked = table.checked(of: index) {
        output.write("<input type=\"checkbox\" ")
        if isChecked { output.write("checked=\"\" ") }
        output.write("disabled=\"\" /> ")
      }
    case .table: beginTable(index, table)
    case .tableRow: beginRow(index, table)
    case .tableCell: writeCell(index, table)
    case .html: writeHTMLBlock(index, table)
    case .math: writeMath(index, table)
    case .component: beginComponent(index, table)
    case .definition, .footnoteDefinition, .yaml: break
    }
  }

  private mutating func end(_ element: OpenElement, _ table: borrowing BlockTable) {
    let index = BlockIndex(element.row)
    switch element.type {
    case .paragraph: if !element.isTight { output.write("</p>\n") }
    case .heading:
      output.write("</h")
      output.bytes.appendDecimal(table.depth(of: index))
      output.write(">\n")
    case .blockquote:
      output.startLine()
      if table.alert(of: index) == nil { output.write("</blockquote>\n") } else { output.write("</div>\n") }
    case .list:
      output.startLine()
      if table.isOrdered(index) { output.write("</ol>\n") } else { output.write("</ul>\n") }
    case .listItem: output.write("</li>\n")
    case .table: endTable()
    case .tableRow: endRow(table)
    case .component: endComponent(index, table)
    case .code, .thematicBreak, .tableCell, .html, .math, .definition, .footnoteDefinition, .yaml: break
    }
  }

  private mutating func writeListTag(_ index: BlockIndex, _ table: borrowing BlockTable) {
    guard let start = table.start(of: index) else { return output.write("<ul>\n") }
    output.write("<ol")
    if start != 1 {
      output.write(" start=\"")
      output.bytes.appendDecimal(start)
      output.write("\"")
    }
    output.write(">\n")
  }

  private mutating func writeCode(_ index: BlockIndex, _ table: borrowing BlockTable) {
    output.startLine()
    output.write("<pre><code")
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
    output.startLine()
    output.write("<pre><code class=\"language-math math-display\">")
    output.writeEscaped(table.text.span, table.textRange(of: index))
    output.write("</code></pre>\n")
  }

  private mutating func beginQuote(_ index: BlockIndex, _ table: borrowing BlockTable) {
    output.startLine()
    guard let alert = table.alert(of: index) else { return output.write("<blockquote>\n") }
    output.write("<div class=\"markdown-alert markdown-alert-")
    output.write(alert.name)
    output.write("\">\n<p class=\"markdown-alert-title\">")
    let title = output.bytes.count
    output.write(alert.name)
    // In upper case.
    output.bytes[title] -= 0x20
    output.write("</p>\n")
  }

  private mutating func beginComponent(_ index: BlockIndex, _ table: borrowing BlockTable) {
    output.startLine()
    let component = table.component(of: index)
    output.write("<div data-component=\"")
    output.writeEscaped(table.strings.span, component.name)
    output.write("\" id=\"")
    var id: [UInt8] = []
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
