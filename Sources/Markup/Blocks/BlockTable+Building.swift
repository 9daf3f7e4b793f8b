// How the parser adds to the table. Every function takes the offset at which the change shows.

import ByteStorage

extension BlockTable {
  /// Appends a block and returns its row.
  mutating func open(
    _ type: BlockType, parent: Int, begin: Int, textStart: Int, payload: Int = 0, flags: Block.Flags = [],
    key: Block.Key, at offset: Int
  ) -> Int {
    // Offsets and counts have 31 bits: a stream's length is bounded.
    let born = UInt32(truncatingIfNeeded: offset)
    rows.append(
      Block(
        parentRow: Int32(truncatingIfNeeded: parent), beginValue: UInt32(truncatingIfNeeded: begin),
        endValue: 0, bornValue: born, revisionValue: born, textStart: UInt32(truncatingIfNeeded: textStart),
        textLength: 0, keyValue: key.value, keyCount: key.count,
        payload: UInt32(truncatingIfNeeded: payload), type: type, keyKind: key.kind, flags: flags))
    return rows.count &- 1
  }

  /// Makes a block final.
  mutating func seal(_ row: Int, end: Int, at offset: Int) {
    rows.change(row) { $0.seal(end: UInt32(truncatingIfNeeded: end), at: UInt32(truncatingIfNeeded: offset)) }
  }

  /// Records that `fields` of an open block were replaced.
  mutating func change(_ row: Int, _ fields: ChangedFields, at offset: Int) {
    rows.change(row) { $0.revisionValue = UInt32(offset) }
    changes.append(FieldChange(at: UInt32(offset), row: UInt32(row), fields: fields))
  }

  /// Sets the length of a leaf's shown text and that it changed at `offset`.
  @inline(__always)
  mutating func setTextLength(_ row: Int, to length: Int, at offset: Int) {
    rows.change(row) {
      $0.setTextLength(to: UInt32(truncatingIfNeeded: length), at: UInt32(truncatingIfNeeded: offset))
    }
  }

  /// Appends bytes to the shared strings and returns their range.
  mutating func intern(_ bytes: some Collection<UInt8>) -> Range<Int> {
    let start = strings.count
    strings.growByQuarter(adding: bytes.count)
    strings.append(contentsOf: bytes)
    return start..<strings.count
  }
}

extension Array {
  /// Makes room for more elements: a quarter of the array where it is full, not as much again, so that a
  /// stream's memory stays near what it holds.
  @inline(__always)
  mutating func growByQuarter(adding added: Int = 1) {
    guard capacity - count < added else { return }
    reserveCapacity(count + Swift.max(added, count / 4 + 8))
  }
}

extension BlockTable {
  /// The bytes that the table's buffers take, what they keep free included.
  package var footprint: Int {
    func bytes<Element>(_ array: [Element]) -> Int { array.capacity * MemoryLayout<Element>.stride }
    return rows.footprint + text.capacity + strings.capacity + bytes(names) + bytes(codeInfos)
      + bytes(definitions)
      + bytes(footnotes) + bytes(components) + bytes(alignments) + bytes(changes) + growth.footprint
  }
}
