package import Markup

/// Writes a table as an HTML document (a fragment: no `html` element), as cmark and cmark-gfm do.
package struct HTMLWriter: Sendable {
  /// What has been written.
  package internal(set) var bytes: [UInt8] = []
  let options: HTMLOptions
  var inlines: InlineParser
  var references: References
  /// The blocks that are open on the way to the next one.
  private var path: [Int] = []
  var footnotes = FootnoteNumbers()
  /// Tables: the column of the next cell.
  var column = 0

  package init(dialect: Dialect, options: HTMLOptions = .safe) {
    self.options = options
    inlines = InlineParser(dialect: dialect)
    references = References()
  }

  /// Writes the whole document.
  ///
  /// - Complexity: O(text + blocks), but for the inline algorithm's own bounds; no recursion over depth.
  package mutating func write(_ table: borrowing BlockTable) {
    references = References(of: table)
    bytes.reserveCapacity(bytes.count + table.text.count * 5 / 4)
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
    path = [parent]
    var row = rows.lowerBound
    while row < rows.upperBound {
      let index = BlockIndex(row)
      closePath(to: table[index].parent?.row ?? -1, table)
      if table[index].type == .footnoteDefinition {
        row = endOfSubtree(row, table)
        continue
      }
      begin(index, table)
      path.append(row)
      row += 1
    }
    closePath(to: parent, table)
  }

  private mutating func closePath(to parent: Int, _ table: borrowing BlockTable) {
    while let last = path.last, last != parent {
      path.removeLast()
      end(BlockIndex(last), table)
    }
  }

  // MARK: - Blocks

  private mutating func begin(_ index: BlockIndex, _ table: borrowing BlockTable) {
    switch table[index].type {
    case .paragraph:
      if !isTight(index, table) {
        startLine()
        write("<p>")
      }
      writeInlines(index, table)
    case .heading:
      startLine()
      write("<h")
      bytes.appendDecimal(table.depth(of: index))
      write(">")
      writeInlines(index, table)
    case .code: writeCode(index, table)
    case .thematicBreak:
      startLine()
      write("<hr />\n")
    case .blockquote: beginQuote(index, table)
    case .list:
      startLine()
      writeListTag(index, table)
    case .listItem:
      startLine()
      write("<li>")
      if let isChecked = table.checked(of: index) {
        write("<input type=\"checkbox\" ")
        write(isChecked ? "checked=\"\" disabled=\"\" /> " : "disabled=\"\" /> ")
      }
    case .table:
      startLine()
      write("<table>\n")
    case .tableRow: beginRow(index, table)
    case .tableCell: writeCell(index, table)
    case .html: writeHTMLBlock(index, table)
    case .math: writeMath(index, table)
    case .component: beginComponent(index, table)
    case .definition, .footnoteDefinition, .yaml: break
    }
  }

  private mutating func end(_ index: BlockIndex, _ table: borrowing BlockTable) {
    switch table[index].type {
    case .paragraph: if !isTight(index, table) { write("</p>\n") }
    case .heading:
      write("</h")
      bytes.appendDecimal(table.depth(of: index))
      write(">\n")
    case .blockquote:
      startLine()
      write(table.alert(of: index) == nil ? "</blockquote>\n" : "</div>\n")
    case .list:
      startLine()
      write(table.isOrdered(index) ? "</ol>\n" : "</ul>\n")
    case .listItem: write("</li>\n")
    case .table: endTable(index, table)
    case .tableRow: endRow(index, table)
    case .component: endComponent(index, table)
    case .code, .thematicBreak, .tableCell, .html, .math, .definition, .footnoteDefinition, .yaml: break
    }
  }

  /// Whether a paragraph stands in a tight list: it is written without its tags.
  func isTight(_ index: BlockIndex, _ table: borrowing BlockTable) -> Bool {
    guard let item = table[index].parent, table[item].type == .listItem, let list = table[item].parent
    else { return false }
    return !table.isSpread(list)
  }

  private mutating func writeListTag(_ index: BlockIndex, _ table: borrowing BlockTable) {
    guard let start = table.start(of: index) else { return write("<ul>\n") }
    write("<ol")
    if start != 1 {
      write(" start=\"")
      bytes.appendDecimal(start)
      write("\"")
    }
    write(">\n")
  }

  private mutating func writeCode(_ index: BlockIndex, _ table: borrowing BlockTable) {
    startLine()
    write("<pre><code")
    if let language = table.codeInfo(of: index).language {
      write(" class=\"language-")
      writeEscaped(table.strings, language)
      write("\"")
    }
    write(">")
    writeEscaped(table.text, table.textRange(of: index))
    if table.hasLines(index) { write("\n") }
    write("</code></pre>\n")
  }

  private mutating func writeHTMLBlock(_ index: BlockIndex, _ table: borrowing BlockTable) {
    startLine()
    switch options.rawHTML {
    case .verbatim: writeVerbatim(table.text, table.textRange(of: index))
    case .escaped:
      write("<p>")
      writeEscaped(table.text, table.textRange(of: index))
      write("</p>")
    case .omitted: write("<!-- raw HTML omitted -->")
    }
    startLine()
  }

  private mutating func writeMath(_ index: BlockIndex, _ table: borrowing BlockTable) {
    startLine()
    write("<pre><code class=\"language-math math-display\">")
    writeEscaped(table.text, table.textRange(of: index))
    write("</code></pre>\n")
  }

  private mutating func beginQuote(_ index: BlockIndex, _ table: borrowing BlockTable) {
    startLine()
    guard let alert = table.alert(of: index) else { return write("<blockquote>\n") }
    write("<div class=\"markdown-alert markdown-alert-")
    write(alert.name)
    write("\">\n<p class=\"markdown-alert-title\">")
    var title = Array("\(alert.name)".utf8)
    title[0] -= 0x20
    bytes.append(contentsOf: title)
    write("</p>\n")
  }

  private mutating func beginComponent(_ index: BlockIndex, _ table: borrowing BlockTable) {
    startLine()
    let component = table.component(of: index)
    write("<div data-component=\"")
    writeEscaped(table.strings, component.name)
    write("\" id=\"")
    let id = table.id(of: index)
    writeEscaped(Array(id.utf8), 0..<id.utf8.count)
    write("\">")
    if component.content == .raw {
      write("<pre>")
      writeEscaped(table.text, table.textRange(of: index))
      write("</pre>")
    } else {
      write("\n")
    }
  }

  private mutating func endComponent(_ index: BlockIndex, _ table: borrowing BlockTable) {
    if table.component(of: index).content != .raw { startLine() }
    write("</div>\n")
  }

  // MARK: - Bytes

  /// Writes raw HTML as it is, but for the tags that are filtered.
  mutating func writeVerbatim(_ source: [UInt8], _ range: Range<Int>) {
    guard options.filtersTags else { return bytes.append(contentsOf: source[range]) }
    var begin = range.lowerBound
    for index in range
    where source[index] == UInt8(ascii: "<") && Self.isFiltered(source[index + 1..<range.upperBound]) {
      bytes.append(contentsOf: source[begin..<index])
      write("&lt;")
      begin = index + 1
    }
    bytes.append(contentsOf: source[begin..<range.upperBound])
  }

  private static let filtered = [
    "title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext",
  ].map { Array($0.utf8) }

  /// Whether what follows a `<` is a tag that GFM disallows.
  private static func isFiltered(_ source: ArraySlice<UInt8>) -> Bool {
    let name = source.first == UInt8(ascii: "/") ? source.dropFirst() : source
    return filtered.contains { filtered in
      guard name.count > filtered.count else { return false }
      let isName = zip(name, filtered).allSatisfy { $0 | 0x20 == $1 }
      guard isName, let after = name.dropFirst(filtered.count).first else { return false }
      return after <= 0x20 || after == UInt8(ascii: ">") || after == UInt8(ascii: "/")
    }
  }

  mutating func write(_ text: StaticString) {
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Begins a line, if something stands on the current one.
  mutating func startLine() {
    if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
  }

  /// Writes bytes as text: `&`, `<`, `>` and `"` become references.
  mutating func writeEscaped(_ source: [UInt8], _ range: Range<Int>) {
    var begin = range.lowerBound
    for index in range {
      let reference: StaticString
      switch source[index] {
      case UInt8(ascii: "&"): reference = "&amp;"
      case UInt8(ascii: "<"): reference = "&lt;"
      case UInt8(ascii: ">"): reference = "&gt;"
      case UInt8(ascii: "\""): reference = "&quot;"
      default: continue
      }
      bytes.append(contentsOf: source[begin..<index])
      write(reference)
      begin = index + 1
    }
    bytes.append(contentsOf: source[begin..<range.upperBound])
  }
}
