package import Markup

/// One change that turns an earlier state into a later one (api.md §2, *Diff*).
///
/// An op names its block by index and holds no text: it is read, and written to the wire, together with the
/// table that it was computed from.
package enum BlockOp: Sendable, Equatable {
  /// A new block, the last child of its parent, with all that is known of it.
  case open(BlockIndex)
  /// The text of a leaf grew; `from` is the length in bytes that it had. The revision is that of the last
  /// byte of text, which may be earlier than the block's where the block was sealed later.
  case append(BlockIndex, from: Int, Revision)
  /// The named fields of an open block have new values. With `.type` that includes the fields of the new
  /// type, and a block whose new type has no text has lost its text. The revision is that of the last of
  /// these changes, or of an `append` that stands before it.
  case set(BlockIndex, ChangedFields, Revision)
  /// The block is final; its own revision is that of the seal.
  case seal(BlockIndex)
  /// The stream is finished.
  case finish

  /// The block that the op is about.
  var index: BlockIndex? {
    switch self {
    case .open(let index), .append(let index, _, _), .set(let index, _, _), .seal(let index): index
    case .finish: nil
    }
  }
}

/// The ops that turn the state at one offset into the state at a later one.
///
/// - Invariant: applying the ops in order to the state at `from` gives the state at `to`
///   (identity.md §3, promise 5); `BlockDocument` checks that.
package struct Diff: Sendable, Equatable {
  /// The position of the earlier state.
  package var from: ByteOffset
  /// The position of the later state, one more than the source's length once the stream is finished.
  package var to: ByteOffset
  /// The number of bytes that no block shows at `to`.
  package var pending: Int
  /// Changes of earlier blocks, outermost first (of one block: `append`, `set`, `seal`), then new blocks in
  /// document order, then `finish`.
  package var ops: [BlockOp]

  package init(from: ByteOffset, to: ByteOffset, pending: Int, ops: [BlockOp] = []) {
    self.from = from
    self.to = to
    self.pending = pending
    self.ops = ops
  }
}
