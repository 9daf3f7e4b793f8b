// Block quotes (CommonMark 0.31.2 §5.1) and alerts (identity.md §7). Held: nothing in `commonmark` and `gfm`;
// where alerts are on, the first marker until the first byte inside, and `[!` there until alert or text.

extension MarkupParser {
  /// Whether the line continues the block quote: a marker, at most three columns in.
  mutating func matchBlockQuote() -> Step {
    var offset = cursor
    var column = line.column
    while column - line.column < 4 {
      let byte = peek(offset)
      if byte == Peek.more { return .hold }
      if byte == 0x20 {
        column += 1
      } else if byte == 0x09 {
        column += 4 - column % 4
      } else if byte == 0x3E {
        commit()
        advance(to: offset + 1, column: column + 1)
        spine[line.matched].end = cursor
        matchContainer()
        line.takesOptionalSpace = true
        return .done
      } else {
        break
      }
      offset += 1
    }
    phase = .blockStart
    return .done
  }

  /// A space after a marker belongs to it, and so does one column of a tab.
  mutating func takeOptionalSpace() -> Bool {
    let byte = rawPeek(cursor)
    if byte == Peek.more { return false }
    line.takesOptionalSpace = false
    if ASCII.isSpaceOrTab(byte) {
      commit()
      advanceColumns(1)
      claim()
    }
    return true
  }

  mutating func startBlockQuote(_ start: BlockStart) -> Recognition {
    var alert: Alert?
    var alertEnd = start.offset + 1
    if grammar.has(.alerts) {
      var offset = start.offset + 1
      var byte = peek(offset)
      while ASCII.isSpaceOrTab(byte) {
        offset += 1
        byte = peek(offset)
      }
      if byte == Peek.more { return .hold }
      if byte == UInt8(ascii: "[") && columns(from: start, to: offset) <= 4 {
        switch alertMarker(at: offset) {
        case .hold: return .hold
        case .none: break
        case .alert(let kind, let end): (alert, alertEnd) = (kind, end)
        }
      }
    }
    prepareForBlock()
    addChild()
    let row = openRow(
      .blockquote, begin: start.offset, payload: Int(alert?.rawValue ?? 0), key: Self.offsetKey)
    push(Container(kind: .blockQuote, row: row, end: start.offset + 1))
    advance(to: start.offset + 1, column: start.column + 1)
    decided = cursor
    if alert != nil {
      spine[spine.count - 1].end = alertEnd
      var offset = alertEnd
      while ASCII.isSpaceOrTab(peek(offset)) { offset += 1 }
      endLine(at: offset)
      return .yes
    }
    line.takesOptionalSpace = true
    phase = .prefix
    return .yes
  }

  /// The columns of white space between a quote's marker and `offset`.
  private func columns(from start: BlockStart, to offset: Int) -> Int {
    var column = start.column + 1
    for index in start.offset + 1..<offset { column += byte(at: index) == 0x09 ? 4 - column % 4 : 1 }
    return column - start.column - 1
  }

  private enum AlertMarker {
    case hold
    case none
    case alert(Alert, end: Int)
  }

  /// `[!note]` and nothing else to the line's end.
  private mutating func alertMarker(at bracket: Int) -> AlertMarker {
    var offset = bracket + 1
    guard let mark = required(offset) else { return .hold }
    guard mark == UInt8(ascii: "!") else { return .none }
    offset += 1
    // The alerts whose names begin with what was read.
    var length = 0
    var candidates = Alert.allCases.map { (alert: $0, name: Array("\($0.name)".utf8)) }
    while true {
      guard let byte = required(offset) else { return .hold }
      offset += 1
      if byte == UInt8(ascii: "]") { break }
      let letter = byte >= 0 ? Int(ASCII.lowercased(UInt8(truncatingIfNeeded: byte))) : byte
      candidates.removeAll { length >= $0.name.count || Int($0.name[length]) != letter }
      guard !candidates.isEmpty else { return .none }
      length += 1
    }
    guard let alert = candidates.first(where: { $0.name.count == length })?.alert else { return .none }
    guard let end = runEnd(.space, from: offset) else { return .hold }
    guard peek(end) == Peek.lineEnd else { return .none }
    return .alert(alert, end: offset)
  }

  /// The byte or line end at `offset`; `nil` if it has not arrived.
  mutating func required(_ offset: Int) -> Int? {
    let byte = peek(offset)
    return byte == Peek.more ? nil : byte
  }
}
