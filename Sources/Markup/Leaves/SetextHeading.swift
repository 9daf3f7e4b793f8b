// Setext headings (CommonMark 0.31.2 §4.3). Held: the line that may be an underline, until it cannot be one or
// ends.

extension MarkupParser {
  mutating func startSetextHeading(_ start: BlockStart, _ underline: ByteClass) -> Recognition {
    guard start.interrupts, leaf.kind == .paragraph || leaf.definition.isInTitle else { return .no }
    guard let end = runEnd(underline, from: start.offset) else { return .hold }
    var offset = end
    while true {
      let byte = peek(offset)
      if byte == Peek.more { return .hold }
      if byte == Peek.lineEnd { break }
      guard ASCII.isSpaceOrTab(byte) else { return .no }
      offset += 1
    }
    commit()
    becomeHeading(depth: underline == .equals ? 1 : 2, end: end)
    endLine(at: offset)
    return .yes
  }

  private mutating func becomeHeading(depth: Int, end: Int) {
    if leaf.kind == .definition { splitDefinition() }
    if leaf.row < 0 {
      showRow(as: .heading, payload: depth)
    } else {
      blocks.rows[leaf.row].type = .heading
      blocks.rows[leaf.row].payload = UInt32(depth)
      blocks.change(leaf.row, .type, at: now)
    }
    if leaf.isHidden { showText() }
    dropText(after: leaf.textEnd)
    sealLeaf(end: end)
  }
}
