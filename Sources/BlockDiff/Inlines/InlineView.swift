import ByteStorage
package import Markup

/// The inline content of one stream's leaves: what a view with `inline=runs` or `inline=html` needs beside the table.
///
/// It follows a table that grows. Of the leaf that is open it knows how far the content is settled (`LeafStages`); of
/// the sealed ones only which labels they wait for. Runs and HTML are made when they are asked for, as diffs are.
package struct InlineView: Sendable {
  let dialect: Dialect
  var parser: InlineParser
  var references = References()
  /// The numbers of the footnotes that are referred to, by the definition's row.
  var numbers: [Int: Int] = [:]
  /// The leaves that got other content when a definition came, by the offset at which it did.
  private(set) var resolutions: [Resolution] = []
  /// The leaf that was open last, and the one before it, behind which readers may still stand.
  var current: LeafStages?
  var previous: LeafStages?
  /// Runs that are only counted.
  var scratch = InlineRuns()
  /// What the last diff showed.
  var shownRuns = ShownContent(InlineRuns())
  var shownHTML: ShownContent<InlineHTML>?
  /// Grows whenever a leaf's content may become another without its text: with definitions, titles, notes' numbers.
  private(set) var version = 0
  /// The ID of a leaf, and its row.
  var leafID: (row: Int, bytes: [UInt8]) = (-1, [])

  /// Everything before this row is done with.
  private var nextRow = 0
  private var position = ByteOffset.zero
  private var isFinished = false
  /// The leaves that wait for a definition, by the label's identifier, in document order.
  private var waitingForLinks: [[UInt8]: [Int]] = [:]
  private var waitingForNotes: [[UInt8]: [Int]] = [:]
  /// The leaves with too many labels, which are looked at again at the finish.
  private var overfull: [Int] = []

  /// The most labels that one leaf waits for before the stream is finished: each may make it be read once more.
  private static let maxWaitingLabels = 64

  struct Resolution: Sendable {
    var at: Int
    var row: Int
  }

  package init(dialect: Dialect) {
    self.dialect = dialect
    parser = InlineParser(dialect: dialect)
  }

  /// Takes in what the table has become since the last time.
  ///
  /// - Parameter table: the stream's table, the same as before but for what was appended.
  /// - Complexity: O(text that was added), and O(length of a leaf) where that is sealed and held something that had
  ///   been open for long.
  package mutating func update(to table: borrowing BlockTable) {
    guard table.position > position || table.count > nextRow else { return }
    let titled = titledDefinitions(of: table)
    if !titled.isEmpty { version += 1 }
    while nextRow < table.count {
      let index = BlockIndex(nextRow)
      let block = table[index]
      if block.hasInlineContent {
        guard update(index, block, table) else { break }
      } else {
        if current?.row == nextRow { current = nil }
        if block.type == .definition || block.type == .footnoteDefinition {
          if let addition = references.add(index, of: table) {
            version += 1
            resolve(addition, index, at: shownAt(index, table), table)
          }
          if block.type == .definition && !block.isSealed { break }
        }
      }
      nextRow += 1
    }
    for (index, offset) in titled where references.isFirst(index, of: table) {
      let identifier = Array(table.strings[table.definition(of: index).identifier])
      resolve(waitingForLinks[identifier] ?? [], at: offset)
    }
    if table.isFinished && !isFinished {
      isFinished = true
      resolve(overfull, at: table.position.value)
    }
    position = table.position
  }

  /// The definitions whose title was set after they had shown, since the last time.
  private func titledDefinitions(of table: borrowing BlockTable) -> [(BlockIndex, Int)] {
    var result: [(BlockIndex, Int)] = []
    table.forEachChange(after: position) { index, fields, offset in
      if fields.contains(.title) { result.append((index, offset.value)) }
    }
    return result
  }

  /// Where a definition became one.
  private func shownAt(_ index: BlockIndex, _ table: borrowing BlockTable) -> Int {
    var result = table[index].born.value
    table.forEachChange(after: position) { changed, fields, offset in
      if changed == index && fields.contains(.type) { result = offset.value }
    }
    return result
  }

  // MARK: - Leaves

  /// Takes in a leaf; whether it is sealed, and thus done with.
  private mutating func update(_ index: BlockIndex, _ block: Block, _ table: borrowing BlockTable) -> Bool {
    // Taken out and not copied, so that it can be changed where it is.
    let known = current
    current = nil
    if let known, known.row != index.row { previous = known }
    var stages = known.flatMap { $0.row == index.row ? $0 : nil } ?? LeafStages(row: index.row)
    let range = table.textRange(of: index)
    stages.cut(to: range.count)
    advance(&stages, to: range.count, table)
    guard block.isSealed else {
      current = stages
      return false
    }
    seal(stages, table)
    previous = stages
    current = nil
    return true
  }

  /// Numbers the notes that a sealed leaf refers to, and has it wait for the labels that nothing defines.
  private mutating func seal(_ stages: LeafStages, _ table: borrowing BlockTable) {
    let index = BlockIndex(stages.row)
    let range = table.textRange(of: index)
    // What was taken as text for being open too long may hold others.
    let isWhole = stages.givenUpAt != nil
    let begin = isWhole ? 0 : Int(stages.checkpoints[stages.checkpoints.count - 1].end)
    parser.parse(
      table.text.span.extracting(range), from: begin, references: references, table: table)
    let labels = (isWhole ? [] : stages.waiting) + parser.content.waiting
    if !isWhole { for note in stages.footnotes { number(note) } }
    for event in parser.content.events where event.kind == .footnoteReference {
      let label = event.range.lowerBound + range.lowerBound..<event.range.upperBound + range.lowerBound
      if let note = references.footnote(labelled: table.text[label]) { number(note.row) }
    }
    wait(index.row, for: labels, table.text, at: range.lowerBound)
  }

  private mutating func number(_ note: Int) {
    guard numbers[note] == nil else { return }
    numbers[note] = numbers.count + 1
    version += 1
  }

  private mutating func wait(_ row: Int, for labels: [WaitingLabel], _ text: GrowingBytes, at base: Int) {
    guard !labels.isEmpty else { return }
    if labels.count > Self.maxWaitingLabels { overfull.append(row) }
    for label in labels.prefix(Self.maxWaitingLabels) {
      let range = label.range.lowerBound + base..<label.range.upperBound + base
      let identifier = References.identifier(ofLabel: text[range])
      guard !identifier.isEmpty else { continue }
      func add(_ rows: inout [Int]) { if rows.last != row { rows.append(row) } }
      if label.isFootnote {
        add(&waitingForNotes[identifier, default: []])
      } else {
        add(&waitingForLinks[identifier, default: []])
      }
    }
  }

  // MARK: - Definitions

  private mutating func resolve(
    _ addition: References.Addition, _ index: BlockIndex, at offset: Int, _ table: borrowing BlockTable
  ) {
    switch addition {
    case .link(let identifier): resolve(waitingForLinks[identifier] ?? [], at: offset)
    case .footnote(let identifier):
      guard let rows = waitingForNotes.removeValue(forKey: identifier) else { return }
      number(index.row)
      resolve(rows, at: offset)
    }
  }

  private mutating func resolve(_ rows: [Int], at offset: Int) {
    for row in rows {
      resolutions.append(Resolution(at: offset, row: row))
      // What was settled without the definition is not what is settled with it.
      if previous?.row == row { previous = nil }
    }
  }

  /// The leaves that got other content after `offset`, of those that were there then, in document order.
  func resolved(after offset: ByteOffset, known: Int) -> [BlockIndex] {
    let first = resolutions.indices.partitionPoint { resolutions[$0].at <= offset.value }
    if first == resolutions.count { return [] }
    let rows = Set(resolutions[first...].lazy.map(\.row).filter { $0 < known })
    return rows.sorted().map { BlockIndex($0) }
  }
}
