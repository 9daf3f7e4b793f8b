// Lists and list items (CommonMark 0.31.2 §5.2 and §5.3), task list items (GFM §5.3). Held: the marker, until
// its first content byte shows how far the content is indented; for a bullet that may be a thematic break,
// until it is none; a bracket after it until it is a task box or not.

extension MarkupParser {
  /// The most digits that a list number may have.
  private static let maxDigits = 9

  mutating func startListItem(_ start: BlockStart) -> Recognition {
    var offset = start.offset
    var number = 0
    var marker = byte(at: offset)
    let isOrdered = ASCII.isDigit(Int(marker))
    if isOrdered {
      var byte = peek(offset)
      while ASCII.isDigit(byte) {
        guard offset - start.offset < Self.maxDigits else { return .no }
        number = number * 10 + byte - 0x30
        offset += 1
        byte = peek(offset)
      }
      if byte == Peek.more { return .hold }
      guard byte == UInt8(ascii: ".") || byte == UInt8(ascii: ")") else { return .no }
      marker = UInt8(byte)
      // Only a list that begins with 1 may interrupt a paragraph.
      if start.interrupts && number != 1 { return .no }
    }
    offset += 1
    let contentColumn = start.column + offset - start.offset
    guard let content = itemContent(from: offset, column: contentColumn) else { return .hold }
    let padding = content.column - contentColumn
    guard content.isBlank || padding > 0 else { return .no }
    if start.interrupts && content.isBlank { return .no }
    var task = TaskBox.no
    if !content.isBlank && padding < 5 && grammar.has(.taskListItems) {
      task = taskBox(at: content.offset)
      if task == .hold { return .hold }
    }
    openItem(
      start, marker: marker, number: isOrdered ? number : nil, markerEnd: offset, content: content,
      task: task)
    return .yes
  }

  private struct ItemContent {
    /// The first byte that is no space or tab, and its column.
    var offset: Int
    var column: Int
    /// Nothing follows on the line.
    var isBlank: Bool
  }

  /// What follows an item's marker.
  private mutating func itemContent(from begin: Int, column: Int) -> ItemContent? {
    guard let end = spaceEnd(from: begin) else { return nil }
    let byte = peek(end)
    var column = column
    for offset in begin..<end { column += self.byte(at: offset) == 0x09 ? 4 - column % 4 : 1 }
    if byte == Peek.more { return nil }
    return ItemContent(offset: end, column: column, isBlank: byte == Peek.lineEnd)
  }

  private enum TaskBox { case no, hold, unchecked, checked }

  /// A task box: `[ ]`, `[x]` or `[X]` and a space or tab.
  private mutating func taskBox(at offset: Int) -> TaskBox {
    guard peek(offset) == UInt8(ascii: "[") else { return .no }
    guard let mark = required(offset + 1) else { return .hold }
    guard mark == 0x20 || mark | 0x20 == UInt8(ascii: "x") else { return .no }
    guard let close = required(offset + 2) else { return .hold }
    guard close == UInt8(ascii: "]") else { return .no }
    guard let space = required(offset + 3) else { return .hold }
    guard ASCII.isSpaceOrTab(space) else { return .no }
    return mark == 0x20 ? .unchecked : .checked
  }

  private mutating func openItem(
    _ start: BlockStart, marker: UInt8, number: Int?, markerEnd: Int, content: ItemContent, task: TaskBox
  ) {
    let markerColumns = markerEnd - start.offset
    let padding = content.column - start.column - markerColumns
    prepareForBlock(itemMarker: marker)
    if spine[spine.count - 1].kind != .list {
      addChild()
      let row = openRow(
        .list, begin: start.offset, payload: number ?? 0, flags: number == nil ? [] : .ordered,
        key: unkeyedKey())
      push(Container(kind: .list, row: row, marker: marker))
    }
    addChild()
    var flags: Block.Flags = []
    if task != .no { flags.insert(.task) }
    if task == .checked { flags.insert(.checked) }
    let row = openRow(.listItem, begin: start.offset, flags: flags, key: Self.offsetKey)
    var item = Container(kind: .listItem, row: row, end: markerEnd)
    advance(to: markerEnd, column: start.column + markerColumns)
    if content.isBlank {
      item.indent = start.indent + markerColumns + 1
    } else if padding >= 5 {
      // The content is indented code: one column belongs to the marker.
      item.indent = start.indent + markerColumns + 1
      advanceColumns(1)
    } else {
      item.indent = start.indent + markerColumns + padding
      advanceColumns(padding)
    }
    push(item)
    if task != .no {
      // What follows a box begins a paragraph, whatever it looks like.
      advance(to: content.offset + 3, column: content.column + 3)
      spine[spine.count - 1].end = cursor
      line.isPlainText = true
    }
    decided = cursor
    if content.isBlank { return endLine(at: content.offset) }
    phase = .blockStart
  }
}
