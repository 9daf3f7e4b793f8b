import Markup

/// Where the writer stands in a table. Cells hold no blocks, so there is one at a time.
struct HTMLTableState {
  /// The columns' alignments, as a range of the table's strings.
  var columns = 0..<0
  var isHeader = false
  /// Whether the body has begun.
  var hasBody = false
  /// The column of the next cell.
  var column = 0
}

extension HTMLWriter {
  mutating func beginTable(_ index: BlockIndex, _ table: borrowing BlockTable) {
    output.writeLine("<table>\n")
    tableState = HTMLTableState(columns: table.alignments(of: index))
  }

  mutating func beginRow(_ block: Block) {
    tableState.column = 0
    tableState.isHeader = block.isHeader
    if tableState.isHeader {
      output.writeLine("<thead>\n<tr>\n")
    } else if !tableState.hasBody {
      output.writeLine("<tbody>\n<tr>\n")
      tableState.hasBody = true
    } else {
      output.writeLine("<tr>\n")
    }
  }

  mutating func endRow(_ table: borrowing BlockTable) {
    while tableState.column < tableState.columns.count {
      // A cell that the row lacks.
      beginCell(isHeader: false, table)
      output.write("></td>\n")
    }
    if tableState.isHeader { output.write("</tr>\n</thead>") } else { output.write("</tr>") }
  }

  mutating func writeCell(_ block: Block, _ table: borrowing BlockTable) {
    beginCell(isHeader: tableState.isHeader, table)
    let closing: ShortText = tableState.isHeader ? "</th>\n" : "</td>\n"
    writeInlines(block, from: ">", to: closing, beginsLine: false, table)
  }

  /// Begins a cell's tag, all but its end.
  private mutating func beginCell(isHeader: Bool, _ table: borrowing BlockTable) {
    if isHeader { output.write("<th") } else { output.write("<td") }
    switch ColumnAlignment(rawValue: table.strings[tableState.columns.lowerBound + tableState.column]) {
    case .left: output.write(" align=\"left\"")
    case .center: output.write(" align=\"center\"")
    case .right: output.write(" align=\"right\"")
    case .some(.none), nil: break
    }
    tableState.column += 1
  }

  mutating func endTable() {
    if tableState.hasBody { output.writeLine("</tbody>\n</table>\n") } else { output.writeLine("</table>\n") }
  }
}
