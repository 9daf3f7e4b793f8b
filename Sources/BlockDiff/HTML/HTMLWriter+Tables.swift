import Markup

extension HTMLWriter {
  mutating func beginRow(_ index: BlockIndex, _ table: borrowing BlockTable) {
    column = 0
    startLine()
    if table.isHeader(index) {
      write("<thead>\n")
    } else if isFirstBodyRow(index, table) {
      write("<tbody>\n")
    }
    write("<tr>\n")
  }

  /// The row before the first body row is the header, and cells lie between.
  private func isFirstBodyRow(_ index: BlockIndex, _ table: borrowing BlockTable) -> Bool {
    var row = index.row - 1
    while row >= 0 && table[BlockIndex(row)].type == .tableCell { row -= 1 }
    return row >= 0 && table[BlockIndex(row)].type == .tableRow && table.isHeader(BlockIndex(row))
  }

  mutating func endRow(_ index: BlockIndex, _ table: borrowing BlockTable) {
    if let parent = table[index].parent {
      let columns = table.alignments(of: parent)
      while column < columns.count {
        // A cell that the row lacks.
        beginCell(isHeader: false, table.strings[columns.lowerBound + column])
        write("</td>\n")
        column += 1
      }
    }
    write("</tr>")
    if table.isHeader(index) { write("\n</thead>") }
  }

  mutating func writeCell(_ index: BlockIndex, _ table: borrowing BlockTable) {
    guard let row = table[index].parent, let parent = table[row].parent else { return }
    let columns = table.alignments(of: parent)
    beginCell(isHeader: table.isHeader(row), table.strings[columns.lowerBound + column])
    writeInlines(index, table)
    write(table.isHeader(row) ? "</th>\n" : "</td>\n")
    column += 1
  }

  private mutating func beginCell(isHeader: Bool, _ alignment: UInt8) {
    write(isHeader ? "<th" : "<td")
    switch ColumnAlignment(rawValue: alignment) {
    case .left: write(" align=\"left\"")
    case .center: write(" align=\"center\"")
    case .right: write(" align=\"right\"")
    case .some(.none), nil: break
    }
    write(">")
  }

  mutating func endTable(_ index: BlockIndex, _ table: borrowing BlockTable) {
    startLine()
    if hasBody(index, table) { write("</tbody>\n") }
    write("</table>\n")
  }

  private func hasBody(_ index: BlockIndex, _ table: borrowing BlockTable) -> Bool {
    var row = index.row + 1
    while row < table.count, let parent = table[BlockIndex(row)].parent, parent.row >= index.row {
      if table[BlockIndex(row)].type == .tableRow && !table.isHeader(BlockIndex(row)) { return true }
      row += 1
    }
    return false
  }
}
