package import Markup

extension JSONWriter {
  /// Writes a diff with its envelope, as append answers, SSE `diff` events and NDJSON lines carry it.
  ///
  /// - Parameters:
  ///   - diff: what `table.diff(since:)` gave, with the table unchanged since.
  ///   - envelope: the stream that it belongs to.
  /// - Complexity: O(bytes written).
  package mutating func write(_ diff: borrowing Diff, of table: borrowing BlockTable, in envelope: Envelope) {
    writeStream(envelope)
    write(.fromField)
    envelope.lineage.token(at: diff.from).append(to: &bytes)
    write(.toField)
    envelope.lineage.token(at: diff.to).append(to: &bytes)
    write(.pendingAfterTo)
    write(diff.pending)
    write(.ops)
    var isFirst = true
    for op in diff.ops {
      if !isFirst { write(UInt8(ascii: ",")) }
      isFirst = false
      write(op, of: table)
    }
    write(UInt8(ascii: "]"))
    write(UInt8(ascii: "}"))
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
      writeStart(.appendOp, of: index, in: table)
      let range = table.textRange(of: index)
      write(.text)
      write(string: table.text, in: range.lowerBound + from..<range.upperBound)
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
      write(string: table.text, in: table.textRange(of: index))
    }
  }

  private mutating func writeStart(
    _ op: JSONFragment, of index: BlockIndex, in table: borrowing BlockTable
  ) {
    write(op)
    table.appendID(of: index, to: &bytes)
    write(UInt8(ascii: "\""))
  }

  /// Writes an op's revision and ends the op.
  private mutating func write(_ revision: Revision) {
    write(.rev)
    write(revision.value)
    write(UInt8(ascii: "}"))
  }
}
