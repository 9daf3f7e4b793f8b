// Thematic breaks (CommonMark 0.31.2 §4.1). Held: the line, until it holds another byte or ends.

extension MarkupParser {
  mutating func startThematicBreak(_ start: BlockStart, _ bytes: ByteClass) -> Recognition {
    let mark = byte(at: start.offset)
    guard !isText(afterMark: mark, at: start.offset + 1) else { return .no }
    guard let end = runEnd(bytes, from: start.offset) else { return .hold }
    guard peek(end) == Peek.lineEnd else { return .no }
    var count = 0
    var offset = start.offset
    while offset < end && count < 3 {
      if byte(at: offset) == mark { count += 1 }
      offset += 1
    }
    guard count == 3 else { return .no }
    prepareForBlock()
    openSealedLeaf(.thematicBreak, begin: start.offset, end: input.trimmedEnd(start.offset, end))
    endLine(at: end)
    return .yes
  }

  /// Whether a space and something else follow the first mark, as in most list items.
  @inline(__always)
  private mutating func isText(afterMark mark: UInt8, at offset: Int) -> Bool {
    guard peek(offset) == 0x20 else { return false }
    let second = peek(offset + 1)
    return second > 0x20 && second != Int(mark)
  }
}
