package import Markup

extension BlockTable {
  /// The ops that turn the state at `offset` into the table's.
  ///
  /// The result is minimal: one `open` for a block that is new, also where it is sealed already; at most one
  /// `append` or replaced text, one `set` and one `seal` for an earlier one. It does not depend on the chunks
  /// in which the source came.
  ///
  /// - Parameter offset: a position at or before the table's; anything later is the caller's error. `nil`
  ///   stands for nothing at all, as a reader has it before its first diff. That differs from the state at 0
  ///   where components are open from the start: the state at 0 shows them.
  /// - Complexity: O(depth of the block that was last at `offset` + blocks and changes since).
  package func diff(since offset: ByteOffset?) -> Diff {
    var result = Diff(from: offset ?? .zero, to: position, pending: pending)
    appendOps(since: offset, to: &result.ops)
    return result
  }

  /// Appends the ops of `diff(since:)` to `ops`, whose storage can thus be used again.
  package func appendOps(since offset: ByteOffset?, to ops: inout [BlockOp]) {
    var known = 0
    if let offset {
      precondition(offset <= position, "a diff begins at or before the table's position")
      guard offset < position else { return }
      known = count(at: offset)
      if known > 0 { appendChanges(since: offset, known: known, to: &ops) }
    }
    for row in known..<count { ops.append(.open(BlockIndex(row))) }
    if isFinished { ops.append(.finish) }
  }

  /// Appends the ops for the blocks that were there at `offset`.
  ///
  /// Only blocks that were open then can have changed, and these are the last one's ancestors, itself
  /// included: everything else is not looked at.
  private func appendChanges(since offset: ByteOffset, known: Int, to ops: inout [BlockOp]) {
    guard hasChanges(since: offset) else {
      return appendGrowth(since: offset, known: known, to: &ops)
    }
    var changed: [Change] = []
    var next: BlockIndex? = BlockIndex(known - 1)
    while let index = next {
      let block = self[index]
      if block.revision > offset { changed.append(Change(index: index)) }
      next = block.parent
    }
    guard !changed.isEmpty else { return }
    // Collected innermost first; a client is told of the outer block first.
    changed.reverse()
    forEachChange(since: offset) { index, fields, at in
      let place = changed.indices.partitionPoint { changed[$0].index < index }
      guard place < changed.count, changed[place].index == index else { return }
      changed[place].fields.formUnion(fields)
      changed[place].at = at
    }
    for change in changed { appendOps(for: change, since: offset, to: &ops) }
  }

  /// The same where no field but growing text changed, and blocks were sealed.
  private func appendGrowth(since offset: ByteOffset, known: Int, to ops: inout [BlockOp]) {
    let first = ops.count
    var next: BlockIndex? = BlockIndex(known - 1)
    // Innermost first, and of one block the seal first: the whole is turned round in the end.
    while let index = next {
      let block = self[index]
      next = block.parent
      guard block.revision > offset else { continue }
      let before = ops.count
      if block.isSealed { ops.append(.seal(index)) }
      if block.hasText {
        let length = textLength(of: index, at: offset)
        if length < textRange(of: index).count {
          let revision = block.isSealed ? textRevision(of: index, since: offset) : block.revision
          ops.append(.append(index, from: length, revision))
        }
      }
      // A revision without a visible change would be a parser's error, but a reader must still learn of it.
      if ops.count == before { ops.append(.set(index, ChangedFields(rawValue: 0), block.revision)) }
    }
    var low = first
    var high = ops.count - 1
    while low < high {
      ops.swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// What is known of an earlier block that changed.
  private struct Change {
    var index: BlockIndex
    /// The fields that changed, and where the last of them did.
    // Not an empty literal, which makes a call of a generic initialiser in another module.
    var fields = ChangedFields(rawValue: 0)
    var at = ByteOffset.zero
  }

  private func appendOps(for change: Change, since offset: ByteOffset, to ops: inout [BlockOp]) {
    let index = change.index
    let block = self[index]
    var fields = change.fields
    if !block.hasText {
      // The new type says that the text is gone.
      fields.remove(.text)
    }
    // The fields of a new type come with it.
    if fields.contains(.type) { fields.subtract([.spread, .title]) }
    var revision = Revision.zero
    if block.hasText && !fields.contains(.text) {
      let length = textLength(of: index, at: offset)
      if length < textRange(of: index).count {
        let isLast = fields.isEmpty && !block.isSealed
        revision = isLast ? block.revision : textRevision(of: index, since: offset)
        ops.append(.append(index, from: length, revision))
      }
    }
    if !fields.isEmpty {
      revision = block.isSealed ? max(revision, change.at) : block.revision
      ops.append(.set(index, fields, revision))
    }
    if block.isSealed {
      ops.append(.seal(index))
    } else if revision == .zero {
      // A revision without a visible change would be a parser's error, but a reader must still learn of it.
      ops.append(.set(index, [], block.revision))
    }
  }
}
