import ByteStorage
import Markup

// Leaves' content, made from the settled parts on.
extension InlineView {
  /// Runs the stages that a leaf's text has by now.
  mutating func advance(_ stages: inout LeafStages, to length: Int, _ table: borrowing BlockTable) {
    let count = LeafStages.count(of: length)
    guard stages.checkpoints.count <= count else { return }
    let leaf = leafText(BlockIndex(stages.row), table, .safe)
    let text = table.text.span.extracting(table.textRange(of: BlockIndex(stages.row)))
    while stages.checkpoints.count <= count {
      let number = stages.checkpoints.count
      parse(text, stage: number, of: stages, table)
      scratch.removeAll()
      var numbering = FootnoteNumbering(known: numbers, added: stages.footnotes)
      scratch.append(parser.content, 0..<parser.content.settledEvents, of: leaf, &numbering)
      stages.add(
        parser.content, runs: scratch.runs.count, footnotes: numbering.added.dropFirst(stages.footnotes.count)
      )
    }
  }

  private mutating func parse(
    _ text: borrowing Span<UInt8>, stage number: Int, of stages: LeafStages, _ table: borrowing BlockTable
  ) {
    parser.parse(
      text.extracting(0..<LeafStages.end(ofStage: number, in: text)),
      from: Int(stages.checkpoints[number - 1].end), ending: LeafStages.ending(ofStage: number),
      references: references, table: table)
  }

  mutating func leafText(
    _ index: BlockIndex, _ table: borrowing BlockTable, _ policy: HTMLOptions
  ) -> LeafText {
    if leafID.row != index.row {
      leafID.row = index.row
      leafID.bytes.removeAll(keepingCapacity: true)
      table.appendID(of: index, to: &leafID.bytes)
    }
    return LeafText(
      bytes: table.text, base: table.textRange(of: index).lowerBound, references: references,
      policy: policy, id: leafID.bytes)
  }

  /// The stages of a leaf: those that are kept, or anew from its text.
  private mutating func stages(of index: BlockIndex, _ table: borrowing BlockTable) -> LeafStages {
    if let current, current.row == index.row { return current }
    if let previous, previous.row == index.row { return previous }
    var stages = LeafStages(row: index.row)
    advance(&stages, to: table.textRange(of: index).count, table)
    return stages
  }

  /// Writes what follows a checkpoint of a leaf whose text is `length` bytes long.
  private mutating func write(
    _ stages: LeafStages, from checkpoint: Int, length: Int, isSealed: Bool, _ table: borrowing BlockTable,
    _ policy: HTMLOptions, to sink: inout some InlineSink
  ) {
    let index = BlockIndex(stages.row)
    let text = table.text.span.extracting(table.textRange(of: index))
    let leaf = leafText(index, table, policy)
    let first = Int(stages.checkpoints[checkpoint].footnotes)
    var numbering = FootnoteNumbering(known: numbers, added: stages.footnotes.prefix(first))
    var last = LeafStages.count(of: length)
    if isSealed, let givenUpAt = stages.givenUpAt { last = min(last, givenUpAt) }
    for number in checkpoint..<max(checkpoint, last) {
      parse(text, stage: number + 1, of: stages, table)
      sink.append(parser.content, 0..<parser.content.settledEvents, of: leaf, &numbering)
    }
    parser.parse(
      text.extracting(0..<length), from: Int(stages.checkpoints[last].end),
      ending: isSealed ? .final : .open(givingUpBefore: 0), references: references, table: table)
    sink.append(parser.content, 0..<parser.content.events.count, of: leaf, &numbering)
  }

  /// Writes the whole content of a leaf.
  ///
  /// - Complexity: O(text).
  mutating func write(
    _ index: BlockIndex, of table: borrowing BlockTable, policy: HTMLOptions, to sink: inout some InlineSink
  ) {
    write(
      stages(of: index, table), from: 0, length: table.textRange(of: index).count,
      isSealed: table[index].isSealed, table, policy, to: &sink)
  }

  /// Parses a leaf's text as a whole; the result is `parser.content`.
  ///
  /// - Complexity: O(text).
  mutating func parse(_ index: BlockIndex, of table: borrowing BlockTable) {
    parser.parse(
      table.text.span.extracting(table.textRange(of: index)),
      ending: table[index].isSealed ? .final : .open(givingUpBefore: 0), references: references, table: table)
  }

  /// What has changed in a leaf's content since its text was `length` bytes long, at the position `from`: the content
  /// then and now, both from the same place on, and the number of runs before that.
  ///
  /// - Complexity: O(text since), with the reach of the stages as the least, where the leaf is the last one or the
  ///   one before; else O(text).
  mutating func write<Sink: InlineSink>(
    changesOf index: BlockIndex, since length: Int, at from: ByteOffset, of table: borrowing BlockTable,
    policy: HTMLOptions, to shown: inout ShownContent<Sink>
  ) -> (runs: Int, state: ShownContent<Sink>.State?) {
    let stages = stages(of: index, table)
    let isSealed = table[index].isSealed
    var checkpoint = min(LeafStages.count(of: length), stages.checkpoints.count - 1)
    if isSealed, let givenUpAt = stages.givenUpAt { checkpoint = min(checkpoint, givenUpAt) }
    var state = ShownContent<Sink>.State(
      row: index.row, length: length, position: from, checkpoint: checkpoint, version: version, policy: policy
    )
    if !shown.begin(state) {
      write(stages, from: checkpoint, length: length, isSealed: false, table, policy, to: &shown.old)
    }
    state.length = table.textRange(of: index).count
    state.position = table.position
    write(stages, from: checkpoint, length: state.length, isSealed: isSealed, table, policy, to: &shown.new)
    return (Int(stages.checkpoints[checkpoint].runs), isSealed ? nil : state)
  }
}
