// Math blocks (identity.md §7). Held: the opening line until its end; white space at a line's start that a
// closer may follow; a dollar or backslash until the next byte.

/// Looks for a closer on the line that opens a math block.
struct MathLineScanner {
  var begin: Int
  var reached: Int
  /// Where the first unescaped closer begins.
  var closer: Int?
}

extension MarkupParser {
  mutating func startMath(_ start: BlockStart, opener: UInt8) -> Recognition {
    guard grammar.has(.math) else { return .no }
    let isBracket = opener == UInt8(ascii: "\\")
    guard let second = required(start.offset + 1) else { return .hold }
    guard second == Int(isBracket ? UInt8(ascii: "[") : UInt8(ascii: "$")) else { return .no }
    let contentBegin = start.offset + 2
    var scan = MathLineScanner(begin: contentBegin, reached: contentBegin)
    if let memory = memory.mathLine, memory.begin == contentBegin { scan = memory }
    guard let lineEnd = scanMathLine(&scan, isBracket) else {
      memory.mathLine = scan
      return .hold
    }
    guard lineEnd >= 0 else { return .no }
    prepareForBlock()
    openMath(start, isBracket: isBracket, closer: scan.closer, lineEnd: lineEnd)
    return .yes
  }

  /// The end of an opening line; -1 if it is none, `nil` if more bytes decide.
  private mutating func scanMathLine(_ scan: inout MathLineScanner, _ isBracket: Bool) -> Int? {
    while true {
      let byte = peek(scan.reached)
      if byte == Peek.more { return nil }
      steps += 1
      if byte == Peek.lineEnd { return scan.reached }
      if scan.closer != nil {
        guard ASCII.isSpaceOrTab(byte) else { return -1 }
        scan.reached += 1
        continue
      }
      guard byte == 0x24 && !isBracket || byte == 0x5C else {
        scan.reached += 1
        continue
      }
      guard let next = required(scan.reached + 1) else { return nil }
      if next == Int(isBracket ? UInt8(ascii: "]") : UInt8(ascii: "$")) && (byte == 0x24 || isBracket) {
        scan.closer = scan.reached
        scan.reached += 2
      } else {
        scan.reached += byte == 0x5C && next >= 0 ? 2 : 1
      }
    }
  }

  private mutating func openMath(_ start: BlockStart, isBracket: Bool, closer: Int?, lineEnd: Int) {
    openLeaf(.math, .math, begin: start.offset, end: start.offset + 2, key: Self.offsetKey)
    leaf.isBracketMath = isBracket
    let begin = start.offset + 2
    let end = closer ?? lineEnd
    let textEnd = input.trimmedEnd(begin, end)
    if textEnd > begin {
      let text = UTF8Text.repaired(Array(input[begin..<end]))
      extendText(with: text, end: textEnd)
      leaf.hasLine = true
    }
    if let closer { sealLeaf(end: closer + 2) }
    endLine(at: lineEnd)
  }

  mutating func readMath() -> Step {
    if !leaf.hasLineText {
      guard let proceeds = startMathLine() else { return .hold }
      guard proceeds else { return .done }
    }
    while true {
      let begin = cursor
      switch nextText(leaf.isBracketMath ? Self.bracketStops : Self.dollarStops) {
      case .text(let end):
        let trimmed = trimmedVerbatimEnd(begin, end)
        extendText(from: begin, to: end, shownTo: end)
        leaf.end = trimmed
        leaf.trimmedEnd = trimmed
        cursor = end
      case .replacement(let end):
        commit()
        extendText(with: replacementCharacter, end: end)
        leaf.trimmedEnd = end
        cursor = end
      case .stop(let byte):
        guard let next = required(cursor + 1) else { return .hold }
        if isMathCloser(byte, next) {
          closeMath()
          return .done
        }
        readMathStop(byte, next)
      case .lineEnd:
        commit()
        endLine(at: cursor)
        return .done
      case .hold: return .hold
      }
      decided = cursor
    }
  }

  private static let bracketStops = TextStops("\\", hasSpans: false)
  private static let dollarStops = TextStops("\\$", hasSpans: false)

  private func isMathCloser(_ byte: UInt8, _ next: Int) -> Bool {
    leaf.isBracketMath
      ? byte == 0x5C && next == Int(UInt8(ascii: "]")) : byte == 0x24 && next == 0x24
  }

  /// White space at the line's start shows with what follows it, unless that is the closer or nothing but a
  /// close tag: then it goes with the line end. Returns whether the line has text; `nil` if more bytes decide.
  private mutating func startMathLine() -> Bool? {
    guard let (offset, column) = indentEnd() else { return nil }
    let byte = peek(offset)
    if byte == Peek.more { return nil }
    if byte == Peek.lineEnd {
      commit()
      if isTrueLineEnd(offset) && (offset < available || offset > cursor || leaf.isAfterLineEnd) {
        showIndent(to: offset, column: column)
        if leaf.isAfterLineEnd { extendText(with: EmptyCollection(), end: leaf.end) }
      }
      endLine(at: offset)
      return false
    }
    if byte == 0x24 && !leaf.isBracketMath || byte == 0x5C && leaf.isBracketMath {
      guard let next = required(offset + 1) else { return nil }
      if isMathCloser(UInt8(byte), next) {
        cursor = offset
        closeMath()
        return false
      }
    }
    commit()
    showIndent(to: offset, column: column)
    leaf.hasLineText = true
    return true
  }

  private mutating func showIndent(to offset: Int, column: Int) {
    let columns = columnsLeftOfTab()
    if columns > 0 {
      extendText(with: repeatElement(0x20, count: columns), end: leaf.end)
      advance(to: cursor + 1, column: line.column + columns)
    }
    if cursor < offset {
      extendText(with: input[cursor..<offset], end: leaf.end)
    }
    advance(to: offset, column: column)
  }

  /// A dollar that closes nothing, or a backslash and what it escapes.
  private mutating func readMathStop(_ byte: UInt8, _ next: Int) {
    commit()
    // What a backslash escapes belongs to it, if it is one well-formed byte; a dollar alone is text.
    let isPair = byte == 0x5C && next > 0 && next < 0x80
    let stop = cursor + (isPair ? 2 : 1)
    extendText(with: input[cursor..<stop], end: stop)
    leaf.trimmedEnd = trimmedVerbatimEnd(cursor, stop)
    leaf.end = leaf.trimmedEnd
    cursor = stop
  }

  private mutating func closeMath() {
    commit()
    let end = cursor + 2
    sealLeaf(end: end)
    cursor = end
    startLineAfterTag()
  }
}
