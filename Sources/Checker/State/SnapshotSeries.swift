/// Snapshots of prefixes, one after another: each repeats most of the one before, so only what differs is hashed
/// again.
///
/// Nothing is believed of what is the same: every byte of a snapshot is read and compared.
struct SnapshotSeries {
  /// The snapshot read last.
  private(set) var message = WireMessage()
  /// The one before, whose storage is used again.
  private var previous = WireMessage()
  /// The digests of the first blocks of `message`: of none, of one, and so on.
  private var digests: [UInt64] = [0]

  /// Reads an engine's snapshot into `message` and gives its digest, that of `BlockDigest.state`.
  ///
  /// - Complexity: O(bytes of the snapshot), most of them compared eight at a time.
  mutating func readDigest<Engine: CheckedEngine & ~Copyable>(of engine: inout Engine) -> UInt64 {
    swap(&message, &previous)
    engine.readSnapshot(into: &message)
    let known = repeatedBlocks()
    digests.removeSubrange((known + 1)...)
    var digest = digests[known]
    for row in known..<message.ops.count {
      digest &+= BlockDigest.block(row, of: message)
      digests.append(digest)
    }
    return digest
  }

  /// The number of first blocks that are the same as in the snapshot before.
  private func repeatedBlocks() -> Int {
    let repeated = message.bytes.span.commonPrefix(with: previous.bytes.span)
    let (ops, earlier) = (message.ops.span, previous.ops.span)
    let count = min(ops.count, earlier.count)
    var row = 0
    while row < count, ops[row].lastByte <= repeated, ops[row] == earlier[row] { row += 1 }
    return row
  }
}

extension WireOp {
  /// The offset in the message's bytes after the last one that the op is made of.
  fileprivate var lastByte: Int {
    max(id.upperBound, fields.upperBound, max(parent?.upperBound ?? 0, text?.upperBound ?? 0))
  }
}

extension Span<UInt8> {
  /// The number of first bytes that are the same in both.
  fileprivate func commonPrefix(with other: borrowing Span<UInt8>) -> Int {
    let shared = Swift.min(count, other.count)
    var place = 0
    while shared - place >= 8, word(at: place) == other.word(at: place) { place += 8 }
    while place < shared, self[place] == other[place] { place += 1 }
    return place
  }

  /// The eight bytes from `index` on: one load.
  @inline(__always)
  private func word(at index: Int) -> UInt64 {
    let bytes = extracting(index..<index + 8)
    var word: UInt64 = 0
    for place in 0..<8 { word |= UInt64(bytes[place]) << UInt64(8 * place) }
    return word
  }
}
