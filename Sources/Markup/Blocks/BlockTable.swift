package import ByteStorage

/// The blocks of one stream so far, in document order: the state `T(P)` of identity.md §1.
///
/// Everything is a flat array, that of the rows in chunks. Rows are only ever added at the end and sealed; the text of
/// a leaf is a range of one shared buffer, since only the last leaf can grow. What changed when is kept beside the rows
/// (`born`, `revision`, `growth`, `changes`), so that the difference from any earlier offset can be computed
/// without a queue.
///
/// - Invariant: blocks that are open form one path: the last block's ancestors, itself included.
@usableFromInline
package struct BlockTable: Sendable {
  /// The rows, in document order.
  @usableFromInline var rows = RowList()
  /// The shared text of all leaves. What lies behind the last leaf's shown length is held, not shown; behind a table
  /// cell's may lie white space that belongs to none.
  package internal(set) var text = GrowingBytes()
  /// The shared bytes of names and field values.
  package internal(set) var strings: [UInt8] = []
  /// The distinct template keys, as ranges of `strings`.
  var names: [CompactRange] = []
  var codeInfos: [CodeInfo] = []
  var definitions: [DefinitionFields] = []
  var footnotes: [LabelFields] = []
  var components: [ComponentFields] = []
  /// The alignments of tables, as ranges of `strings`, one `ColumnAlignment` byte a column.
  var alignments: [CompactRange] = []
  /// How far the shared text had grown at which offset.
  var growth: TextGrowth
  /// The changes of fields other than growing text and sealing, by offset.
  var changes: [FieldChange] = []
  /// The number of bytes that no block shows yet.
  package internal(set) var pending = 0
  /// The position that the table describes: the source's length, plus 1 once finished.
  package internal(set) var position = ByteOffset.zero
  /// Whether the stream has been finished.
  package internal(set) var isFinished = false

  /// A table without blocks.
  ///
  /// - Parameter keepsHistory: whether the table will be asked what an earlier state showed. Else it costs less to
  ///   make, and `textLength(of:at:)` and `textRevision(of:since:)` may not be called.
  package init(keepsHistory: Bool = true) { growth = TextGrowth(isKept: keepsHistory) }

  /// The number of blocks.
  @inlinable package var count: Int { rows.count }

  /// The block at `index`.
  @inlinable
  package subscript(index: BlockIndex) -> Block {
    @inline(__always) get { rows[index.row] }
  }
}

extension BlockTable {
  /// The type of the block in a row.
  @inlinable package func type(ofRow row: Int) -> BlockType { rows[row].type }
}

/// A field that changed while its block was open, or a text that was replaced rather than extended.
struct FieldChange: Sendable {
  var at: UInt32
  var row: UInt32
  var fields: ChangedFields
}

/// Which of a block's fields changed.
package struct ChangedFields: OptionSet, Sendable, Hashable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The type, and with it the fields of the new type.
  package static let type = ChangedFields(rawValue: 1)
  package static let spread = ChangedFields(rawValue: 2)
  package static let title = ChangedFields(rawValue: 4)
  /// The whole text, which is then no extension of the earlier one.
  package static let text = ChangedFields(rawValue: 8)
}

extension BlockTable {
  /// The text of a leaf, as a range of `text`. Empty for blocks without text.
  @inlinable package func textRange(of index: BlockIndex) -> Range<Int> { rows[index.row].textRange }

  /// The depth of a heading, 1 to 6.
  @inlinable package func depth(of index: BlockIndex) -> Int { Int(rows[index.row].payload) }

  /// The alert of a block quote, if it is one.
  package func alert(of index: BlockIndex) -> Alert? { Alert(rawValue: UInt8(rows[index.row].payload)) }

  /// Whether a list is ordered.
  @inlinable package func isOrdered(_ index: BlockIndex) -> Bool { rows[index.row].flags.contains(.ordered) }

  /// The first number of an ordered list, else `nil`.
  @inlinable package func start(of index: BlockIndex) -> Int? {
    isOrdered(index) ? Int(rows[index.row].payload) : nil
  }

  /// Whether a list is loose, or a blank line lies between an item's own children.
  @inlinable package func isSpread(_ index: BlockIndex) -> Bool { rows[index.row].isSpread }

  /// Whether a task list item is checked; `nil` for other items.
  @inlinable package func checked(of index: BlockIndex) -> Bool? { rows[index.row].isChecked }

  /// Whether a table row is the header row.
  @inlinable package func isHeader(_ index: BlockIndex) -> Bool { rows[index.row].isHeader }

  /// Whether a code block is fenced.
  @inlinable package func isFenced(_ index: BlockIndex) -> Bool { rows[index.row].flags.contains(.fenced) }

  /// Whether a code block has a line, be it an empty one: `text` cannot tell.
  package func hasLines(_ index: BlockIndex) -> Bool {
    let block = rows[index.row]
    return block.flags.contains(.hasLines) || block.textLength > 0
  }

  /// A fenced code block's `lang` and `meta`, as ranges of `strings`; `nil` where absent.
  package func codeInfo(of index: BlockIndex) -> (language: Range<Int>?, meta: Range<Int>?) {
    let block = rows[index.row]
    guard block.flags.contains(.fenced) else { return (nil, nil) }
    let info = codeInfos[Int(block.payload)]
    return (info.language.isEmpty ? nil : info.language, info.meta.isEmpty ? nil : info.meta)
  }

  /// A table's columns, as a range of `strings` that holds one raw `ColumnAlignment` a column.
  package func alignments(of index: BlockIndex) -> Range<Int> {
    alignments[Int(rows[index.row].payload)].range
  }

  /// A definition's fields, as ranges of `strings`. `title` is `nil` where there is none.
  package func definition(of index: BlockIndex) -> (
    identifier: Range<Int>, label: Range<Int>, url: Range<Int>, title: Range<Int>?
  ) {
    let fields = definitions[Int(rows[index.row].payload)]
    return (fields.identifier, fields.label, fields.url, fields.title)
  }

  /// A footnote definition's fields, as ranges of `strings`.
  package func footnote(of index: BlockIndex) -> (identifier: Range<Int>, label: Range<Int>) {
    let fields = footnotes[Int(rows[index.row].payload)]
    return (fields.identifier, fields.label)
  }

  /// A component's name (a range of `strings`) and how its content is read.
  package func component(of index: BlockIndex) -> (name: Range<Int>, content: ComponentContent) {
    let fields = components[Int(rows[index.row].payload)]
    return (fields.name, fields.content)
  }

  /// A component's attributes in the order of the source, as ranges of `strings`. A value that is `nil` is
  /// `true`: the attribute was written without one.
  package func attributes(of index: BlockIndex) -> [(name: Range<Int>, value: Range<Int>?)] {
    ComponentAttributes.decoded(strings.span, in: components[Int(rows[index.row].payload)].attributes)
  }
}

// MARK: - Identity

extension BlockTable {
  /// What the block's ID is made of.
  package func key(of index: BlockIndex) -> BlockKey {
    let block = rows[index.row]
    return switch block.keyKind {
    case .sourceOffset: .sourceOffset
    case .template: .template(name: names[Int(block.keyValue)].range, repeatCount: Int(block.keyCount))
    case .unkeyed:
      .unkeyed(
        after: block.keyValue == .max ? nil : BlockIndex(Int(block.keyValue)), count: Int(block.keyCount))
    }
  }

  /// Appends the block's ID (identity.md §2) to `output`, as UTF-8.
  ///
  /// - Complexity: O(length of the ID).
  package func appendID(of index: BlockIndex, to output: inout [UInt8]) {
    let block = rows[index.row]
    switch block.keyKind {
    case .sourceOffset:
      output.append(UInt8(ascii: "e"))
      output.appendDecimal(Int(block.beginValue))
    case .template:
      output.append(contentsOf: strings[names[Int(block.keyValue)].range])
      if block.keyCount > 1 {
        output.append(UInt8(ascii: "#"))
        output.appendDecimal(Int(block.keyCount))
      }
    case .unkeyed:
      if block.keyValue == .max {
        output.append(contentsOf: [UInt8(ascii: "d"), UInt8(ascii: "o"), UInt8(ascii: "c")])
      } else {
        // The block before is keyed, so this goes one level deep.
        appendID(of: BlockIndex(Int(block.keyValue)), to: &output)
      }
      output.append(UInt8(ascii: "+"))
      output.appendDecimal(Int(block.keyCount))
    }
  }

  /// The block's ID as a string.
  package func id(of index: BlockIndex) -> String {
    var bytes: [UInt8] = []
    appendID(of: index, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

// MARK: - History

extension BlockTable {
  /// The number of blocks that the state at `offset` showed: those with a smaller index.
  ///
  /// - Complexity: O(log of the number of blocks since).
  package func count(at offset: ByteOffset) -> Int {
    var high = rows.count
    // Mostly few are newer, so they are looked for from the end, in steps that double.
    var step = 1
    while step <= high && rows[high - step].bornValue > UInt32(offset.value) {
      high -= step
      step *= 2
    }
    return (max(0, high - step)..<high).partitionPoint { rows[$0].bornValue <= UInt32(offset.value) }
  }

  /// The length that the text of a leaf had in the state at `offset`, at which the block was open.
  ///
  /// Only meaningful where the text was not replaced since (`changedFields(of:since:)` has no `.text`).
  /// - Complexity: O(log of the number of text lines).
  package func textLength(of index: BlockIndex, at offset: ByteOffset) -> Int {
    precondition(growth.isKept, "the table keeps no history")
    return growth.textLength(of: rows[index.row], at: offset.value, in: text)
  }

  /// The offset at which the text of a leaf that has only grown since `offset`, at which it was shorter, reached the length
  /// that it has.
  ///
  /// - Complexity: O(1) for what the last lines added, else O(log(bytes since) log(text lines)).
  package func textRevision(of index: BlockIndex, since offset: ByteOffset) -> Revision {
    precondition(growth.isKept, "the table keeps no history")
    let block = rows[index.row]
    if let reached = growth.offset(reaching: Int(block.textStart) + Int(block.textLength)),
      reached > offset.value
    {
      return Revision(min(reached, Int(block.revisionValue)))
    }
    let length = Int(block.textLength)
    let places = offset.value + 1..<max(offset.value + 1, Int(block.revisionValue))
    return Revision(places.partitionPoint { textLength(of: index, at: ByteOffset($0)) < length })
  }

  /// Whether any block's fields, other than growing text and sealing, changed after `offset`.
  package func hasChanges(since offset: ByteOffset) -> Bool {
    changes.last.map { $0.at > UInt32(offset.value) } ?? false
  }

  /// Calls `body` with each block that was shown at `offset` and whose fields, other than growing text and
  /// sealing, changed since, with these fields and the offset of that change. A block may come more than
  /// once; the changes come in the order in which they happened.
  ///
  /// - Complexity: O(log of all changes + those since).
  package func forEachChange(
    since offset: ByteOffset, _ body: (BlockIndex, ChangedFields, ByteOffset) -> Void
  ) {
    for change in changes[firstChange(after: offset)...]
    where rows[Int(change.row)].bornValue <= UInt32(offset.value) {
      body(BlockIndex(Int(change.row)), change.fields, ByteOffset(Int(change.at)))
    }
  }
}

extension BlockTable {
  /// Calls `body` with each field change after `offset`, also of blocks that were not there then, in the order in
  /// which they happened.
  ///
  /// - Complexity: O(log of all changes + those since).
  package func forEachChange(
    after offset: ByteOffset, _ body: (BlockIndex, ChangedFields, ByteOffset) -> Void
  ) {
    for change in changes[firstChange(after: offset)...] {
      body(BlockIndex(Int(change.row)), change.fields, ByteOffset(Int(change.at)))
    }
  }

  private func firstChange(after offset: ByteOffset) -> Int {
    changes.indices.partitionPoint { changes[$0].at <= UInt32(offset.value) }
  }
}
