// Front matter (identity.md §7). Held: the first line until its end; a prefix of a line that could close it.

extension MarkupParser {
  /// The start of the source: a byte order mark is skipped, and front matter may open.
  mutating func startDocument() -> Step {
    guard cursor < available || isFinishing else { return .hold }
    if available >= 3 && cursor == 0 && byte(at: 0) == 0xEF && byte(at: 1) == 0xBB && byte(at: 2) == 0xBF {
      cursor = 3
      decided = 3
      guard cursor < available || isFinishing else { return .hold }
    }
    phase = .lineStart
    guard grammar.has(.frontMatter) && spine.count == 1 && leaf.kind == .none else { return .done }
    guard let end = frontMatterLineEnd(UInt8(ascii: "-")) else {
      phase = .documentStart
      return .hold
    }
    guard end > cursor else { return .done }
    commit()
    line = Line(number: 1)
    openLeaf(.frontMatter, .yaml, begin: cursor, end: cursor + 3, key: Self.offsetKey)
    endLine(at: end)
    return .done
  }

  /// The end of the line if it is three times `mark` and white space; the cursor if it is not; `nil` if more
  /// bytes decide.
  private mutating func frontMatterLineEnd(_ mark: UInt8) -> Int? {
    for index in 0..<3 {
      guard let byte = required(cursor + index) else { return nil }
      guard byte == Int(mark) else { return cursor }
    }
    guard let end = runEnd(.space, from: cursor + 3) else { return nil }
    return peek(end) == Peek.lineEnd ? end : cursor
  }

  mutating func matchFrontMatter() -> Step {
    let first = peek(cursor)
    if first == Peek.more { return .hold }
    if first == UInt8(ascii: "-") || first == UInt8(ascii: ".") {
      guard let end = frontMatterLineEnd(UInt8(first)) else { return .hold }
      if end > cursor {
        commit()
        sealLeaf(end: cursor + 3)
        endLine(at: end)
        return .done
      }
    }
    startVerbatimLine()
    return .done
  }
}
