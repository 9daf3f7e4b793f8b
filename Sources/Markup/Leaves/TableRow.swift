// Table rows (GFM §4.10). Held: a row's first pipe until a byte that is no space; in a cell, white space and a
// backslash until the next byte.

import ByteStorage

extension MarkupParser {
  mutating func startTableRow(_ start: BlockStart) -> Recognition {
    let beginsWithPipe = byte(at: start.offset) == UInt8(ascii: "|")
    if beginsWithPipe {
      guard let end = spaceEnd(from: start.offset + 1) else { return .hold }
      // A line of one pipe is no row.
      if peek(end) == Peek.lineEnd { return .no }
    }
    commit()
    leaf.tableRow = openRow(.tableRow, parent: leaf.table, begin: start.offset, key: Self.offsetKey)
    leaf.tableRowEnd = start.offset
    leaf.cell = 0
    leaf.isInCell = false
    advance(to: start.offset + (beginsWithPipe ? 1 : 0), column: start.column)
    decided = cursor
    phase = .content
    return .yes
  }

  private static let rowStops = TextStops("|\\")

  mutating func readTableRow() -> Step {
    let stops = Self.rowStops
    while true {
      switch nextText(stops) {
      case .text(let end): readCellText(to: end)
      case .replacement(let end):
        commit()
        if leaf.cell < leaf.columns {
          beginCell(at: cursor)
          extendText(with: replacementCharacter, end: end)
        }
        passRowText(to: end)
      case .stop(UInt8(ascii: "|")): endCell()
      case .stop:
        guard readRowBackslash() else { return .hold }
      case .lineEnd:
        commit()
        endRow()
        return .done
      case .hold: return .hold
      }
    }
  }

  /// Text without pipes and backslashes: white space before a cell's first text is skipped, white space at its end is
  /// held.
  private mutating func readCellText(to end: Int) {
    var begin = cursor
    if !leaf.isInCell {
      while begin < end && ASCII.isSpaceOrTab(Int(byte(at: begin))) { begin += 1 }
    }
    cursor = end
    let shownEnd = input.trimmedEnd(begin, end)
    if leaf.cell < leaf.columns && begin < end {
      if !leaf.isInCell { now = max(now, input.nextCharacter(after: begin)) }
      beginCell(at: begin)
      extendText(from: begin, to: end, shownTo: shownEnd)
    }
    guard shownEnd > begin else { return }
    leaf.tableRowEnd = shownEnd
    decided = shownEnd
  }

  private mutating func passRowText(to end: Int) {
    cursor = end
    leaf.tableRowEnd = end
    decided = end
  }

  /// A cell begins with the text that follows, unless it has begun. At `now`.
  private mutating func beginCell(at begin: Int) {
    guard !leaf.isInCell else { return }
    leaf.isInCell = true
    leaf.begin = begin
    leaf.textStart = blocks.text.count
    leaf.textEnd = leaf.textStart
    leaf.isHidden = false
    leaf.row = openRow(.tableCell, parent: leaf.tableRow, begin: begin, key: unkeyedKey())
    leaf.isFirstOfLine = true
  }

  /// A backslash: before a pipe it makes it text and goes, else it is text. `false` if more bytes decide.
  private mutating func readRowBackslash() -> Bool {
    guard let next = required(cursor + 1) else { return false }
    let isPipe = next == UInt8(ascii: "|")
    commit()
    _ = spans.readBackslash()
    if isPipe { _ = spans.readOther() }
    let end = cursor + (isPipe ? 2 : 1)
    if leaf.cell < leaf.columns {
      beginCell(at: cursor)
      extendText(with: CollectionOfOne(isPipe ? UInt8(ascii: "|") : UInt8(ascii: "\\")), end: end)
    }
    passRowText(to: end)
    return true
  }

  /// A pipe ends the cell; one that nothing came before is an empty cell.
  private mutating func endCell() {
    if line.closableComponents > 0 { _ = spans.readOther() }
    now = max(now, cursor + 1)
    if leaf.isInCell {
      sealCell()
    } else if leaf.cell < leaf.columns {
      let row = openRow(.tableCell, parent: leaf.tableRow, begin: cursor, key: unkeyedKey())
      blocks.seal(row, end: cursor, at: now)
    }
    leaf.isInCell = false
    leaf.cell += 1
    passRowText(to: cursor + 1)
  }

  /// White space that was held stays in the shared text, behind the cell's length: cutting it off would be one more run
  /// of history for each cell.
  private mutating func sealCell() {
    blocks.seal(leaf.row, end: leaf.end, at: now)
  }

  private mutating func endRow() {
    if leaf.isInCell { sealCell() }
    blocks.seal(leaf.tableRow, end: leaf.tableRowEnd, at: now)
    leaf.isInCell = false
    leaf.end = leaf.tableRowEnd
    leaf.tableRow = -1
    endLine(at: cursor)
  }
}
