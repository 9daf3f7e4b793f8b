// Which block begins at the cursor: CommonMark 0.31.2, appendix "A parsing strategy", phase 1, step 2.

/// What the constructs need to know about where a block may begin.
struct BlockStart {
  /// The first byte that is no space or tab, and its column.
  var offset: Int
  var column: Int
  /// The columns of indentation.
  var indent: Int
  /// The open leaf is a paragraph (or a definition, which counts as one) that the line may continue, be it as
  /// a lazy continuation line.
  var isInParagraph: Bool
  /// As `isInParagraph`, and the line continues all its containers: what begins here interrupts a paragraph.
  var interrupts: Bool
}

/// Whether a construct begins here.
enum Recognition {
  /// It does not.
  case no
  /// It does, and has been opened.
  case yes
  /// More bytes decide.
  case hold
}

extension MarkupParser {
  mutating func startBlock() -> Step {
    line.closableComponents = spine[line.matched - 1].components
    guard let (offset, column) = indentEnd() else { return .hold }
    let byte = peek(offset)
    if byte == Peek.more { return .hold }
    var start = BlockStart(
      offset: offset, column: column, indent: column - line.column, isInParagraph: false, interrupts: false)
    if line.skipsSpace {
      // The indentation means nothing; a byte that is there is decided on from here.
      if byte >= 0 || !isTrueLineEnd(offset) {
        advance(to: offset, column: line.isRestOfLine ? 0 : column)
        decided = offset
        line.skipsSpace = false
      }
      start.indent = 0
      start.column = line.column
    } else if leaf.kind == .paragraph || leaf.kind == .definition {
      start.interrupts = line.matched == spine.count
      start.isInParagraph = start.interrupts || !leavesDirective
    }
    if byte == Peek.lineEnd {
      if isTrueLineEnd(offset) {
        endBlankLine(at: offset)
        return .done
      }
      // Four columns in, a close tag is indented code or a paragraph's text; after a task box there is neither.
      if start.indent < 4 || line.isPlainText {
        commit()
        endLine(at: offset)
        return .done
      }
    }
    if line.isPlainText { return startText(start) }
    if start.indent >= 4 {
      guard !start.isInParagraph else { return startText(start) }
      openIndentedCode(start)
      return .done
    }
    switch startConstruct(byte, start) {
    case .yes: return .done
    case .hold: return .hold
    case .no: return startText(start)
    }
  }

  /// Tries the constructs that may begin with `byte`, in the order in which they win.
  private mutating func startConstruct(_ byte: Int, _ start: BlockStart) -> Recognition {
    switch UInt8(truncatingIfNeeded: byte) {
    case UInt8(ascii: ">"): return startBlockQuote(start)
    case UInt8(ascii: "#"): return startATXHeading(start)
    case UInt8(ascii: "`"), UInt8(ascii: "~"): return startFencedCode(start, fence: UInt8(byte))
    case UInt8(ascii: "<"):
      let component = startComponent(start)
      return component == .no ? startHTML(start) : component
    case UInt8(ascii: "="): return startSetextHeading(start, .equals)
    case UInt8(ascii: "-"): return startHyphen(start)
    case UInt8(ascii: "*"):
      let thematicBreak = startThematicBreak(start, .asteriskOrSpace)
      return thematicBreak == .no ? startListItem(start) : thematicBreak
    case UInt8(ascii: "_"): return startThematicBreak(start, .underscoreOrSpace)
    case UInt8(ascii: "+"), UInt8(ascii: "0")...UInt8(ascii: "9"): return startListItem(start)
    case UInt8(ascii: "["): return startFootnoteDefinition(start)
    case UInt8(ascii: "$"), UInt8(ascii: "\\"): return startMath(start, opener: UInt8(byte))
    case UInt8(ascii: "|"): return startTable(start)
    case UInt8(ascii: ":"):
      let directive = startDirective(start)
      return directive == .no ? startTable(start) : directive
    default: return .no
    }
  }

  /// A hyphen may begin four constructs.
  private mutating func startHyphen(_ start: BlockStart) -> Recognition {
    let heading = startSetextHeading(start, .hyphen)
    guard heading == .no else { return heading }
    let thematicBreak = startThematicBreak(start, .hyphenOrSpace)
    guard thematicBreak == .no else { return thematicBreak }
    let item = startListItem(start)
    return item == .no ? startTable(start) : item
  }

  /// No other block begins here: the line is a table's row or a paragraph's text.
  private mutating func startText(_ start: BlockStart) -> Step {
    if leaf.kind == .table && line.matched == spine.count {
      switch startTableRow(start) {
      case .yes: return .done
      case .hold: return .hold
      case .no: break
      }
    }
    return startParagraphLine(start)
  }
}
