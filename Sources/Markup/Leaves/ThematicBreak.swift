// Thematic breaks (CommonMark 0.31.2 §4.1). Held: the line, until it holds another byte or ends.

extension MarkupParser {
  mutating func startThematicBreak(_ start: BlockStart, _ bytes: ByteClass) -> Recognition {
    guard let end = runEnd(bytes, from: start.offset) else { return .hold }
    guard peek(end) == Peek.lineEnd else { return .no }
    let mark = byte(at: start.offset)
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
}
