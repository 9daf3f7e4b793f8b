/// What references can be resolved to: the link reference definitions and footnote definitions of a stream so
/// far, by the identifier that labels match by. The first definition of a label counts.
package struct References: Sendable {
  var links: [[UInt8]: Int] = [:]
  var footnotes: [[UInt8]: Footnote] = [:]

  /// A footnote definition: its row, and its label as it is written there.
  struct Footnote: Sendable {
    var row: Int
    var label: [UInt8]
  }

  package init() {}

  /// The references of a table.
  ///
  /// - Complexity: O(blocks), O(1) where there are no definitions.
  package init(of table: borrowing BlockTable) {
    if table.definitions.isEmpty && table.footnotes.isEmpty { return }
    for row in table.rows.indices {
      let type = table.type(ofRow: row)
      if type == .definition || type == .footnoteDefinition { _ = add(BlockIndex(row), of: table) }
    }
  }

  /// What a new definition is for.
  package enum Addition: Sendable, Equatable {
    case link(identifier: [UInt8])
    case footnote(identifier: [UInt8])
  }

  /// Adds the block, if it is a definition and the first of its label.
  package mutating func add(_ index: BlockIndex, of table: borrowing BlockTable) -> Addition? {
    let block = table.rows[index.row]
    switch block.type {
    case .definition:
      let identifier = Array(table.strings[table.definitions[Int(block.payload)].identifier])
      guard links[identifier] == nil else { return nil }
      links[identifier] = Int(block.payload)
      return .link(identifier: identifier)
    case .footnoteDefinition:
      let fields = table.footnotes[Int(block.payload)]
      let identifier = Array(table.strings[fields.identifier])
      guard footnotes[identifier] == nil else { return nil }
      footnotes[identifier] = Footnote(row: index.row, label: Array(table.strings[fields.label]))
      return .footnote(identifier: identifier)
    default: return nil
    }
  }

  /// Whether the block is the definition that counts for its label.
  package func isFirst(_ index: BlockIndex, of table: borrowing BlockTable) -> Bool {
    let block = table.rows[index.row]
    guard block.type == .definition else { return false }
    return links[Array(table.strings[table.definitions[Int(block.payload)].identifier])] == Int(block.payload)
  }

  /// The row of the footnote definition with this label.
  package func footnote(labelled label: some Collection<UInt8>) -> BlockIndex? {
    definition(ofFootnote: label).map { BlockIndex($0.row) }
  }

  /// The label that the definition of this footnote has.
  package func footnoteLabel(matching label: some Collection<UInt8>) -> [UInt8]? {
    definition(ofFootnote: label)?.label
  }

  private func definition(ofFootnote label: some Collection<UInt8>) -> Footnote? {
    footnotes.isEmpty ? nil : footnotes[Label.identifier(Array(label))]
  }

  /// The form by which labels match (CommonMark 0.31.2 §6.3).
  package static func identifier(ofLabel label: some Collection<UInt8>) -> [UInt8] {
    Label.identifier(Array(label))
  }
}
