// Lines that a leaf takes as they are: fenced and indented code, HTML, front matter, math, raw components.

extension MarkupParser {
  /// The open leaf takes the line from the cursor on.
  mutating func startVerbatimLine() {
    commit()
    leaf.isAfterLineEnd = leaf.hasLine && leaf.kind != .rawComponent
    leaf.isFirstOfLine = true
    leaf.hasLineText = false
    if leaf.kind == .fencedCode && !leaf.hasLine {
      blocks.rows.change(leaf.row) { $0.flags.insert(.hasLines) }
    }
    leaf.hasLine = true
    phase = .content
  }

  mutating func readVerbatim() -> Step {
    guard showCutTab() else { return .hold }
    while true {
      let begin = cursor
      switch nextVerbatimText() {
      case .text(let end):
        extendText(from: cursor, to: end, shownTo: end)
        cursor = end
        if leaf.kind == .html { checkHTMLEnd(from: begin, to: end) }
        if leaf.kind == .frontMatter {
          leaf.trimmedEnd = trimmedVerbatimEnd(begin, end)
          leaf.end = leaf.trimmedEnd
        }
      case .replacement(let end):
        commit()
        extendText(with: replacementCharacter, end: end)
        cursor = end
      case .lineEnd:
        commit()
        endVerbatimLine()
        return .done
      case .stop: preconditionFailure("verbatim text has no stops of its own")
      case .hold: return .hold
      }
      leaf.hasLineText = true
      decided = cursor
    }
  }

  private mutating func nextVerbatimText() -> TextEvent {
    if leaf.kind == .html && leaf.htmlType >= 6 { return nextText(hasSpans: false) }
    return nextLiteralText()
  }

  /// The offset after the last of the bytes that is no white space, else that of an earlier line.
  @inline(__always)
  func trimmedVerbatimEnd(_ begin: Int, _ end: Int) -> Int {
    let trimmed = input.trimmedEnd(begin, end)
    return trimmed > begin ? trimmed : leaf.trimmedEnd
  }

  /// The columns that a cut tab leaves show as spaces, together with what follows; `false` if nothing has.
  mutating func showCutTab() -> Bool {
    let columns = columnsLeftOfTab()
    guard columns > 0 && !leaf.hasLineText else { return true }
    guard peek(cursor + 1) != Peek.more else { return false }
    commit()
    extendText(with: repeatElement(0x20, count: columns), end: leaf.end)
    advance(to: cursor + 1, column: line.column + columns)
    return true
  }

  private mutating func endVerbatimLine() {
    if leaf.isAfterLineEnd { extendText(with: EmptyCollection(), end: leaf.end) }
    if cursor < available && isTrueLineEnd(cursor) && leaf.kind != .frontMatter { leaf.end = cursor }
    if leaf.kind == .html && leaf.meetsHTMLEnd { sealLeaf(end: leaf.end) }
    endLine(at: cursor)
  }
}
