package import BlockDiff
import ByteStorage
package import Markup

// What snapshots and diffs say, read without a way over JSON: that the wire says the same is a test of the
// writer's.
extension WireMessage {
  /// Fills the message with the state that `table` shows.
  package mutating func read(snapshotOf table: borrowing BlockTable) {
    start(table)
    for row in 0..<table.count {
      let index = BlockIndex(row)
      let block = table[index]
      // A parent's ID is in the message, at its own row.
      appendOpen(index, block, of: table, parent: block.parent.map { ops[$0.row].id })
    }
  }

  /// Fills the message with what `ops` say.
  package mutating func read(_ ops: [BlockOp], of table: borrowing BlockTable) {
    start(table)
    for op in ops {
      switch op {
      case .open(let index):
        let block = table[index]
        appendOpen(index, block, of: table, parent: block.parent.map { storeID(of: $0, in: table) })
      case .append(let index, let from, let revision):
        var op = change(.append, index, of: table)
        let range = table.textRange(of: index)
        op.text = store(table.text.span.extracting((range.lowerBound + from)..<range.upperBound))
        op.revision = revision.value
        self.ops.append(op)
      case .set(let index, let changed, let revision):
        var op = change(.set, index, of: table)
        let start = bytes.count
        if changed.contains(.type) {
          op.type = table[index].type
          appendFields(of: index, in: table)
        }
        if changed.contains(.spread) { append(.spread, table.isSpread(index)) }
        if changed.contains(.title) { appendTitle(of: index, in: table) }
        op.fields = start..<bytes.count
        if changed.contains(.text) { op.text = store(table.text.span.extracting(table.textRange(of: index))) }
        op.revision = revision.value
        self.ops.append(op)
      case .seal(let index):
        var op = change(.seal, index, of: table)
        op.end = table[index].end?.value ?? -1
        op.revision = table[index].revision.value
        self.ops.append(op)
      case .finish: self.ops.append(WireOp(.finish))
      }
    }
  }

  private mutating func start(_ table: borrowing BlockTable) {
    removeAll()
    position = table.position.value
    pending = table.pending
    isFinished = table.isFinished
  }

  private mutating func change(_ kind: WireOp.Kind, _ index: BlockIndex, of table: borrowing BlockTable)
    -> WireOp
  {
    var op = WireOp(kind)
    op.id = storeID(of: index, in: table)
    return op
  }

  private mutating func storeID(of index: BlockIndex, in table: borrowing BlockTable) -> Range<Int> {
    let start = bytes.count
    table.appendID(of: index, to: &bytes)
    return start..<bytes.count
  }

  private mutating func store(_ text: borrowing Span<UInt8>) -> Range<Int> {
    let start = bytes.count
    bytes.append(copying: text)
    return start..<bytes.count
  }

  private mutating func appendOpen(
    _ index: BlockIndex, _ block: Block, of table: borrowing BlockTable, parent: Range<Int>?
  ) {
    var op = change(.open, index, of: table)
    op.type = block.type
    op.parent = parent
    let start = bytes.count
    appendFields(of: index, in: table)
    op.fields = start..<bytes.count
    op.begin = block.begin.value
    op.end = block.end?.value ?? -1
    op.revision = block.revision.value
    if block.hasText { op.text = store(table.text.span.extracting(table.textRange(of: index))) }
    ops.append(op)
  }

  // MARK: - Fields

  private mutating func appendFields(of index: BlockIndex, in table: borrowing BlockTable) {
    switch table[index].type {
    case .paragraph: if table[index].isDirectiveLabel { append(.directiveLabel, true) }
    case .thematicBreak, .tableCell, .html, .math, .yaml: break
    case .heading: FieldList.append(.depth, digit: UInt8(table.depth(of: index)), to: &bytes)
    case .code:
      append(.fenced, table.isFenced(index))
      let info = table.codeInfo(of: index)
      if let range = info.language { append(.lang, table.strings[range]) }
      if let range = info.meta { append(.meta, table.strings[range]) }
    case .blockquote:
      if let alert = table.alert(of: index) { append(.alert, alert.name.description.utf8) }
    case .list:
      append(.ordered, table.isOrdered(index))
      if let start = table.start(of: index) { append(.start, number: start) }
      append(.spread, table.isSpread(index))
    case .listItem:
      if let checked = table.checked(of: index) { append(.checked, checked) }
      append(.spread, table.isSpread(index))
    case .table: append(.align, table.strings[table.alignments(of: index)])
    case .tableRow: append(.header, table.isHeader(index))
    case .definition:
      let fields = table.definition(of: index)
      append(.identifier, table.strings[fields.identifier])
      append(.label, table.strings[fields.label])
      append(.url, table.strings[fields.url])
      appendTitle(of: index, in: table)
    case .footnoteDefinition:
      let fields = table.footnote(of: index)
      append(.identifier, table.strings[fields.identifier])
      append(.label, table.strings[fields.label])
    case .component: appendComponent(index, in: table)
    }
  }

  private mutating func appendTitle(of index: BlockIndex, in table: borrowing BlockTable) {
    if let title = table.definition(of: index).title { append(.title, table.strings[title]) }
  }

  private mutating func appendComponent(_ index: BlockIndex, in table: borrowing BlockTable) {
    let (name, content) = table.component(of: index)
    append(.name, table.strings[name])
    append(.content, content.name.description.utf8)
    for attribute in table.attributes(of: index) {
      append(.attribute, table.strings[attribute.name])
      if let value = attribute.value { append(.value, table.strings[value]) }
    }
  }

  private mutating func append(_ field: FieldName, _ flag: Bool) {
    FieldList.append(field, digit: flag ? 1 : 0, to: &bytes)
  }

  private mutating func append(_ field: FieldName, number: Int) {
    let place = FieldList.appendHeader(field, to: &bytes)
    bytes.appendDecimal(number)
    FieldList.close(place, in: &bytes)
  }

  private mutating func append(_ field: FieldName, _ value: some Collection<UInt8>) {
    let place = FieldList.appendHeader(field, to: &bytes)
    bytes.append(contentsOf: value)
    FieldList.close(place, in: &bytes)
  }
}
