import ByteStorage
import Markup

// The Markdown syntax tree as the unified ecosystem has it (mdast 5, with the GFM, math and front matter
// extensions). What it has no field for stands in `data`: the block's ID and revision, whether it is open, a quote's
// alert, and that a paragraph is a directive's label. A component, which it has no node for, is a node of type `component`.
extension JSONWriter {
  /// Writes the `root` node with all blocks below it.
  ///
  /// Leaves hold their inline content, in an open leaf as identity.md §8 shows it. The position of a block that is
  /// still open ends where the state's shown bytes end.
  mutating func write(mdastOf table: borrowing BlockTable, _ view: inout InlineView) {
    let length = table.isFinished ? table.position.value - 1 : table.position.value
    write(.mdastRoot)
    writePosition(from: 0, to: length)
    write(.children)
    var open: [BlockIndex] = []
    for row in 0..<table.count {
      let index = BlockIndex(row)
      while let last = open.last, last != table[index].parent {
        closeChildren()
        open.removeLast()
      }
      writeSeparator()
      if writeNode(index, of: table, shownEnd: length - table.pending, &view) { open.append(index) }
    }
    for _ in open { closeChildren() }
    closeChildren()
  }

  /// Writes one node; answers whether its `children` are left open.
  private mutating func writeNode(
    _ index: BlockIndex, of table: borrowing BlockTable, shownEnd: Int, _ view: inout InlineView
  ) -> Bool {
    let block = table[index]
    write(JSONFragment.mdastTypes[Int(block.type.rawValue)])
    switch block.type {
    case .code: writeInfo(of: index, in: table)
    case .blockquote, .tableRow, .paragraph: break
    case .heading, .thematicBreak, .list, .listItem, .table, .tableCell, .html, .math,
      .definition, .footnoteDefinition, .yaml, .component:
      writeTypeFields(of: index, in: table)
    }
    writeData(of: index, in: table)
    writePosition(from: block.begin.value, to: block.end?.value ?? max(shownEnd, block.begin.value))
    switch block.type {
    case .paragraph, .heading, .tableCell:
      write(.children)
      writePhrasing(of: index, in: table, &view)
      closeChildren()
      return false
    case .code, .html, .math, .yaml:
      writeValue(of: index, in: table)
      return false
    case .thematicBreak, .definition:
      write(UInt8(ascii: "}"))
      return false
    case .component:
      if block.hasText {
        writeValue(of: index, in: table)
        return false
      }
      write(.children)
      return true
    case .blockquote, .list, .listItem, .table, .tableRow, .footnoteDefinition:
      write(.children)
      return true
    }
  }

  private mutating func writeValue(of index: BlockIndex, in table: borrowing BlockTable) {
    write(.value)
    write(string: table.text.span.extracting(table.textRange(of: index)))
    write(UInt8(ascii: "}"))
  }

  private mutating func writeData(of index: BlockIndex, in table: borrowing BlockTable) {
    let block = table[index]
    write(.mdastData)
    write(id: index, of: table)
    write(UInt8(ascii: "\""))
    write(.rev)
    write(block.revision.value)
    if !block.isSealed { write(.open) }
    if block.type == .blockquote || block.type == .paragraph { writeTypeFields(of: index, in: table) }
    write(UInt8(ascii: "}"))
  }

  private mutating func writePosition(from begin: Int, to end: Int) {
    write(.mdastStart)
    write(begin)
    write(.mdastEnd)
    write(end)
    write(.mdastPositionClose)
  }
}

extension JSONFragment {
  static let mdastRoot: JSONFragment = #"{"type":"root""#
  static let mdastText: JSONFragment = #"{"type":"text","value":"#
  static let mdastData: JSONFragment = #","data":{"id":""#
  static let mdastStart: JSONFragment = #","position":{"start":{"offset":"#
  static let mdastEnd: JSONFragment = #"},"end":{"offset":"#
  static let mdastPositionClose: JSONFragment = "}}"
  /// `{"type":"…"` for each type, by raw value.
  static let mdastTypes: [JSONFragment] =
    BlockType.allCases.map { JSONFragment(#"{"type":"\#($0.name)""#.utf8) }
}
