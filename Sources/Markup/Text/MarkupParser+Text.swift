// Reading a line's text, byte run by byte run, and adding it to the open leaf.

import ByteStorage

/// What comes next in a line's text.
enum TextEvent {
  /// Well-formed text from the cursor to this offset.
  case text(Int)
  /// A NUL or an ill-formed sequence from the cursor to this offset: it shows as U+FFFD.
  case replacement(Int)
  /// One of the bytes that the caller asked to stop at.
  case stop(UInt8)
  /// The line ends at the cursor.
  case lineEnd
  /// More bytes decide.
  case hold
}

extension MarkupParser {
  /// The next part of the line's text, up to the line's end; `hasSpans`: whether code spans hide close tags in it.
  @inline(__always)
  mutating func nextText(hasSpans: Bool = true) -> TextEvent {
    if isAtLineFeed { return lineFeedEvent() }
    guard mayHoldCloseTag else { return nextLine(limit: line.plainUntil) }
    return nextTaggedText(hasSpans ? .lineEnds : .lineEndsWithoutSpans)
  }

  /// The next part of the line's text, up to one of `stops`.
  @inline(__always)
  mutating func nextText(_ stops: TextStops) -> TextEvent {
    if isAtLineFeed { return lineFeedEvent() }
    if mayHoldCloseTag { return nextTaggedText(stops) }
    if cursor < available {
      let byte = byte(at: cursor)
      if ASCII.isPrintable(byte) && stops.own.contains(byte) { return .stop(byte) }
    }
    return nextPlainText(stops.own, limit: line.plainUntil)
  }

  /// Whether a close tag counts in the text at the cursor.
  @inline(__always)
  private var mayHoldCloseTag: Bool { line.closableComponents > 0 && cursor >= line.plainUntil }

  /// As `nextText`, where a close tag counts.
  private mutating func nextTaggedText(_ stops: TextStops) -> TextEvent {
    let hasSpans = stops.hasSpans
    let end = input.plainEnd(from: cursor, stops.withTags)
    if end > cursor {
      steps += end - cursor
      if hasSpans { _ = spans.readOther() }
      return .text(end)
    }
    guard cursor < available else { return isFinishing ? lineEndEvent() : .hold }
    let byte = byte(at: cursor)
    switch byte {
    case UInt8(ascii: "<"): return tagOrText(stops)
    case UInt8(ascii: "`") where !stops.own.contains(byte):
      spans.readBacktick()
      return .text(cursor + 1)
    case UInt8(ascii: "\\"):
      if stops.own.contains(byte) { return .stop(byte) }
      if hasSpans { _ = spans.readBackslash() }
      return .text(cursor + 1)
    default:
      if hasSpans && byte != 0x0A && byte != 0x0D { _ = spans.readOther() }
      return special(byte)
    }
  }

  /// As `nextText`, where no close tag counts.
  @inline(__always)
  mutating func nextLiteralText() -> TextEvent {
    isAtLineFeed ? lineFeedEvent() : nextLine(limit: 0)
  }

  /// Whether the line plainly ends at the cursor.
  @inline(__always)
  private var isAtLineFeed: Bool { cursor < available && byte(at: cursor) == 0x0A }

  @inline(__always)
  private mutating func lineFeedEvent() -> TextEvent {
    reach = max(reach, cursor + 1)
    return .lineEnd
  }

  /// Most text has no stops but line ends: they are looked for by a copy of the scan that knows no others.
  private mutating func nextLine(limit: Int) -> TextEvent { nextPart(.lineEnds, limit: limit) }

  private mutating func nextPlainText(_ stops: StopSet, limit: Int) -> TextEvent {
    nextPart(stops, limit: limit)
  }

  @inline(__always)
  private mutating func nextPart(_ stops: StopSet, limit: Int) -> TextEvent {
    var end = input.plainEnd(from: cursor, stops)
    if cursor < limit { end = min(end, limit) }
    if end > cursor {
      steps += end - cursor
      return .text(end)
    }
    guard cursor < available else { return isFinishing ? lineEndEvent() : .hold }
    return special(byte(at: cursor))
  }

  private mutating func lineEndEvent() -> TextEvent {
    reach = total + 1
    return .lineEnd
  }

  /// The byte at the cursor, which ended a run of plain text.
  private mutating func special(_ byte: UInt8) -> TextEvent {
    switch byte {
    case 0x0A, 0x0D: return rawPeek(cursor) == Peek.more ? .hold : .lineEnd
    case 0:
      reach = max(reach, cursor + 1)
      return .replacement(cursor + 1)
    case 0x80...:
      let character = input.characterEnd(at: cursor)
      reach = max(reach, character.decidedAt)
      return .replacement(cursor + character.length)
    default: return .stop(byte)
    }
  }

  /// At a `<`: a close tag that counts, or text.
  private mutating func tagOrText(_ stops: TextStops) -> TextEvent {
    let hasSpans = stops.hasSpans
    if hasSpans && deferredTag == nil { _ = spans.readOther() }
    switch closeTag(at: cursor) {
    case .none:
      commit()
      return .text(cursor + 1)
    case .undecided: return .hold
    case .tag(_, let end):
      guard hasSpans && !spans.open.isEmpty else { return .lineEnd }
      var tag =
        deferredTag
        ?? DeferredTag(spans: spans, openAtTag: spans.open.count, reached: end)
      return resolve(&tag, stops.own)
    }
  }

  /// Looks for a run of backticks that puts the close tag at the cursor into a code span; the line's end
  /// decides that there is none.
  private mutating func resolve(_ tag: inout DeferredTag, _ stops: StopSet) -> TextEvent {
    while true {
      let byte = rawPeek(tag.reached)
      if byte == Peek.more {
        deferredTag = tag
        return .hold
      }
      steps += 1
      let closed: Int?
      switch byte {
      case 0x60:
        tag.spans.readBacktick()
        closed = nil
      case 0x5C: closed = tag.spans.readBackslash()
      default: closed = tag.spans.readOther()
      }
      if let closed, closed < tag.openAtTag {
        spans = tag.spans
        line.plainUntil = tag.reached
        deferredTag = nil
        commit()
        return nextPlainText(stops, limit: tag.reached)
      }
      if byte == Peek.lineEnd {
        deferredTag = nil
        return .lineEnd
      }
      tag.reached += 1
    }
  }

  // MARK: - Growing text

  /// Adds the source bytes to the leaf's text as they are and shows them; `end`: the offset after the last of
  /// them that is not to be held. Nothing is shown if the leaf is hidden or `end` is at or before `begin`.
  mutating func extendText(from begin: Int, to finish: Int, shownTo end: Int) {
    steps += 1
    let joinsLine = joinLine()
    let textBegin = blocks.text.count + (joinsLine ? 1 : 0)
    input.copy(begin..<finish, to: &blocks.text, afterLineEnd: joinsLine)
    if end > begin { leaf.end = end }
    guard !leaf.isHidden else {
      if end > begin { leaf.textEnd = textBegin + end - begin }
      return
    }
    // Bytes that arrived before `now` show at once; so does the first character after a line end, since the
    // line end shows with it. The others show one by one.
    var first = begin
    if leaf.isFirstOfLine || now > begin {
      let shown = input.nextCharacter(after: begin)
      now = max(now, shown)
      first = min(now, finish)
      showRow()
      blocks.growth.jump(to: textBegin + first - begin, at: now)
      leaf.isFirstOfLine = false
    }
    if finish > first {
      blocks.growth.grow(by: finish - first, to: blocks.text.count, at: finish)
    }
    guard end > begin else { return }
    now = max(now, end)
    leaf.textEnd = textBegin + end - begin
    blocks.setTextLength(leaf.row, to: leaf.textEnd - leaf.textStart, at: now)
  }

  /// Adds bytes that are not the source's to the leaf's text: U+FFFD, a line end, what a cut tab leaves. They
  /// stand for the source up to `end` and show, unless the leaf is hidden, at `now`.
  mutating func extendText(with bytes: some Collection<UInt8>, end: Int) {
    if joinLine() { blocks.text.append(0x0A) }
    blocks.text.append(contentsOf: bytes)
    leaf.end = end
    leaf.textEnd = blocks.text.count
    if !leaf.isHidden { showText() }
  }

  /// Whether a line end has to be added, before a line's first text; only the first time.
  @inline(__always)
  private mutating func joinLine() -> Bool {
    guard leaf.isAfterLineEnd else { return false }
    leaf.isAfterLineEnd = false
    leaf.isFirstOfLine = true
    return true
  }

  /// Shows all the text that the leaf has, at `now`.
  mutating func showText() {
    leaf.isHidden = false
    leaf.isFirstOfLine = false
    showRow()
    blocks.growth.jump(to: blocks.text.count, at: now)
    blocks.setTextLength(leaf.row, to: leaf.textEnd - leaf.textStart, at: now)
  }
}

/// U+FFFD in UTF-8.
let replacementCharacter: [UInt8] = [0xEF, 0xBF, 0xBD]
