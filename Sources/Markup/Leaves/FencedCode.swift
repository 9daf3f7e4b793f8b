// Fenced code blocks (CommonMark 0.31.2 §4.5). Held: the opening line until its end; a prefix of a line that
// could be the closing fence; inside a contained component, a prefix of its close tag alone on a line.

extension MarkupParser {
  /// The fewest characters of a fence.
  private static let minFence = 3

  mutating func startFencedCode(_ start: BlockStart, fence: UInt8) -> Recognition {
    let isBacktick = fence == UInt8(ascii: "`")
    guard let fenceEnd = self.fenceEnd(fence, from: start.offset) else { return .hold }
    guard fenceEnd - start.offset >= Self.minFence else { return .no }
    // A close tag in the info string is part of it.
    let closable = line.closableComponents
    line.closableComponents = 0
    defer { line.closableComponents = closable }
    let infoEnd =
      isBacktick ? runEnd(.infoWithoutBacktick, from: fenceEnd) : runEnd(.info, from: fenceEnd)
    guard let lineEnd = infoEnd else { return .hold }
    guard peek(lineEnd) == Peek.lineEnd else { return .no }
    prepareForBlock()
    openFencedCode(start, fence: fence, fenceEnd: fenceEnd, lineEnd: lineEnd)
    return .yes
  }

  /// The end of a fence's characters. With a class that is a constant, a character is one comparison.
  private mutating func fenceEnd(_ fence: UInt8, from begin: Int) -> Int? {
    fence == UInt8(ascii: "`") ? runEnd(.backtick, from: begin) : runEnd(.tilde, from: begin)
  }

  private mutating func openFencedCode(_ start: BlockStart, fence: UInt8, fenceEnd: Int, lineEnd: Int) {
    let end = input.trimmedEnd(fenceEnd, lineEnd)
    setCodeInfo(fenceEnd..<end)
    openLeaf(
      .fencedCode, .code, begin: start.offset, end: end, payload: blocks.codeInfos.count - 1, flags: .fenced,
      key: Self.offsetKey)
    leaf.fence = fence
    leaf.fenceLength = fenceEnd - start.offset
    leaf.fenceIndent = start.indent
    endLine(at: lineEnd)
  }

  /// Makes the info string, its first word and the rest, the last of the table's: mostly it is that already.
  private mutating func setCodeInfo(_ range: Range<Int>) {
    let end = range.upperBound
    let begin = wordBegin(from: range.lowerBound, to: end)
    var languageEnd = begin
    while languageEnd < end && !ASCII.isSpaceOrTab(Int(byte(at: languageEnd))) { languageEnd += 1 }
    let language = begin..<languageEnd
    let meta = wordBegin(from: languageEnd, to: end)..<end
    if let last = blocks.codeInfos.last, input.isPlainInfo(begin..<end) {
      let strings = blocks.strings.span
      let isLast =
        input.holds(strings.extracting(last.language), at: language)
        && input.holds(strings.extracting(last.meta), at: meta)
      if isLast { return }
    }
    blocks.codeInfos.growByQuarter()
    blocks.codeInfos.append(CodeInfo(language: internInfo(language), meta: internInfo(meta)))
  }

  /// The first byte that is no white space, or `end`.
  @inline(__always)
  private func wordBegin(from begin: Int, to end: Int) -> Int {
    var begin = begin
    while begin < end && ASCII.isSpaceOrTab(Int(byte(at: begin))) { begin += 1 }
    return begin
  }

  /// A part of the info string, unescaped, in the table's strings.
  private mutating func internInfo(_ range: Range<Int>) -> Range<Int> {
    let source = input[range]
    if input.isPlainInfo(range) { return blocks.intern(source) }
    return blocks.intern(Escapes.removed(from: UTF8Text.repaired(Array(source))))
  }

  /// The line is the closing fence, a contained component's close tag, or content.
  mutating func matchFencedCode() -> Step {
    line.closableComponents = 0
    let (offset, column, byte) = fencePlace(from: cursor, column: line.column)
    if column - line.column < 4 {
      if byte == Peek.more { return .hold }
      if byte == Int(leaf.fence) {
        switch closingFence(at: offset) {
        case .yes: return .done
        case .hold: return .hold
        case .no: break
        }
      }
      if byte == UInt8(ascii: "<") && offset == cursor && column == line.column {
        switch endContained(at: offset) {
        case .yes: return .done
        case .hold: return .hold
        case .no: break
        }
      }
    }
    startVerbatimLine()
    if column > line.column { advanceColumns(min(leaf.fenceIndent, min(column - line.column, 3))) }
    return .done
  }

  /// Where a closing fence may stand: behind at most three columns of white space; where there are more, the column says
  /// so.
  @inline(__always)
  mutating func fencePlace(from begin: Int, column first: Int) -> (offset: Int, column: Int, byte: Int) {
    var offset = begin
    var column = first
    var byte = peek(offset)
    while column - first < 4 && ASCII.isSpaceOrTab(byte) {
      column += byte == 0x09 ? 4 - column % 4 : 1
      offset += 1
      if column - first < 4 { byte = peek(offset) }
    }
    return (offset, column, byte)
  }

  private mutating func closingFence(at begin: Int) -> Recognition {
    guard let end = fenceEnd(leaf.fence, from: begin) else { return .hold }
    guard end - begin >= leaf.fenceLength else { return .no }
    guard let lineEnd = runEnd(.space, from: end) else { return .hold }
    guard peek(lineEnd) == Peek.lineEnd else { return .no }
    commit()
    sealLeaf(end: end)
    endLine(at: lineEnd)
    return .yes
  }

  /// The close tag of a contained component alone on the line ends it, although a fence is open.
  private mutating func endContained(at offset: Int) -> Recognition {
    guard spine.contains(where: { $0.isContained }) else { return .no }
    switch closeTag(at: offset, onlyContained: true) {
    case .none: return .no
    case .undecided: return .hold
    case .tag(_, let end):
      guard let lineEnd = runEnd(.space, from: end) else { return .hold }
      guard peek(lineEnd) == Peek.lineEnd else { return .no }
      commit()
      closeComponent(at: offset, onlyContained: true)
      return .yes
    }
  }
}

extension InputBuffer {
  /// Whether bytes that have arrived are printable ASCII in which nothing can be escaped.
  fileprivate func isPlainInfo(_ range: Range<Int>) -> Bool {
    for offset in range {
      let byte = self[offset]
      if !ASCII.isPrintable(byte) || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&") { return false }
    }
    return true
  }
}
