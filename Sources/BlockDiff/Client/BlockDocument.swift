package import Markup

/// The reference client: an ordered list of blocks, kept up to date by diffs.
///
/// It checks every rule that identity.md §3 lets a client rely on, so a diff that breaks a promise is refused
/// by name. It is written to be read, and to judge the service: Foundation is not needed, the hot path is
/// elsewhere.
package struct BlockDocument: Equatable, Sendable {
  /// The blocks in document order.
  package private(set) var blocks: [DocumentBlock] = []
  /// Where the document stands.
  package private(set) var at: OffsetToken
  package private(set) var pending = 0
  package private(set) var isFinished = false
  /// The place of each block in `blocks`.
  private var places: [ByteString: Int] = [:]
  /// The places of the blocks that are open, in document order.
  private var open: [Int] = []

  /// An empty document at the start of a stream.
  package init(incarnation: UInt64 = 0) {
    at = OffsetToken(incarnation: incarnation, position: .zero)
  }

  /// A document as a snapshot shows it.
  package init(
    blocks: [DocumentBlock], at: OffsetToken, pending: Int, isFinished: Bool
  ) throws(BlockDocumentError) {
    self.at = at
    self.pending = pending
    self.isFinished = isFinished
    var all: Set<Int> = []
    for block in blocks {
      try add(block, sealedNow: all)
      all.insert(all.count)
      try checkRevision(block.id, block.revision, after: -1, to: at.position)
    }
    try checkOpenPath()
  }

  /// The state that `table` shows.
  package init(_ table: borrowing BlockTable, incarnation: UInt64 = 0) throws(BlockDocumentError) {
    var blocks: [DocumentBlock] = []
    blocks.reserveCapacity(table.count)
    for row in 0..<table.count { blocks.append(DocumentBlock(BlockIndex(row), of: table)) }
    try self.init(
      blocks: blocks, at: OffsetToken(incarnation: incarnation, position: table.position),
      pending: table.pending, isFinished: table.isFinished)
  }

  /// The block with the ID `id`.
  package subscript(id: ByteString) -> DocumentBlock? { places[id].map { blocks[$0] } }

  /// Documents are equal if they show the same state at the same position.
  package static func == (a: BlockDocument, b: BlockDocument) -> Bool {
    a.at == b.at && a.pending == b.pending && a.isFinished == b.isFinished && a.blocks == b.blocks
  }

  /// One op with all that it carries.
  package enum Operation: Equatable, Sendable {
    case open(DocumentBlock)
    case append(id: ByteString, text: ByteString, revision: Revision)
    case set(id: ByteString, Changes, revision: Revision)
    case seal(id: ByteString, end: ByteOffset, revision: Revision)
    case inlines(id: ByteString, InlineChange, revision: Revision)
    case finish
  }

  /// What an op `runs` or `html` says.
  package struct InlineChange: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
      /// The runs from `from` on are replaced.
      case runs(from: Int, [JSONValue])
      case html(ByteString)
      case addedHTML(ByteString)
    }

    package var content: Content
    /// Whether a definition is the reason: then the leaf may be sealed.
    package var isResolution: Bool
  }

  /// What a `set` says: only the fields that it names are not `nil`.
  package struct Changes: Equatable, Sendable {
    package var type: BlockType?
    package var fields = DocumentBlock.Fields()
    package var text: ByteString?

    package init(
      type: BlockType? = nil, fields: DocumentBlock.Fields = DocumentBlock.Fields(),
      text: ByteString? = nil
    ) {
      self.type = type
      self.fields = fields
      self.text = text
    }
  }

  /// A decoded diff.
  package struct Update: Equatable, Sendable {
    package var from: OffsetToken
    package var to: OffsetToken
    package var pending: Int
    package var operations: [Operation]

    package init(from: OffsetToken, to: OffsetToken, pending: Int, operations: [Operation]) {
      self.from = from
      self.to = to
      self.pending = pending
      self.operations = operations
    }
  }

  /// Applies a diff.
  ///
  /// - Throws: the first rule that the diff breaks. The document is then of no use: begin again from a
  ///   snapshot.
  package mutating func apply(_ update: Update) throws(BlockDocumentError) {
    guard update.from == at else { throw .wrongFrom(expected: at, found: update.from) }
    guard update.to >= at, update.to.incarnation == at.incarnation else { throw .wrongTo(update.to) }
    // From nothing to the state at 0, which can hold what is open from the start.
    let isFirst = blocks.isEmpty && update.to.position == .zero
    guard update.to > at || update.operations.isEmpty || isFirst else { throw .wrongTo(update.to) }
    guard !isFinished || update.to == at else { throw .afterFinish }
    // Sealing takes effect when the whole diff is applied.
    var sealedNow: Set<Int> = []
    for operation in update.operations {
      guard !isFinished else { throw .afterFinish }
      try apply(operation, update: update, sealedNow: &sealedNow)
    }
    try checkOpenPath()
    at = update.to
    pending = update.pending
  }

  private mutating func apply(
    _ operation: Operation, update: Update, sealedNow: inout Set<Int>
  ) throws(BlockDocumentError) {
    let since = at.position.value
    // A block's revision only rises, also from op to op.
    func checkNext(_ place: Int, _ revision: Revision) throws(BlockDocumentError) {
      guard revision >= blocks[place].revision else { throw .wrongRevision(blocks[place].id, revision) }
      try checkRevision(blocks[place].id, revision, after: since, to: update.to.position)
    }
    switch operation {
    case .open(let block):
      try checkRevision(block.id, block.revision, after: since, to: update.to.position)
      if try add(block, sealedNow: sealedNow) { sealedNow.insert(blocks.count - 1) }
    case .append(let id, let text, let revision):
      let place = try change(of: id, sealedNow)
      guard !text.utf8.isEmpty, blocks[place].text != nil else { throw .wrongText(id) }
      try checkNext(place, revision)
      blocks[place].text?.utf8.append(contentsOf: text.utf8)
      blocks[place].revision = revision
    case .set(let id, let changes, let revision):
      let place = try change(of: id, sealedNow)
      try checkNext(place, revision)
      try blocks[place].apply(changes)
      blocks[place].revision = revision
    case .seal(let id, let end, let revision):
      let place = try change(of: id, sealedNow)
      guard end >= blocks[place].begin else { throw .endBeforeBegin(id) }
      try checkNext(place, revision)
      blocks[place].end = end
      blocks[place].revision = revision
      sealedNow.insert(place)
      open.removeAll { $0 == place }
    case .inlines(let id, let change, let revision):
      try apply(change, to: id, revision, sealedNow)
    case .finish:
      isFinished = true
    }
  }

  /// Inline content follows the text: it changes with it, when the leaf is sealed, and when a definition comes.
  private mutating func apply(
    _ change: InlineChange, to id: ByteString, _ revision: Revision, _ sealedNow: Set<Int>
  ) throws(BlockDocumentError) {
    guard let place = places[id] else { throw .unknownID(id) }
    guard blocks[place].isOpen || sealedNow.contains(place) || change.isResolution else {
      throw .changeOfSealed(id)
    }
    guard revision == blocks[place].revision else { throw .wrongRevision(id, revision) }
    switch change.content {
    case .runs(let from, let new):
      let known = blocks[place].runs?.count ?? 0
      guard blocks[place].hasInlineContent, from <= known else { throw .wrongText(id) }
      blocks[place].runs = (blocks[place].runs ?? []).prefix(from) + new
    case .html(let html):
      guard blocks[place].hasInlineContent else { throw .wrongText(id) }
      blocks[place].html = html
    case .addedHTML(let html):
      guard blocks[place].html != nil, !html.utf8.isEmpty else { throw .wrongText(id) }
      blocks[place].html?.utf8.append(contentsOf: html.utf8)
    }
  }

  /// The place of a block that may be changed.
  private func change(of id: ByteString, _ sealedNow: Set<Int>) throws(BlockDocumentError) -> Int {
    guard let place = places[id] else { throw .unknownID(id) }
    guard blocks[place].isOpen else { throw .changeOfSealed(id) }
    return place
  }

  /// Adds a new block at the end; answers whether it is sealed.
  @discardableResult
  private mutating func add(
    _ block: DocumentBlock, sealedNow: Set<Int>
  ) throws(BlockDocumentError) -> Bool {
    guard places[block.id] == nil else { throw .repeatedID(block.id) }
    if let parent = block.parent {
      guard let place = places[parent] else { throw .unknownID(parent) }
      guard blocks[place].isOpen || sealedNow.contains(place) else { throw .openInSealed(block.id) }
      guard blocks[place].type.isContainer, blocks[place].text == nil else { throw .openInLeaf(block.id) }
      guard isOnRightmostPath(place) else { throw .openOffRightmostPath(block.id) }
    }
    guard (blocks.last?.begin ?? .zero) <= block.begin else { throw .beginOutOfOrder(block.id) }
    if let end = block.end, end < block.begin { throw .endBeforeBegin(block.id) }
    try block.checkFields()
    places[block.id] = blocks.count
    if block.isOpen { open.append(blocks.count) }
    blocks.append(block)
    return !block.isOpen
  }

  private func isOnRightmostPath(_ place: Int) -> Bool {
    var next = blocks.isEmpty ? nil : blocks.count - 1
    while let current = next {
      if current <= place { return current == place }
      next = blocks[current].parent.flatMap { places[$0] }
    }
    return false
  }

  private func checkRevision(
    _ id: ByteString, _ revision: Revision, after since: Int, to position: ByteOffset
  ) throws(BlockDocumentError) {
    guard revision.value > since || (since == 0 && revision == .zero), revision <= position else {
      throw .wrongRevision(id, revision)
    }
  }

  /// Open blocks are one path from the top, and its last one is an ancestor of the last block, or that
  /// block.
  private func checkOpenPath() throws(BlockDocumentError) {
    var outer: Int?
    for place in open {
      let parent = blocks[place].parent.flatMap { places[$0] }
      guard parent == outer else { throw .stillOpen(blocks[outer ?? place].id) }
      outer = place
    }
    if let outer, !isOnRightmostPath(outer) { throw .stillOpen(blocks[outer].id) }
    if isFinished, let outer { throw .stillOpen(blocks[outer].id) }
  }
}
