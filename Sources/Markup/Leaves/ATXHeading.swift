// ATX headings (CommonMark 0.31.2 §4.2). Held: the opening sequence until it ends; white space and what may be
// the closing sequence until more text comes, or the line's end drops it.

extension MarkupParser {
  mutating func startATXHeading(_ start: BlockStart) -> Recognition {
    var offset = start.offset
    var byte = peek(offset)
    while byte == 0x23 && offset - start.offset < 7 {
      offset += 1
      if offset - start.offset == 7 { return .no }
      byte = peek(offset)
    }
    if byte == Peek.more { return .hold }
    guard byte == Peek.lineEnd || ASCII.isSpaceOrTab(byte) else { return .no }
    let depth = offset - start.offset
    prepareForBlock()
    if byte == Peek.lineEnd {
      openSealedLeaf(.heading, begin: start.offset, end: offset, payload: depth)
      endLine(at: offset)
      return .yes
    }
    openLeaf(
      .heading, .heading, begin: start.offset, end: offset, payload: depth, key: Self.offsetKey)
    cursor = offset
    decided = offset
    phase = .content
    return .yes
  }

  mutating func readHeading() -> Step {
    while true {
      switch nextText(Self.headingStops) {
      case .text(let end): readHeadingText(to: end)
      case .replacement(let end):
        commit()
        releaseHeading()
        extendText(with: replacementCharacter, end: end)
        leaf.headingHold = .text
        leaf.heldBegin = -1
        cursor = end
      case .stop(let byte): readHeadingStop(byte)
      case .lineEnd:
        commit()
        endHeading()
        return .done
      case .hold: return .hold
      }
      if leaf.headingHold == .text { decided = cursor }
    }
  }

  private static let headingStops = TextStops(" #\t")

  private mutating func readHeadingText(to end: Int) {
    if leaf.headingHold != .text {
      // The text shows together with what was held before it.
      let first = input.nextCharacter(after: cursor)
      now = max(now, first)
      releaseHeading()
      leaf.isFirstOfLine = true
    }
    leaf.headingHold = .text
    leaf.heldBegin = -1
    extendText(from: cursor, to: end, shownTo: end)
    cursor = end
  }

  private mutating func readHeadingStop(_ byte: UInt8) {
    if byte == 0x23 {
      switch leaf.headingHold {
      case .text: return readHeadingText(to: cursor + 1)
      case .closing: break
      case .start:
        leaf.headingHold = .closing
        leaf.heldBegin = cursor
        decided = cursor
      case .space: leaf.headingHold = .closing
      case .afterClosing:
        // Another sequence: the one before is text.
        now = max(now, cursor + 1)
        releaseHeading(upTo: leaf.closingEnd)
        leaf.headingHold = .closing
      }
      leaf.closingEnd = cursor + 1
    } else {
      switch leaf.headingHold {
      case .text:
        leaf.headingHold = .space
        leaf.heldBegin = cursor
      case .closing: leaf.headingHold = .afterClosing
      case .start, .space, .afterClosing: break
      }
    }
    cursor += 1
  }

  /// Adds what was held, up to the cursor or `end`, to the text and shows it, at `now`.
  private mutating func releaseHeading(upTo end: Int? = nil) {
    let end = end ?? cursor
    let begin = leaf.heldBegin
    guard begin >= 0 && begin < end else { return }
    extendText(with: input[begin..<end], end: end)
    leaf.heldBegin = end
    decided = end
  }

  private mutating func endHeading() {
    // The closing sequence belongs to the heading, though not to its text.
    let end: Int =
      switch leaf.headingHold {
      case .closing, .afterClosing: leaf.closingEnd
      case .start, .text, .space: leaf.end
      }
    sealLeaf(end: end)
    endLine(at: cursor)
  }
}

/// What an ATX heading holds back.
enum HeadingHold {
  /// White space before any text.
  case start
  case text
  /// White space after text.
  case space
  /// What may be the closing sequence, and white space after it.
  case closing, afterClosing
}
