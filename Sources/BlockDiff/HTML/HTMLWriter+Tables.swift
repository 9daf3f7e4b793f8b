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
    output.startLine()
    output.write("<table>\n")
    tableState = HTMLTableState(columns: table.alignments(of: index))
  }

  mutating func beginRow(_ index: BlockIndex, _ table: borrowing BlockTable) {
    tableState.column = 0
    tableState.isHeader = table.isHeader(index)
    output.startLine()
    if tableState.isHeader {
      output.write("<thead>\n")
    } else if !tableState.hasBody {
      output.write("<tbody>\n")
      tableState.hasBody = true
    }
    output.write("<tr>\n")
  }

  mutating func endRow(_ table: borrowing BlockTable) {
    while tableState.column < tableState.columns.count {
      // A cell that the row lacks.
      beginCell(isHeader: false, table)
      output.write("</td>\n")
    }
    output.write("</tr>")
    if tableState.isHeader { output.write("\n</thead>") }
  }

  mutating func writeCell(_ index: BlockIndex, _ table: borrowing BlockTable) {
    beginCell(isHeader: tableState.isHeader, table)
    writeInlines(index, table)
    if tableState.isHeader { output.write("</th>\n") } else { output.write("</td>\n") }
  }

  private mutating func beginCell(isHeader: Bool, _ table: borrowing BlockTable) {
    if isHeader { output.write("<th") } else { output.write("<td") }
    switch ColumnAlignment(rawValue: table.strings[tableState.columns.lowerBound + tableState.column]) {
    case .left: output.write(" align=\"left\"")
    case .center: output.write(" align=\"center\"")
    case .right: output.write(" align=\"right\"")
    case .some(.none), nil: break
    }
    output.bytes.append(UInt8(ascii: ">"))
    tableState.column += 1
  }

  mutating func endTable() {
    output.startLine()
    if tableState.hasBody { output.write("</tbody>\n") }
    output.write("</table>\n")
  }
}
