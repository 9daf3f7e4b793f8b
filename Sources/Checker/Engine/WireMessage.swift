package import Markup

/// A snapshot or a diff with all that it says on the wire, in one flat buffer that is used again: the checker
/// reads one for every byte.
///
/// A snapshot is a message whose ops all open blocks.
package struct WireMessage: Sendable {
  /// The bytes of IDs, fields and texts.
  package var bytes: [UInt8] = []
  package var ops: [WireOp] = []
  /// The position that the message leads to: the source's length, plus 1 once finished.
  package var position = 0
  /// The number of bytes that no block shows there.
  package var pending = 0
  package var isFinished = false

  package init() {}

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ops.removeAll(keepingCapacity: true)
  }

  /// The ID that an op is about, as text.
  func id(of op: WireOp) -> String { String(decoding: bytes[op.id], as: UTF8.self) }
}

/// One op, or one block of a snapshot; ranges are of the message's `bytes`.
package struct WireOp: Sendable, Equatable {
  package enum Kind: Sendable { case open, append, set, seal, finish }

  package var kind: Kind
  package var id = 0..<0
  /// The block's type; in a `set` only if it changes.
  package var type: BlockType?
  /// The parent's ID; `nil` at top level.
  package var parent: Range<Int>?
  /// The fields that only some types have (see `FieldList`); in a `set` those that change.
  package var fields = 0..<0
  package var begin = 0
  /// -1 while the block is open.
  package var end = -1
  package var revision = 0
  /// A leaf's text; in `append` the added part, in `set` the new one.
  package var text: Range<Int>?

  package init(_ kind: Kind) { self.kind = kind }
}
