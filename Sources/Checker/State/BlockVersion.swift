import Markup

/// One block between two changes.
struct BlockVersion {
  /// The offset from which on the block is like this.
  var at: Int32
  var revision: Int32
  /// -1 while the block is open.
  var end: Int32
  /// -1 for blocks without text.
  var textLength: Int32
  var textHash: TextHash
  /// The place of the fields in `History.fieldSets`.
  var fields: Int32
  var type: BlockType
  var fieldsHash: TextHash
  /// What the block adds to the state's digest.
  var digest: UInt64 = 0

  /// A block as an `open` shows it.
  init(opened op: WireOp, in bytes: borrowing Span<UInt8>, fields: Int, at offset: Int) {
    at = Int32(truncatingIfNeeded: offset)
    revision = Int32(truncatingIfNeeded: op.revision)
    end = Int32(truncatingIfNeeded: op.end)
    if let text = op.text {
      textLength = Int32(truncatingIfNeeded: text.count)
      textHash = TextHash(bytes.extracting(text))
    } else {
      textLength = -1
      textHash = TextHash()
    }
    self.fields = Int32(truncatingIfNeeded: fields)
    type = op.type ?? .paragraph
    fieldsHash = TextHash(bytes.extracting(op.fields))
  }

  var isOpen: Bool { end < 0 }
}

/// One block with all its versions.
struct BlockHistory {
  /// The ID, as a range of `History.ids`.
  var id: Range<Int>
  var idHash: TextHash
  /// The parent's row; -1 at top level.
  var parent: Int
  var begin: Int
  var identity: UInt64
  /// In the order of their offsets.
  var versions: [BlockVersion]
  /// What a diff that is being tried has made of the block; it counts if `trial` is that diff's number.
  var draft: BlockVersion
  var trial = 0

  /// The block as it was at `offset`, at which it was there.
  func version(at offset: Int) -> BlockVersion {
    let later = versions.indices.partitionPoint { Int(versions[$0].at) <= offset }
    return versions[max(later - 1, 0)]
  }
}
