import ByteStorage

extension BlockTable {
  /// A place between two blocks at top level: every block before it is sealed there, and none after it is shown.
  package struct Boundary: Sendable, Equatable {
    /// The number of blocks before it.
    package let blockCount: Int
    /// Where it is. If the byte before it is LF, then the parser stood at a line's start there, and held nothing.
    package let offset: ByteOffset
  }

  /// The last boundary at or before `offset`, or `nil` if there is none.
  ///
  /// The block before it is one that a line of its own ends, or a blank line: a paragraph, a heading, a fence or a
  /// thematic break. What other blocks leave undecided where they are sealed cannot be seen in a table.
  /// - Complexity: O(log `count` + blocks between the boundary and `offset`).
  package func boundary(through offset: ByteOffset) -> Boundary? {
    var next = count(at: offset)
    while next > 0 {
      let block = rows[next - 1]
      if block.parentRow < 0 && block.isSealed && block.endsWithLine && block.revision <= offset
        && (next == rows.count || rows[next].bornValue > block.revisionValue)
      {
        return Boundary(blockCount: next, offset: block.revision)
      }
      next -= 1
    }
    return nil
  }

  /// The table as it was at a boundary, in buffers of its own.
  ///
  /// - Complexity: O(blocks and text up to there).
  func prefix(to boundary: Boundary) -> BlockTable {
    var result = BlockTable()
    result.rows = rows.prefix(boundary.blockCount)
    var used = Used()
    for row in result.rows { used.note(row) }
    result.text = GrowingBytes(text.span.extracting(first: used.text))
    result.names = Array(names[..<used.names])
    result.codeInfos = Array(codeInfos[..<used.codeInfos])
    result.definitions = Array(definitions[..<used.definitions])
    result.footnotes = Array(footnotes[..<used.footnotes])
    result.components = Array(components[..<used.components])
    result.alignments = Array(alignments[..<used.alignments])
    result.strings = Array(strings[..<result.stringsEnd])
    result.growth = growth.prefix(at: boundary.offset.value)
    result.changes = Array(changes.prefix { $0.at <= UInt32(boundary.offset.value) })
    result.position = boundary.offset
    return result
  }

  /// How much of the shared buffers the first blocks have made use of.
  private struct Used {
    var text = 0
    var names = 0
    var codeInfos = 0
    var definitions = 0
    var footnotes = 0
    var components = 0
    var alignments = 0

    mutating func note(_ block: Block) {
      text = max(text, Int(block.textStart) + Int(block.textLength))
      if block.keyKind == .template { names = max(names, Int(block.keyValue) + 1) }
      let records = Int(block.payload) + 1
      switch block.type {
      case .code: if block.flags.contains(.fenced) { codeInfos = max(codeInfos, records) }
      case .definition: definitions = max(definitions, records)
      case .footnoteDefinition: footnotes = max(footnotes, records)
      case .component: components = max(components, records)
      case .table: alignments = max(alignments, records)
      case .paragraph, .heading, .thematicBreak, .blockquote, .list, .listItem, .tableRow, .tableCell, .html,
        .math, .yaml:
        break
      }
    }
  }

  /// The end of the strings that names and records are made of.
  private var stringsEnd: Int {
    var end = 0
    func note(_ range: Range<Int>?) { end = max(end, range?.upperBound ?? 0) }
    for name in names { note(name.range) }
    for info in codeInfos { [info.language, info.meta].forEach(note) }
    for definition in definitions {
      [definition.identifier, definition.label, definition.url, definition.title].forEach(note)
    }
    for footnote in footnotes { [footnote.identifier, footnote.label].forEach(note) }
    for component in components {
      [component.name, component.attributes].forEach(note)
    }
    for alignment in alignments { note(alignment.range) }
    return end
  }
}

extension Block {
  /// Whether a line of its own ends the block, or a blank line.
  fileprivate var endsWithLine: Bool {
    switch type {
    case .paragraph, .heading, .thematicBreak: true
    case .code: flags.contains(.fenced)
    case .blockquote, .list, .listItem, .table, .tableRow, .tableCell, .html, .math, .definition,
      .footnoteDefinition, .yaml, .component:
      false
    }
  }
}
