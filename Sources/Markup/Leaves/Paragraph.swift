// Paragraphs (CommonMark 0.31.2 §4.8), and the definitions that they may turn out to be.
//
// Held: white space at a line's end until the next line shows; a line that begins with a pipe until the next
// one decides whether it is a header row; what may be a definition until its line ends; what may be a
// definition's title likewise.

import ByteStorage

extension MarkupParser {
  /// The line at the cursor is a paragraph's text: it goes on with the open one or begins a new one.
  mutating func startParagraphLine(_ start: BlockStart) -> Step {
    if start.isInParagraph {
      // On a lazy continuation line every open component's close tag counts.
      let closable = line.closableComponents
      line.closableComponents = openComponents
      let first = peek(start.offset)
      line.closableComponents = closable
      if first == Peek.more { return .hold }
      commit()
      line.matched = spine.count
      line.closableComponents = openComponents
      if first == Peek.lineEnd {
        if leaf.isHidden { showText() }
        endLine(at: start.offset)
        return .done
      }
      if leaf.kind == .paragraph || continuesDefinition(start) {
        continueParagraph(start)
        return .done
      }
    }
    prepareForBlock()
    beginParagraph(start)
    return .done
  }

  private mutating func beginParagraph(_ start: BlockStart) {
    leaf = Leaf()
    leaf.kind = .paragraph
    leaf.begin = start.offset
    leaf.textStart = blocks.text.count
    leaf.textEnd = leaf.textStart
    leaf.isSeparated = noteChild()
    let first = byte(at: start.offset)
    if first == UInt8(ascii: "[") && !line.isPlainText {
      leaf.definition.begin()
      leaf.isHidden = true
    }
    beginLine(start)
  }

  /// Whether the open definition takes the line, as the beginning or as a part of its title.
  @inline(__always)
  private func continuesDefinition(_ start: BlockStart) -> Bool {
    leaf.definition.isInTitle
      || (leaf.definition.awaitsTitle && DefinitionScanner.opensTitle(Int(byte(at: start.offset))))
  }

  private mutating func continueParagraph(_ start: BlockStart) {
    if leaf.isHidden {
      showText()
      decided = cursor
    }
    leaf.earlierTextEnd = leaf.textEnd
    leaf.earlierEnd = leaf.end
    leaf.isAfterLineEnd = true
    leaf.lineTextStart = blocks.text.count + 1
    leaf.definition.startLine()
    if leaf.kind == .definition && !leaf.definition.isInTitle {
      leaf.isHidden = true
      leaf.titleTextStart = leaf.lineTextStart
      leaf.titleBegin = start.offset
    }
    beginLine(start)
  }

  private mutating func beginLine(_ start: BlockStart) {
    leaf.lineBegin = start.offset
    if !substitutions.isEmpty { substitutions = [] }
    if blocks.text.count == leaf.textStart { leaf.lineTextStart = leaf.textStart }
    if byte(at: start.offset) == UInt8(ascii: "|") && grammar.has(.tables) { leaf.isHidden = true }
    line.plainTag = -1
    advance(to: start.offset, column: start.column)
    phase = .content
  }

  mutating func readParagraph() -> Step {
    while true {
      let begin = cursor
      switch nextText() {
      case .text(let end):
        readDefinition(from: begin, to: end)
        if cursor < end {
          extendText(from: cursor, to: end, shownTo: input.trimmedEnd(cursor, end))
          cursor = end
        }
      case .replacement(let end):
        commit()
        for byte in replacementCharacter where leaf.definition.isAlive {
          if !leaf.definition.read(byte) { failDefinition() }
        }
        extendText(with: replacementCharacter, end: end)
        cursor = end
        substitutions.append(
          Leaf.Substitution(text: blocks.text.count, shift: end - begin - replacementCharacter.count))
      case .lineEnd:
        commit()
        endParagraphLine()
        return .done
      case .stop: preconditionFailure("a paragraph's text has no stops of its own")
      case .hold:
        return .hold
      }
      if !leaf.isHidden { decided = max(decided, leaf.end) }
    }
  }

  /// Lets the definition scanner see the bytes; where it finds that there is no definition, what it held shows.
  private mutating func readDefinition(from begin: Int, to end: Int) {
    guard leaf.definition.isAlive else { return }
    var offset = begin
    while offset < end {
      steps += 1
      if !leaf.definition.read(byte(at: offset)) { break }
      offset += 1
    }
    guard offset < end else { return }
    // The byte that decides may be part of a character, which shows as a whole.
    var decidedAt = offset + 1
    while decidedAt < end && byte(at: decidedAt) & 0xC0 == 0x80 { decidedAt += 1 }
    extendText(from: begin, to: decidedAt, shownTo: input.trimmedEnd(begin, decidedAt))
    cursor = decidedAt
    now = max(now, decidedAt)
    failDefinition()
  }

  /// There is no definition, or no title: what was held for it shows as a paragraph's text.
  private mutating func failDefinition() {
    let wasTitle = leaf.kind == .definition
    if wasTitle { splitDefinition() }
    leaf.definition.stop()
    if leaf.isHidden && (wasTitle || !isHeldForTable) { showText() }
  }

  /// Whether the last line is held because it may be a table's header row.
  @inline(__always)
  private var isHeldForTable: Bool {
    grammar.has(.tables) && leaf.lineTextStart < blocks.text.count
      && blocks.text[leaf.lineTextStart] == UInt8(ascii: "|")
  }

  private mutating func endParagraphLine() {
    if leaf.definition.isAlive {
      let isTitle = leaf.kind == .definition
      switch leaf.definition.endLine() {
      case .dead: failDefinition()
      case .open: if leaf.isHidden && !isHeldForTable { showText() }
      case .complete: isTitle ? setDefinitionTitle() : becomeDefinition()
      }
    }
    let held = decided
    endLine(at: cursor)
    if leaf.kind != .none && leaf.isHidden { decided = held }
  }

  /// Shows the leaf's block, if it is not shown yet, at `now`.
  @inline(__always)
  mutating func showRow() {
    if leaf.row < 0 { showRow(as: .paragraph) }
  }

  /// Shows the leaf's block, which is not shown yet, at `now`.
  mutating func showRow(as type: BlockType, payload: Int = 0) {
    if leaf.isSeparated { spreadContainer() }
    leaf.row = openRow(
      type, begin: leaf.begin, payload: payload, textStart: leaf.textStart, key: unkeyedKey())
  }

  mutating func closeParagraph() {
    if leaf.isHidden { showText() }
    dropText(after: leaf.textEnd)
    sealLeaf(end: leaf.end)
  }

  /// Drops what was read of the leaf's text after `end`: white space that turned out to end it.
  mutating func dropText(after end: Int) {
    guard blocks.text.count > end else { return }
    blocks.text.truncate(to: end)
    blocks.growth.jump(to: end, at: now)
  }
}
