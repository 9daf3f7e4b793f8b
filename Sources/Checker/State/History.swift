import Markup

/// A client's state at every offset of one stream, as the stream's diffs gave it.
///
/// Texts are kept as hashes and blocks as versions, so that a state is compared by one number and any earlier
/// state is at hand: a document costs about 50 bytes for each of its own.
struct History {
  private(set) var blocks: [BlockHistory] = []
  private(set) var ids: [UInt8] = []
  private(set) var fieldSets: [[UInt8]] = []
  /// The offsets whose states are known, in order.
  private(set) var offsets: [Int] = []
  /// What is known of the state at each offset; the last one is that after `finish`.
  private(set) var states: [State]
  /// The number of `set`s that changed a block's type.
  private(set) var retypes = 0
  /// The rows of blocks that are open, outermost first.
  private(set) var open: [Int] = []
  private(set) var isFinished = false
  private var places: [UInt64: Int] = [:]
  /// The text of the last block that has any: only it can change.
  private var lastText: [UInt8] = []
  private var trial = 0

  struct State {
    var isKnown = false
    var digest: UInt64 = 0
    var count: Int32 = 0
    var pending: Int32 = 0
  }

  init(sourceLength: Int) {
    states = Array(repeating: State(), count: sourceLength + 2)
  }

  func id(of row: Int) -> String { String(decoding: ids[blocks[row].id], as: UTF8.self) }

  // MARK: - The stream's own diffs

  /// Applies the diff from the last known offset (from nothing, if there is none) and keeps the state that it
  /// gives.
  ///
  /// - Throws: the first rule of identity.md §3 that the diff breaks.
  mutating func apply(_ message: borrowing WireMessage) throws(CheckStop) {
    let to = message.position
    let from = offsets.last ?? -1
    var digest = offsets.last.map { states[$0].digest } ?? 0
    let oldCount = blocks.count
    var hasSealed = false
    for place in message.ops.indices {
      let op = message.ops[place]
      if isFinished { throw Self.broken(.replay, message, op, "comes after the finish") }
      switch op.kind {
      case .open:
        digest &+= try add(op, message, from: from)
      case .append, .set, .seal:
        let row = try row(of: op, message, below: oldCount)
        let old = blocks[row].versions[blocks[row].versions.count - 1]
        if op.kind != .seal { try trackText(row, op, message, old) }
        var new = try changed(old, row: row, by: op, message, from: from)
        if op.type != nil { retypes += 1 }
        if op.kind == .seal {
          hasSealed = true
          open.removeAll { $0 == row }
        }
        new.at = Int32(truncatingIfNeeded: to)
        digest = digest &- old.digest &+ new.digest
        if Int(old.at) == to {
          blocks[row].versions[blocks[row].versions.count - 1] = new
        } else {
          blocks[row].versions.append(new)
        }
      case .finish: isFinished = true
      }
    }
    if hasSealed || blocks.count > oldCount || isFinished { try checkOpenPath(message) }
    offsets.append(to)
    states[to] = State(
      isKnown: true, digest: digest, count: Int32(truncatingIfNeeded: blocks.count),
      pending: Int32(truncatingIfNeeded: message.pending))
  }

  private mutating func add(
    _ op: WireOp, _ message: borrowing WireMessage, from: Int
  ) throws(CheckStop) -> UInt64 {
    let bytes = message.bytes.span
    let idHash = TextHash(bytes.extracting(op.id))
    if places[idHash.value] != nil {
      throw Self.broken(.uniqueness, message, op, "has the ID of another block")
    }
    var parent = -1
    var parentHash: TextHash?
    if let range = op.parent {
      let hash = TextHash(bytes.extracting(range))
      guard let row = places[hash.value] else {
        throw Self.broken(.replay, message, op, "has a parent that is not there")
      }
      (parent, parentHash) = (row, hash)
      try checkParent(row, of: op, message)
    }
    if let last = blocks.last, op.begin < last.begin {
      throw Self.broken(
        .permanence, message, op, "begins before the block that precedes it, at \(last.begin)")
    }
    if op.end >= 0 && op.end < op.begin { throw Self.broken(.replay, message, op, "ends before it begins") }
    try checkRevision(op, message, from: from, earlier: -1)
    guard op.type != nil else { throw Self.broken(.replay, message, op, "has no type") }
    let row = blocks.count
    var version = BlockVersion(
      opened: op, in: bytes, fields: store(Array(message.bytes[op.fields])), at: message.position)
    let identity = BlockDigest.identity(row: row, id: idHash, parent: parentHash, begin: op.begin)
    version.digest = BlockDigest.block(identity, version)
    let start = ids.count
    ids.append(contentsOf: message.bytes[op.id])
    places[idHash.value] = row
    if version.isOpen { open.append(row) }
    if let text = op.text {
      lastText.removeAll(keepingCapacity: true)
      lastText.append(contentsOf: message.bytes[text])
    }
    blocks.append(
      BlockHistory(
        id: start..<ids.count, idHash: idHash, parent: parent, begin: op.begin, identity: identity,
        versions: [version], draft: version))
    return version.digest
  }

  private func checkParent(
    _ row: Int, of op: WireOp, _ message: borrowing WireMessage
  ) throws(CheckStop) {
    let parent = blocks[row].versions[blocks[row].versions.count - 1]
    // Sealing takes effect when the whole diff is applied.
    if !parent.isOpen && Int(parent.at) < message.position {
      throw Self.broken(.sealing, message, op, "appears in a sealed block")
    }
    if !parent.type.isContainer || parent.textLength >= 0 {
      throw Self.broken(.replay, message, op, "appears in a leaf")
    }
    var last = blocks.count - 1
    while last > row { last = blocks[last].parent }
    if last != row { throw Self.broken(.permanence, message, op, "is not the last block of the document") }
  }

  /// A text that is replaced is the old one with lines more or less: no ID is given to other content.
  private mutating func trackText(
    _ row: Int, _ op: WireOp, _ message: borrowing WireMessage, _ old: BlockVersion
  ) throws(CheckStop) {
    guard let text = op.text else { return }
    let new = message.bytes[text]
    if op.kind == .append { return lastText.append(contentsOf: new) }
    if old.isOpen && Int(old.textLength) == lastText.count {
      let common = min(lastText.count, new.count)
      guard lastText.prefix(common) == new.prefix(common) else {
        throw Self.broken(.permanence, message, op, "gives other text to an earlier block")
      }
    }
    lastText = Array(new)
  }

  /// Open blocks are one path from the top, down to an ancestor of the last block or that block.
  private func checkOpenPath(_ message: borrowing WireMessage) throws(CheckStop) {
    if isFinished, let row = open.first {
      throw .violated(
        Violation(.sealing, at: message.position, id: id(of: row), "is open though the stream is finished"))
    }
    var outer = -1
    for row in open {
      if blocks[row].parent != outer {
        let left = outer < 0 ? row : outer
        throw .violated(
          Violation(.sealing, at: message.position, id: id(of: left), "was left and is still open"))
      }
      outer = row
    }
    var last = blocks.count - 1
    while last > outer { last = blocks[last].parent }
    if outer >= 0 && last != outer {
      throw .violated(
        Violation(.sealing, at: message.position, id: id(of: outer), "was left and is still open"))
    }
  }

  // MARK: - Other diffs

  /// The digest and the number of blocks that the diff in `message` makes of the state at `from` (nothing, if
  /// that is `nil`), which are kept nowhere.
  ///
  /// - Complexity: O(ops log(versions of a block) + bytes of text).
  mutating func trying(
    _ message: borrowing WireMessage, from: Int?
  ) throws(CheckStop) -> (digest: UInt64, count: Int) {
    trial += 1
    var digest = from.map { states[$0].digest } ?? 0
    let known = from.map { Int(states[$0].count) } ?? 0
    var count = known
    let bytes = message.bytes.span
    for place in message.ops.indices {
      let op = message.ops[place]
      switch op.kind {
      case .open:
        let identity = BlockDigest.identity(
          row: count, id: TextHash(bytes.extracting(op.id)),
          parent: op.parent.map { TextHash(bytes.extracting($0)) }, begin: op.begin)
        let version = BlockVersion(opened: op, in: bytes, fields: 0, at: message.position)
        digest &+= BlockDigest.block(identity, version)
        count += 1
      case .append, .set, .seal:
        let row = try row(of: op, message, below: known)
        let old = blocks[row].trial == trial ? blocks[row].draft : blocks[row].version(at: from ?? 0)
        let new = try changed(old, row: row, by: op, message, from: from ?? -1)
        digest = digest &- old.digest &+ new.digest
        blocks[row].draft = new
        blocks[row].trial = trial
      case .finish: break
      }
    }
    return (digest, count)
  }

  // MARK: - Ops

  /// The row of an earlier block, one of the first `known`, that an op changes.
  private func row(
    of op: WireOp, _ message: borrowing WireMessage, below known: Int
  ) throws(CheckStop) -> Int {
    let hash = TextHash(message.bytes.span.extracting(op.id))
    if known > 0 && blocks[known - 1].idHash == hash { return known - 1 }
    guard let row = places[hash.value], row < known else {
      throw Self.broken(.replay, message, op, "is about a block that is not there")
    }
    return row
  }

  /// A block after an op that is not `open`.
  private mutating func changed(
    _ old: BlockVersion, row: Int, by op: WireOp, _ message: borrowing WireMessage, from: Int
  ) throws(CheckStop) -> BlockVersion {
    guard old.isOpen else { throw Self.broken(.sealing, message, op, "changes a sealed block") }
    try checkRevision(op, message, from: from, earlier: Int(old.revision))
    var new = old
    new.revision = Int32(truncatingIfNeeded: op.revision)
    switch op.kind {
    case .append:
      guard let text = op.text, !text.isEmpty, old.textLength >= 0 else {
        throw Self.broken(.replay, message, op, "adds no text, or to a block that shows none")
      }
      new.textLength += Int32(truncatingIfNeeded: text.count)
      new.textHash.append(message.bytes.span.extracting(text))
    case .set: try set(op, message, &new)
    case .seal:
      guard op.end >= blocks[row].begin else {
        throw Self.broken(.replay, message, op, "ends before it begins")
      }
      new.end = Int32(truncatingIfNeeded: op.end)
    case .open, .finish: break
    }
    new.digest = BlockDigest.block(blocks[row].identity, new)
    return new
  }

  /// Changes fields, which must be ones that may change (identity.md §3, *Visible changes*).
  private mutating func set(
    _ op: WireOp, _ message: borrowing WireMessage, _ version: inout BlockVersion
  ) throws(CheckStop) {
    var fields = FieldList(fieldSets[Int(version.fields)][...])
    let changes = FieldList(message.bytes[op.fields])
    if let type = op.type {
      guard version.type == .paragraph, type == .heading || type == .table || type == .definition else {
        throw Self.broken(.permanence, message, op, "turns a \(version.type.name) into a \(type.name)")
      }
      version.type = type
      fields = changes
      if type == .table { (version.textLength, version.textHash) = (-1, TextHash()) }
    } else {
      for change in changes.fields {
        let isAllowed =
          switch change.name {
          case .spread: change.value == [UInt8(ascii: "1")] && fields[.spread] == [UInt8(ascii: "0")]
          case .title: version.type == .definition && fields[.title] == nil
          case .depth, .directiveLabel, .fenced, .lang, .meta, .alert, .ordered, .start, .checked, .align,
            .header, .identifier, .label, .url, .name, .content, .attribute, .value:
            false
          }
        guard isAllowed else {
          throw Self.broken(.permanence, message, op, "changes \(change.name), which may not change so")
        }
        fields.set(change)
      }
    }
    let fieldBytes = fields.bytes
    version.fields = Int32(truncatingIfNeeded: store(fieldBytes))
    version.fieldsHash = TextHash(fieldBytes.span)
    if let text = op.text {
      guard version.textLength >= 0 else {
        throw Self.broken(.replay, message, op, "gives text to a block that shows none")
      }
      version.textLength = Int32(truncatingIfNeeded: text.count)
      version.textHash = TextHash(message.bytes.span.extracting(text))
    }
  }

  private mutating func store(_ fields: [UInt8]) -> Int {
    // Most blocks have no fields, and neighbours mostly the same.
    if let last = fieldSets.last, last == fields { return fieldSets.count - 1 }
    fieldSets.append(fields)
    return fieldSets.count - 1
  }

  /// A revision is of the diff that tells it, and only rises.
  private func checkRevision(
    _ op: WireOp, _ message: borrowing WireMessage, from: Int, earlier: Int
  ) throws(CheckStop) {
    guard op.revision > from, op.revision <= message.position, op.revision >= earlier else {
      throw Self.broken(
        .replay, message, op, "has rev \(op.revision) in a diff from \(from) to \(message.position)")
    }
  }

  private static func broken(
    _ promise: Promise, _ message: borrowing WireMessage, _ op: WireOp, _ what: String
  ) -> CheckStop {
    .violated(
      Violation(
        promise, at: message.position, id: message.id(of: op), "\(message.description(of: op)) \(what)"))
  }
}
