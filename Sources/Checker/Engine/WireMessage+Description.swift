import Markup

extension WireMessage {
  /// An op, or a block of a snapshot, on one line.
  func description(of op: WireOp) -> String {
    var text = "\(op.kind) \(id(of: op))"
    if let type = op.type { text += " \(type.name)" }
    if let parent = op.parent { text += " in \(String(decoding: bytes[parent], as: UTF8.self))" }
    if op.kind == .open { text += " from \(op.begin)" }
    if op.end >= 0 { text += " to \(op.end)" }
    text += " rev \(op.revision)" + FieldList(bytes[op.fields]).description
    if let range = op.text {
      let shown = bytes[range].prefix(80)
      text += " \(SourceLiteral.quoted(shown))\(range.count > shown.count ? "…" : "")"
    }
    return text
  }

  /// Whether a block of this snapshot is the same in every field as one of another.
  func isSame(_ op: WireOp, _ otherOp: WireOp, in other: borrowing WireMessage) -> Bool {
    bytes[op.id] == other.bytes[otherOp.id] && op.type == otherOp.type
      && op.parent.map { bytes[$0] } == otherOp.parent.map { other.bytes[$0] }
      && bytes[op.fields] == other.bytes[otherOp.fields] && op.begin == otherOp.begin
      && op.end == otherOp.end && op.revision == otherOp.revision
      && op.text.map { bytes[$0] } == otherOp.text.map { other.bytes[$0] }
  }
}

/// Compares snapshots block by block, to say what a difference of digests is.
enum SnapshotComparison {
  /// Where two snapshots that should be the same differ first: the block's ID and both, for a reader.
  static func difference(
    _ expected: borrowing WireMessage, _ found: borrowing WireMessage
  ) -> (id: String?, detail: String)? {
    for row in 0..<max(expected.ops.count, found.ops.count) {
      let left = row < expected.ops.count ? expected.ops[row] : nil
      let right = row < found.ops.count ? found.ops[row] : nil
      if let left, let right, expected.isSame(left, right, in: found) { continue }
      let id = left.map { expected.id(of: $0) } ?? right.map { found.id(of: $0) }
      return (
        id,
        """
        expected \(left.map { expected.description(of: $0) } ?? "no block"), \
        found \(right.map { found.description(of: $0) } ?? "no block")
        """
      )
    }
    if expected.pending != found.pending {
      return (nil, "expected pending \(expected.pending), found \(found.pending)")
    }
    return nil
  }

  /// The promise that two snapshots of one stream break, the second one being later.
  static func violation(
    from old: borrowing WireMessage, to new: borrowing WireMessage
  ) -> Violation? {
    var seen: Set<ArraySlice<UInt8>> = []
    for op in new.ops where !seen.insert(new.bytes[op.id]).inserted {
      return Violation(.uniqueness, at: new.position, id: new.id(of: op), "two blocks have this ID")
    }
    for row in old.ops.indices {
      let before = old.ops[row]
      let id = old.id(of: before)
      func broken(_ promise: Promise, _ what: String) -> Violation {
        Violation(promise, at: new.position, id: id, "\(old.description(of: before)) \(what)")
      }
      guard row < new.ops.count, old.bytes[before.id] == new.bytes[new.ops[row].id] else {
        let isThere = seen.contains(old.bytes[before.id])
        return broken(
          .permanence,
          isThere
            ? "is not at its place any more"
            : row < new.ops.count ? "is gone; \(new.id(of: new.ops[row])) is at its place" : "is gone")
      }
      let after = new.ops[row]
      let now = "is now \(new.description(of: after))"
      if before.parent.map({ old.bytes[$0] }) != after.parent.map({ new.bytes[$0] })
        || before.begin != after.begin
      {
        return broken(.permanence, now)
      }
      if !old.isSame(before, after, in: new) {
        if before.end >= 0 { return broken(.sealing, now) }
        if before.revision == after.revision { return broken(.replay, "\(now), with the same rev") }
      }
    }
    return nil
  }
}
