package import Markup

/// How a snapshot shows the block tree (api.md §2, `shape`).
package enum SnapshotShape: String, Sendable, CaseIterable {
  /// One list in document order; blocks name their parents.
  case flat
  /// Blocks hold their children in `children`.
  case tree
  /// The Markdown syntax tree of the unified ecosystem, under `root`.
  case mdast
}

extension JSONWriter {
  /// Writes the table's state with its envelope.
  ///
  /// - Parameters:
  ///   - dialect: the dialect that the blocks were read in.
  ///   - envelope: the stream that it belongs to.
  /// - Complexity: O(bytes written); the depth of the tree costs a list on the heap, not stack.
  package mutating func write(
    snapshotOf table: borrowing BlockTable, shape: SnapshotShape = .flat, dialect: Dialect,
    in envelope: Envelope
  ) {
    var view = InlineView(dialect: dialect)
    write(snapshotOf: table, shape: shape, inlines: &view, as: .none, in: envelope)
  }

  /// Writes the table's state with its envelope, and with the inline content of its leaves.
  ///
  /// - Parameters:
  ///   - view: the stream's inline content, which is brought up to date where it is needed: for `output`, and for the
  ///     shape `mdast`, which shows it as children.
  ///   - output: what the shapes `flat` and `tree` show of it.
  package mutating func write(
    snapshotOf table: borrowing BlockTable, shape: SnapshotShape = .flat, inlines view: inout InlineView,
    as output: InlineOutput, in envelope: Envelope
  ) {
    if output.form != .none || shape == .mdast { view.update(to: table) }
    writeStream(envelope)
    write(.atField)
    write(envelope.lineage.token(at: table.position))
    write(.finishedAfterAt)
    write(table.isFinished)
    write(.pending)
    write(table.pending)
    write(.dialect)
    write(string: view.dialect.name)
    switch shape {
    case .flat:
      write(.blocks)
      for row in 0..<table.count {
        if row > 0 { write(UInt8(ascii: ",")) }
        write(block: BlockIndex(row), of: table, &view, output)
      }
      write(UInt8(ascii: "]"))
    case .tree:
      write(.blocks)
      writeTree(table, &view, output)
      write(UInt8(ascii: "]"))
    case .mdast:
      write(.root)
      write(mdastOf: table, &view)
    }
    write(UInt8(ascii: "}"))
  }

  /// Writes the block as an object of the flat shape.
  mutating func write(
    block index: BlockIndex, of table: borrowing BlockTable, _ view: inout InlineView, _ output: InlineOutput
  ) {
    write(.id)
    writeBody(of: index, in: table, isSnapshot: true)
    writeInlines(of: index, in: table, &view, output)
    write(UInt8(ascii: "}"))
  }

  private mutating func writeTree(
    _ table: borrowing BlockTable, _ view: inout InlineView, _ output: InlineOutput
  ) {
    // The blocks whose `children` are being written, outermost first.
    var open: [BlockIndex] = []
    for row in 0..<table.count {
      let index = BlockIndex(row)
      let block = table[index]
      while let last = open.last, last != block.parent {
        closeChildren()
        open.removeLast()
      }
      writeSeparator()
      if block.type.isContainer && !block.hasText {
        write(.id)
        writeBody(of: index, in: table, isSnapshot: true)
        write(.children)
        open.append(index)
      } else {
        write(block: index, of: table, &view, output)
      }
    }
    for _ in open { closeChildren() }
  }

  /// Ends an array of children and the object that holds it.
  mutating func closeChildren() {
    write(UInt8(ascii: "]"))
    write(UInt8(ascii: "}"))
  }

  /// Writes a comma unless the array that is open is still empty.
  mutating func writeSeparator() {
    if last != UInt8(ascii: "[") { write(UInt8(ascii: ",")) }
  }

  /// Writes one block, the IDs of its children and the source that it spans, for `?block=<id>`.
  ///
  /// - Parameters:
  ///   - view: the stream's inline content, for `output`.
  ///   - source: the source bytes from the block's `begin` to its `end`, or to the tail where it is open;
  ///     what is not well-formed UTF-8 in them shows as U+FFFD. `nil` leaves the field out.
  package mutating func write(
    viewOf index: BlockIndex, in table: borrowing BlockTable, source: [UInt8]?,
    inlines view: inout InlineView, as output: InlineOutput, envelope: Envelope
  ) {
    if output.form != .none { view.update(to: table) }
    writeStream(envelope)
    write(.atField)
    write(envelope.lineage.token(at: table.position))
    write(.blockAfterAt)
    write(block: index, of: table, &view, output)
    write(.childIDs)
    writeChildIDs(of: index, in: table)
    write(UInt8(ascii: "]"))
    if let source {
      write(.source)
      write(string: String(decoding: source, as: UTF8.self))
    }
    write(UInt8(ascii: "}"))
  }

  private mutating func writeChildIDs(of index: BlockIndex, in table: borrowing BlockTable) {
    var children: [BlockIndex] = []
    table.forEachChild(of: index) { children.append($0) }
    for child in children {
      writeSeparator()
      write(UInt8(ascii: "\""))
      write(id: child, of: table)
      write(UInt8(ascii: "\""))
    }
  }
}
