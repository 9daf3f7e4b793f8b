import ByteStorage
package import Markup

extension JSONWriter {
  /// Writes a diff with its envelope, as append answers, SSE `diff` events and NDJSON lines carry it.
  ///
  /// - Parameters:
  ///   - diff: what `table.diff(since:)` gave, with the table unchanged since.
  ///   - envelope: the stream that it belongs to.
  /// - Complexity: O(bytes written).
  package mutating func write(_ diff: borrowing Diff, of table: borrowing BlockTable, in envelope: Envelope) {
    writeStart(of: diff, in: envelope)
    var isFirst = true
    for op in diff.ops {
      if !isFirst { write(UInt8(ascii: ",")) }
      isFirst = false
      write(op, of: table)
    }
    write(.opsEnd)
  }

  /// Writes a diff as above, with the inline content of its leaves.
  ///
  /// - Parameters:
  ///   - view: the stream's inline content, which is brought up to date.
  ///   - output: what is written of it.
  /// - Complexity: O(bytes written + text that was added), with the reach of `LeafStages` for a leaf that grew.
  package mutating func write(
    _ diff: borrowing Diff, of table: borrowing BlockTable, inlines view: inout InlineView,
    as output: InlineOutput,
    in envelope: Envelope
  ) {
    guard output.form != .none else { return write(diff, of: table, in: envelope) }
    view.update(to: table)
    writeStart(of: diff, in: envelope)
    let known = diff.ops.isEmpty ? 0 : table.count(at: diff.from)
    var resolved = diff.ops.isEmpty ? [] : view.resolved(after: diff.from, known: known)
    for (place, op) in diff.ops.enumerated() {
      if case .finish = op { writeResolutions(&resolved, in: table, &view, output) }
      writeSeparator()
      guard case .open(let index) = op else {
        write(op, of: table)
        // Once for each leaf, after the last op that is about it.
        if let index = op.index, place + 1 == diff.ops.count || diff.ops[place + 1].index != index {
          let resolution = resolved.firstIndex(of: index)
          if let resolution { resolved.remove(at: resolution) }
          writeChange(of: index, diff, place, isResolved: resolution != nil, in: table, &view, output)
        }
        continue
      }
      write(.openOp)
      writeBody(of: index, in: table, isSnapshot: false)
      writeInlines(of: index, in: table, &view, output)
      write(UInt8(ascii: "}"))
    }
    writeResolutions(&resolved, in: table, &view, output)
    write(.opsEnd)
  }

  private mutating func writeChange(
    of index: BlockIndex, _ diff: borrowing Diff, _ place: Int, isResolved: Bool,
    in table: borrowing BlockTable, _ view: inout InlineView, _ output: InlineOutput
  ) {
    guard table[index].hasInlineContent else { return }
    var isReplaced = isResolved
    for op in diff.ops[...place] {
      if case .set(index, let fields, _) = op, fields.contains(.text) { isReplaced = true }
    }
    let length = isReplaced ? nil : table.textLength(of: index, at: diff.from)
    writeInlineChange(of: index, since: length, at: diff.from, in: table, &view, output)
  }

  private mutating func writeResolutions(
    _ resolved: inout [BlockIndex], in table: borrowing BlockTable, _ view: inout InlineView,
    _ output: InlineOutput
  ) {
    for index in resolved { writeResolution(of: index, in: table, &view, output) }
    resolved = []
  }

  private mutating func writeStart(of diff: borrowing Diff, in envelope: Envelope) {
    writeStream(envelope)
    let (from, to) = (envelope.lineage.token(at: diff.from), envelope.lineage.token(at: diff.to))
    let pending = diff.pending
    // All at once: room is looked for once.
    write(room: 6 * MutableSpan<UInt8>.jsonRoom) { span, place in
      span.put(.fromField, at: &place)
      span.put(from, at: &place)
      span.put(.toField, at: &place)
      span.put(to, at: &place)
      span.put(.pendingAfterTo, at: &place)
      span.put(pending, at: &place)
      span.put(.ops, at: &place)
    }
  }

  /// Opens an envelope: the brace, and the stream where there is one.
  mutating func writeStream(_ envelope: Envelope) {
    guard let stream = envelope.stream else { return write(UInt8(ascii: "{")) }
    write(.stream)
    write(string: stream, in: stream.indices)
    write(UInt8(ascii: ","))
  }

  /// Writes one op as an object.
  package mutating func write(_ op: BlockOp, of table: borrowing BlockTable) {
    switch op {
    case .open(let index):
      write(.openOp)
      writeBody(of: index, in: table, isSnapshot: false)
      write(UInt8(ascii: "}"))
    case .append(let index, let from, let revision):
      write(.appendOp)
      write(id: index, of: table)
      let range = table.textRange(of: index)
      write(.textAfterID)
      write(string: table.text.span.extracting(range.lowerBound + from..<range.upperBound))
      write(revision)
    case .set(let index, let fields, let revision):
      writeStart(.setOp, of: index, in: table)
      write(fields, of: index, in: table)
      write(revision)
    case .seal(let index):
      writeStart(.sealOp, of: index, in: table)
      write(.end)
      write(table[index].end?.value ?? 0)
      write(table[index].revision)
    case .finish:
      write(.finishOp)
    }
  }

  private mutating func write(_ fields: ChangedFields, of index: BlockIndex, in table: borrowing BlockTable) {
    if fields.contains(.type) {
      write(JSONFragment.types[Int(table[index].type.rawValue)])
      writeTypeFields(of: index, in: table)
    }
    if fields.contains(.spread) { writeSpread(of: index, in: table) }
    if fields.contains(.title) { writeTitle(of: index, in: table) }
    if fields.contains(.text) {
      write(.text)
      write(string: table.text.span.extracting(table.textRange(of: index)))
    }
  }

  private mutating func writeStart(
    _ op: JSONFragment, of index: BlockIndex, in table: borrowing BlockTable
  ) {
    write(op)
    write(id: index, of: table)
    write(UInt8(ascii: "\""))
  }

  /// Writes an op's revision and ends the op.
  private mutating func write(_ revision: Revision) {
    let revision = revision.value
    write(room: 3 * MutableSpan<UInt8>.jsonRoom) { span, place in
      span.put(.rev, at: &place)
      span.put(revision, at: &place)
      span.put(UInt8(ascii: "}"), at: &place)
    }
  }
}
