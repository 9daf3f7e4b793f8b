// Tables (GFM §4.10). Held: the line after a possible header row while it could be a delimiter row (and the
// header row itself, if it begins with a pipe).

import ByteStorage

/// Reads what may be a delimiter row, byte by byte.
struct DelimiterRowScanner {
  private enum State {
    /// Before a cell, with or without a pipe before it; in it; after it.
    case lineStart, cellStart, leftColon, dashes, afterCell
    case dead, complete
  }

  let begin: Int
  var position: Int
  /// The cells of the header row: with more, this is no delimiter row.
  let columns: Int
  private var state = State.lineStart
  private var isLeft = false
  private(set) var alignments: [ColumnAlignment] = []

  init(begin: Int, columns: Int) {
    self.begin = begin
    self.columns = columns
    position = begin
  }

  var isDead: Bool { state == .dead }
  var isComplete: Bool { state == .complete }

  mutating func read(_ byte: Int) {
    position += 1
    let isSpace = ASCII.isSpaceOrTab(byte)
    switch (state, byte) {
    case (.lineStart, 0x7C): state = .cellStart
    case (.lineStart, 0x2D), (.cellStart, 0x2D), (.leftColon, 0x2D): beginDashes(state == .leftColon)
    case (.lineStart, 0x3A), (.cellStart, 0x3A): state = .leftColon
    case (.lineStart, _) where isSpace, (.cellStart, _) where isSpace, (.afterCell, _) where isSpace: break
    case (.cellStart, Peek.lineEnd): state = alignments.isEmpty ? .dead : .complete
    case (.dashes, 0x2D): break
    case (.dashes, 0x3A): end(isRight: true)
    case (.dashes, 0x7C):
      end(isRight: false)
      if state != .dead { state = .cellStart }
    case (.dashes, Peek.lineEnd):
      end(isRight: false)
      if state != .dead { state = .complete }
    case (.dashes, _) where isSpace: end(isRight: false)
    case (.afterCell, 0x7C): state = .cellStart
    case (.afterCell, Peek.lineEnd): state = .complete
    default: state = .dead
    }
  }

  private mutating func beginDashes(_ isLeft: Bool) {
    self.isLeft = isLeft
    state = .dashes
  }

  private mutating func end(isRight: Bool) {
    alignments.append(isLeft ? (isRight ? .center : .left) : (isRight ? .right : .none))
    state = alignments.count > columns ? .dead : .afterCell
  }
}

extension MarkupParser {
  /// Whether the line is a delimiter row that makes the paragraph's last line a header row.
  mutating func startTable(_ start: BlockStart) -> Recognition {
    guard grammar.has(.tables), start.interrupts, leaf.kind == .paragraph || leaf.definition.isInTitle else {
      return .no
    }
    var scanner: DelimiterRowScanner
    if let memory = memory.delimiterRow, memory.begin == start.offset {
      scanner = memory
    } else {
      scanner = DelimiterRowScanner(begin: start.offset, columns: headerCells().count)
    }
    while !scanner.isComplete {
      let byte = peek(scanner.position)
      if byte == Peek.more {
        memory.delimiterRow = scanner
        return .hold
      }
      steps += 1
      scanner.read(byte)
      if scanner.isDead { return .no }
    }
    let cells = headerCells()
    guard cells.count == scanner.alignments.count else { return .no }
    commit()
    let lineEnd = scanner.position - 1
    openTable(cells: cells, alignments: scanner.alignments, end: input.trimmedEnd(start.offset, lineEnd))
    endLine(at: lineEnd)
    return .yes
  }

  /// A cell of the header row: its text, where `\|` is `|`, and its source.
  private struct HeaderCell {
    var text: [UInt8]
    var begin: Int
    var end: Int
  }

  /// The cells of the paragraph's last line.
  private func headerCells() -> [HeaderCell] {
    var cells: [HeaderCell] = []
    let end = leaf.textEnd
    var index = leaf.lineTextStart
    if index < end && blocks.text[index] == UInt8(ascii: "|") { index += 1 }
    while index < end {
      while index < end && ASCII.isSpaceOrTab(Int(blocks.text[index])) { index += 1 }
      // White space at the line's end is no cell.
      if index == end { break }
      let begin = index
      var text: [UInt8] = []
      var textEnd = index
      while index < end && (blocks.text[index] != UInt8(ascii: "|") || isEscapedPipe(index)) {
        if isEscapedPipe(index) { text.removeLast() }
        text.append(blocks.text[index])
        index += 1
        if !ASCII.isSpaceOrTab(Int(blocks.text[index - 1])) { textEnd = index }
      }
      while let last = text.last, ASCII.isSpaceOrTab(Int(last)) { text.removeLast() }
      cells.append(HeaderCell(text: text, begin: sourceOffset(begin), end: sourceOffset(textEnd)))
      if index < end { index += 1 }
    }
    return cells
  }

  private func isEscapedPipe(_ index: Int) -> Bool {
    blocks.text[index] == UInt8(ascii: "|") && index > leaf.lineTextStart
      && blocks.text[index - 1] == UInt8(ascii: "\\")
  }

  /// The source offset of a place in the last line's text.
  private func sourceOffset(_ index: Int) -> Int {
    var shift = 0
    for substitution in substitutions where substitution.text <= index { shift += substitution.shift }
    return leaf.lineBegin + index - leaf.lineTextStart + shift
  }

  private mutating func openTable(cells: [HeaderCell], alignments: [ColumnAlignment], end: Int) {
    if leaf.kind == .definition { splitDefinition() }
    let begin = leaf.lineBegin
    let rowEnd = leaf.end
    let lineTextStart = leaf.lineTextStart
    blocks.alignments.append(CompactRange(blocks.intern(alignments.map(\.rawValue))))
    let payload = blocks.alignments.count - 1
    var table = leaf.row
    if lineTextStart > leaf.textStart {
      leaveHeaderLine()
      addChild()
      table = openRow(.table, begin: begin, payload: payload, key: unkeyedKey())
    } else if leaf.row < 0 {
      showRow(as: .table, payload: payload)
      table = leaf.row
    } else {
      blocks.rows[table].type = .table
      blocks.rows[table].payload = UInt32(payload)
      blocks.rows[table].textLength = 0
      blocks.change(table, .type, at: now)
    }
    dropText(after: lineTextStart)
    blocks.rows[table].textStart = UInt32(blocks.text.count)
    let row = openRow(.tableRow, parent: table, begin: begin, flags: .header, key: Self.offsetKey)
    blocks.seal(row, end: rowEnd, at: now)
    for cell in cells {
      let cellRow = openRow(.tableCell, parent: row, begin: cell.begin, key: unkeyedKey())
      blocks.text.append(contentsOf: cell.text)
      blocks.rows[cellRow].textLength = UInt32(cell.text.count)
      blocks.seal(cellRow, end: cell.end, at: now)
    }
    blocks.growth.jump(to: blocks.text.count, at: now)
    leaf = Leaf()
    leaf.kind = .table
    leaf.table = table
    leaf.columns = alignments.count
    leaf.end = end
  }

  /// The paragraph keeps its other lines and ends; the last one becomes the header row.
  private mutating func leaveHeaderLine() {
    let length = leaf.earlierTextEnd - leaf.textStart
    if leaf.row < 0 {
      // Nothing of it was shown: its first lines show now.
      leaf.textEnd = leaf.earlierTextEnd
      showText()
    } else if Int(blocks.rows[leaf.row].textLength) > length {
      blocks.rows[leaf.row].textLength = UInt32(length)
      blocks.change(leaf.row, .text, at: now)
    }
    blocks.seal(leaf.row, end: leaf.earlierEnd, at: now)
    noteEnd(leaf.earlierEnd)
  }

  mutating func closeTable() {
    blocks.seal(leaf.table, end: leaf.end, at: now)
    noteEnd(leaf.end)
    leaf.kind = .none
  }
}
