// Indented code blocks (CommonMark 0.31.2 §4.4). Held: blank lines at the end until the code goes on.

import ByteStorage

extension MarkupParser {
  private static let codeIndent = 4

  mutating func openIndentedCode(_ start: BlockStart) {
    prepareForBlock()
    openLeaf(.indentedCode, .code, begin: start.offset, end: start.offset, key: unkeyedKey())
    startVerbatimLine()
    advanceColumns(Self.codeIndent)
  }

  mutating func matchIndentedCode() -> Step {
    line.closableComponents = 0
    guard let (offset, column) = indentEnd() else { return .hold }
    let byte = peek(offset)
    if byte == Peek.more { return .hold }
    if byte == Peek.lineEnd {
      holdBlankLine(to: offset, column: column)
      return .done
    }
    guard column - line.column >= Self.codeIndent else {
      reach = now
      phase = .blockStart
      return .done
    }
    startVerbatimLine()
    leaf.isHidden = false
    advanceColumns(Self.codeIndent)
    return .done
  }

  /// A blank line is the code's if more of it follows; what is beyond its indentation stays.
  private mutating func holdBlankLine(to offset: Int, column: Int) {
    commit()
    blocks.text.append(0x0A)
    if column - line.column > Self.codeIndent {
      advanceColumns(Self.codeIndent)
      let columns = columnsLeftOfTab()
      if columns > 0 {
        blocks.text.append(contentsOf: repeatElement(0x20, count: columns))
        advance(to: cursor + 1, column: line.column + columns)
      }
      if cursor < offset {
        input.copy(cursor..<offset, to: &blocks.text)
      }
    }
    markBlank()
    endLine(at: offset)
  }
}
