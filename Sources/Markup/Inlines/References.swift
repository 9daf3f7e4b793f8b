/// What references can be resolved to: the link reference definitions and footnote definitions of a stream so
/// far, by the identifier that labels match by. The first definition of a label counts.
package struct References: Sendable {
  var links: [[UInt8]: Int] = [:]
  var footnotes: [[UInt8]: Int] = [:]

  package init() {}

  /// The references of a table.
  ///
  /// - Complexity: O(blocks).
  package init(of table: borrowing BlockTable) {
    for row in table.rows.indices {
      let block = table.rows[row]
      switch block.type {
      case .definition:
        let fields = table.definitions[Int(block.payload)]
        let identifier = Array(table.strings[fields.identifier])
        if links[identifier] == nil { links[identifier] = Int(block.payload) }
      case .footnoteDefinition:
        let identifier = Array(table.strings[table.footnotes[Int(block.payload)].identifier])
        if footnotes[identifier] == nil { footnotes[identifier] = row }
      default: break
      }
    }
  }

  /// The row of the footnote definition with this label.
  package func footnote(labelled label: some Collection<UInt8>) -> BlockIndex? {
    guard !footnotes.isEmpty else { return nil }
    return footnotes[Label.identifier(Array(label))].map { BlockIndex($0) }
  }
}
