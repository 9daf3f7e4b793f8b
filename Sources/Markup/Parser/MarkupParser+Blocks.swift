// Opening and closing blocks: the only code that adds rows.

import ByteStorage

/// The open leaf block, or a leaf that is read but not shown yet.
struct Leaf {
  enum Kind {
    case none, paragraph, definition, heading, fencedCode, indentedCode, html, math, rawComponent, table
    case frontMatter
  }

  var kind = Kind.none
  /// The block's row; -1 while it is not shown.
  var row = -1
  var begin = 0
  /// Where its text begins in the shared text.
  var textStart = 0
  /// The offset after its last byte that is not trailing white space.
  var end = 0
  /// A line end comes before the next text.
  var isAfterLineEnd = false
  /// The next text is the first to show of its line, or of the block.
  var isFirstOfLine = true
  /// Its text, or the rest of it, is read but held.
  var isHidden = false
  /// When it is shown, its parent is seen to have a blank line between its children.
  var isSeparated = false

  // Paragraph and definition.
  /// The last line: where its text and its source begin.
  var lineTextStart = 0
  var lineBegin = 0
  /// The end of the line before, in text and in source.
  var earlierTextEnd = 0
  var earlierEnd = 0
  /// The end of the text that is not trailing white space.
  var textEnd = 0
  var definition = DefinitionScanner()
  /// A definition whose title may follow, or is being read: its end without the title, in text and in source.
  var definitionTextEnd = 0
  var definitionEnd = 0
  var titleTextStart = 0
  var titleBegin = 0

  // ATX heading.
  var headingHold = HeadingHold.start
  /// Where the last possible closing sequence ends.
  var closingEnd = 0
  /// Heading and cell: where the held white space, or closing sequence, begins; -1 if nothing is held.
  var heldBegin = -1

  // Fenced code.
  var fence: UInt8 = 0
  var fenceLength = 0
  var fenceIndent = 0
  /// Whether the block has had a line of content.
  var hasLine = false
  /// Whether anything of the current line has shown.
  var hasLineText = false
  /// Math and front matter: the offset after the last byte that is no white space.
  var trimmedEnd = 0

  // HTML: the type, 1 to 7, and whether the line met its end condition.
  var htmlType = 0
  var meetsHTMLEnd = false

  // Math: whether a `\[` opened it.
  var isBracketMath = false

  // Table.
  var table = -1
  var columns = 0
  /// The row being read, or -1; the offset after its last byte that is no white space.
  var tableRow = -1
  var tableRowEnd = 0
  /// The index of the cell being read or expected, and whether it has begun.
  var cell = 0
  var isInCell = false

  struct Substitution {
    /// Up to this place in the shared text…
    var text: Int
    /// …the source is so much longer than the text.
    var shift: Int
  }
}

extension MarkupParser {
  /// The key of a block that begins with a marker of its own.
  static var offsetKey: Block.Key { (.sourceOffset, 0, 0) }

  /// The next unkeyed name.
  mutating func unkeyedKey() -> Block.Key {
    unkeyedCount += 1
    return (.unkeyed, lastKeyed < 0 ? .max : UInt32(lastKeyed), UInt32(unkeyedCount))
  }

  /// The next repeat of a template key, which is encoded.
  mutating func templateKey(_ name: [UInt8]) -> Block.Key {
    let entry = repeats.count(name, in: &blocks)
    return (.template, entry.name, entry.count)
  }

  /// Shows a new block in the deepest open container, at `now`.
  mutating func openRow(
    _ type: BlockType, parent: Int? = nil, begin: Int, payload: Int = 0, flags: Block.Flags = [],
    textStart: Int? = nil, key: Block.Key
  ) -> Int {
    steps += 1
    let row = blocks.open(
      type, parent: parent ?? spine[spine.count - 1].row, begin: begin,
      textStart: textStart ?? blocks.text.count, payload: payload, flags: flags, key: key, at: now)
    if key.kind != .unkeyed {
      lastKeyed = row
      unkeyedCount = 0
    }
    return row
  }

  /// Closes what the line does not continue, and the leaf, since a new block follows; makes room for it in
  /// the deepest container. `isItem`: the block is a list item, which stays in a list of its kind.
  mutating func prepareForBlock(itemMarker: UInt8? = nil) {
    commit()
    closeUnmatched()
    closeLeaf()
    if spine[spine.count - 1].kind == .list && spine[spine.count - 1].marker != itemMarker {
      closeLastContainer()
    }
    line.matched = spine.count
    line.closableComponents = openComponents
  }

  /// Notes that the deepest container gets a child; returns whether a blank line separates it from the one
  /// before.
  mutating func noteChild() -> Bool {
    spine[spine.count - 1].noteChild(after: line.number - 1)
  }

  /// A blank line separates children of the deepest container: a list item and its list, or a list, is loose.
  mutating func spreadContainer() {
    var index = spine.count - 1
    if spine[index].kind == .listItem {
      spread(spine[index].row)
      index -= 1
    }
    if spine[index].kind == .list { spread(spine[index].row) }
  }

  private mutating func spread(_ row: Int) {
    guard !blocks.rows[row].flags.contains(.spread) else { return }
    blocks.rows[row].flags.insert(.spread)
    blocks.change(row, .spread, at: now)
  }

  /// Opens a container and enters it.
  mutating func push(_ container: Container) {
    var container = container
    let last = spine.count - 1
    container.components = spine[last].components
    container.directives = spine[last].directives
    if container.kind == .directive { container.directives += 1 }
    if container.kind == .component {
      container.components += 1
      openComponents += 1
    }
    noteRun(&container, after: last)
    spine.append(container)
    line.matched = spine.count
    line.closableComponents = openComponents
  }

  /// Notes where the run of components ends, or goes on, that the deepest container is in.
  @inline(__always)
  private mutating func noteRun(_ container: inout Container, after last: Int) {
    let isComponent = container.kind == .component
    container.runBegin = last + 1
    guard spine[last].kind == .component else { return }
    let begin = spine[last].runBegin
    if isComponent { container.runBegin = begin }
    spine[begin].runEnd = isComponent ? .max : last + 1
  }

  /// Closes the containers that the line does not continue.
  mutating func closeUnmatched() {
    guard line.matched < spine.count else { return }
    closeLeaf()
    while spine.count > line.matched { closeLastContainer() }
  }

  /// Seals the deepest container at `now`.
  ///
  /// - Precondition: its leaf is closed.
  mutating func closeLastContainer() {
    steps += 1
    let container = spine.removeLast()
    if container.kind == .component { openComponents -= 1 }
    blocks.seal(container.row, end: container.end, at: now)
    noteEnd(container.end)
  }

  /// The deepest container gets a child, at `now`.
  mutating func addChild() {
    if noteChild() { spreadContainer() }
  }

  /// The deepest container reaches at least to `end`.
  mutating func noteEnd(_ end: Int) {
    if spine[spine.count - 1].end < end { spine[spine.count - 1].end = end }
  }

  /// Shows a leaf that is complete at once.
  mutating func openSealedLeaf(_ type: BlockType, begin: Int, end: Int, payload: Int = 0) {
    addChild()
    let row = openRow(type, begin: begin, payload: payload, key: Self.offsetKey)
    blocks.seal(row, end: end, at: now)
    noteEnd(end)
  }

  /// Shows a leaf that stays open, and enters it.
  mutating func openLeaf(
    _ kind: Leaf.Kind, _ type: BlockType, begin: Int, end: Int, payload: Int = 0, flags: Block.Flags = [],
    key: Block.Key
  ) {
    addChild()
    leaf = Leaf()
    leaf.kind = kind
    leaf.begin = begin
    leaf.end = end
    leaf.trimmedEnd = end
    leaf.textStart = blocks.text.count
    leaf.textEnd = leaf.textStart
    leaf.row = openRow(type, begin: begin, payload: payload, flags: flags, key: key)
  }

  /// Seals the open leaf at `now`, if there is one.
  mutating func closeLeaf() {
    switch leaf.kind {
    case .none: return
    case .paragraph: closeParagraph()
    case .definition: closeDefinition()
    case .heading, .fencedCode, .html, .frontMatter, .rawComponent, .math: sealLeaf(end: leaf.end)
    case .indentedCode:
      dropText(after: leaf.textEnd)
      sealLeaf(end: leaf.end)
    case .table: closeTable()
    }
  }

  /// Seals the leaf's row and leaves it.
  mutating func sealLeaf(end: Int) {
    blocks.seal(leaf.row, end: end, at: now)
    noteEnd(end)
    leaf.kind = .none
  }
}
