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

  mutating func beginRow(_ index: BlockIndex, _ table: borrowing BlockTable) {
    tableState.column = 0
    tableState.isHeader = table.isHeader(index)
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
      output.write("</td>\n")
    }
    if tableState.isHeader { output.write("</tr>\n</thead>") } else { output.write("</tr>") }
  }

  mutating func writeCell(_ row: Int, _ table: borrowing BlockTable) {
    beginCell(isHeader: tableState.isHeader, table)
    writeInlines(row, table)
    if tableState.isHeader { output.write("</th>\n") } else { output.write("</td>\n") }
  }

  private mutating func beginCell(isHeader: Bool, _ table: borrowing BlockTable) {
    switch ColumnAlignment(rawValue: table.strings[tableState.columns.lowerBound + tableState.column]) {
    case .left: write(isHeader, "<th align=\"left\">", "<td align=\"left\">")
    case .center: write(isHeader, "<th align=\"center\">", "<td align=\"center\">")
    case .right: write(isHeader, "<th align=\"right\">", "<td align=\"right\">")
    case .some(.none), nil: write(isHeader, "<th>", "<td>")
    }
    tableState.column += 1
  }

  @inline(__always)
  private mutating func write(_ isHeader: Bool, _ header: StaticString, _ body: StaticString) {
    if isHeader { output.write(header) } else { output.write(body) }
  }

  mutating func endTable() {
    if tableState.hasBody { output.writeLine("</tbody>\n</table>\n") } else { output.writeLine("</table>\n") }
  }
}
