// Table rows (GFM §4.10). Held: a row's first pipe until a byte that is no space; in a cell, white space and a
// backslash until the next byte.

extension MarkupParser {
  mutating func startTableRow(_ start: BlockStart) -> Recognition {
    let beginsWithPipe = byte(at: start.offset) == UInt8(ascii: "|")
    if beginsWithPipe {
      guard let end = runEnd(.space, from: start.offset + 1) else { return .hold }
      // A line of one pipe is no row.
      if peek(end) == Peek.lineEnd { return .no }
    }
    commit()
    leaf.tableRow = openRow(.tableRow, parent: leaf.table, begin: start.offset, key: Self.offsetKey)
    leaf.tableRowEnd = start.offset
    leaf.cell = 0
    leaf.isInCell = false
    leaf.heldBegin = -1
    advance(to: start.offset + (beginsWithPipe ? 1 : 0), column: start.column)
    decided = cursor
    phase = .content
    return .yes
  }

  private static let rowStops = TextStops(" |\\\t")

  mutating func readTableRow() -> Step {
    while true {
      switch nextText(Self.rowStops) {
      case .text(let end):
        if leaf.cell < leaf.columns {
          now = max(now, cursor + 1, input.nextCharacter(after: cursor))
          beginCellText()
          extendText(from: cursor, to: end, shownTo: end)
        }
        passRowText(to: end)
      case .replacement(let end):
        commit()
        if leaf.cell < leaf.columns {
          beginCellText()
          extendText(with: replacementCharacter, end: end)
        }
        passRowText(to: end)
      case .stop(UInt8(ascii: "|")): endCell()
      case .stop(UInt8(ascii: "\\")):
        guard readRowBackslash() else { return .hold }
      case .stop:
        _ = line.spans.readOther()
        if leaf.isInCell && leaf.heldBegin < 0 { leaf.heldBegin = cursor }
        cursor += 1
      case .lineEnd:
        commit()
        endRow()
        return .done
      case .hold: return .hold
      }
    }
  }

  private mutating func passRowText(to end: Int) {
    cursor = end
    leaf.tableRowEnd = end
    decided = end
  }

  /// Text follows: a cell begins, or the white space that was held in it belongs to it. At `now`.
  private mutating func beginCellText() {
    if !leaf.isInCell {
      leaf.isInCell = true
      leaf.begin = cursor
      leaf.textStart = blocks.text.count
      leaf.textEnd = leaf.textStart
      leaf.isHidden = false
      leaf.row = openRow(.tableCell, parent: leaf.tableRow, begin: cursor, key: unkeyedKey())
      leaf.isFirstOfLine = true
    } else if leaf.heldBegin >= 0 {
      let end = leaf.end
      extendText(
        with: Array(input[leaf.heldBegin..<cursor]), end: cursor)
      leaf.end = end
      leaf.isFirstOfLine = true
    }
    leaf.heldBegin = -1
  }

  /// A backslash: before a pipe it makes it text and goes, else it is text. `false` if more bytes decide.
  private mutating func readRowBackslash() -> Bool {
    guard let next = required(cursor + 1) else { return false }
    let isPipe = next == UInt8(ascii: "|")
    commit()
    _ = line.spans.readBackslash()
    if isPipe { _ = line.spans.readOther() }
    let end = cursor + (isPipe ? 2 : 1)
    if leaf.cell < leaf.columns {
      beginCellText()
      extendText(with: CollectionOfOne(isPipe ? UInt8(ascii: "|") : UInt8(ascii: "\\")), end: end)
    }
    passRowText(to: end)
    return true
  }

  /// A pipe ends the cell; one that nothing came before is an empty cell.
  private mutating func endCell() {
    _ = line.spans.readOther()
    now = max(now, cursor + 1)
    if leaf.isInCell {
      blocks.seal(leaf.row, end: leaf.end, at: now)
    } else if leaf.cell < leaf.columns {
      let row = openRow(.tableCell, parent: leaf.tableRow, begin: cursor, key: unkeyedKey())
      blocks.seal(row, end: cursor, at: now)
    }
    leaf.isInCell = false
    leaf.heldBegin = -1
    leaf.cell += 1
    passRowText(to: cursor + 1)
  }

  private mutating func endRow() {
    if leaf.isInCell { blocks.seal(leaf.row, end: leaf.end, at: now) }
    blocks.seal(leaf.tableRow, end: leaf.tableRowEnd, at: now)
    leaf.isInCell = false
    leaf.heldBegin = -1
    leaf.end = leaf.tableRowEnd
    leaf.tableRow = -1
    endLine(at: cursor)
  }
}
