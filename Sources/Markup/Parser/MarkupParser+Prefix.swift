extension MarkupParser {
  /// A parser that stands where this one stood at a boundary of its table, before which the source has a line end
  /// that is LF. Both go on by themselves.
  ///
  /// At a line's start with nothing open and nothing held, all there is to know is in the table.
  /// - Complexity: O(blocks and text up to there).
  package borrowing func prefix(to boundary: BlockTable.Boundary) -> MarkupParser {
    let offset = boundary.offset.value
    var result = MarkupParser(grammar)
    result.blocks = blocks.prefix(to: boundary)
    result.input = InputBuffer(from: offset)
    result.cursor = offset
    result.decided = offset
    result.now = offset
    result.phase = .lineStart
    var document = Container(kind: .document, row: -1)
    document.hasChild = true
    result.spine = [document]
    result.openComponents = 0
    let last = blocks.rows[boundary.blockCount - 1]
    if last.keyKind == .unkeyed {
      result.lastKeyed = last.keyValue == .max ? -1 : Int(last.keyValue)
      result.unkeyedCount = Int(last.keyCount)
    } else {
      result.lastKeyed = boundary.blockCount - 1
      result.unkeyedCount = 0
    }
    result.repeats = TemplateRepeats(of: result.blocks)
    return result
  }
}
