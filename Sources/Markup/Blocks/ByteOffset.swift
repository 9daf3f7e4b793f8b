/// A position in a stream's source: the number of bytes before it, zero-based.
///
/// The engine numbers at most `ByteOffset.limit` bytes, so that a block's record stays small.
@usableFromInline
package struct ByteOffset: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of source bytes before this position.
  @usableFromInline package var value: Int

  @inlinable package init(_ value: Int) { self.value = value }

  /// The start of every stream.
  package static let zero = ByteOffset(0)

  /// The most bytes that one stream may hold: 2 GiB less one byte. Offsets are stored in 32 bits, and
  /// `finish` takes a position of its own after the last byte.
  package static let limit = Int(Int32.max) - 1

  @inlinable package static func < (a: ByteOffset, b: ByteOffset) -> Bool { a.value < b.value }

  @usableFromInline package var description: String { String(value) }
}

/// The offset just after the byte that last changed one of a block's own fields (identity.md §3).
///
/// Two states that hold the same block ID with the same revision show the same thing.
@usableFromInline
package typealias Revision = ByteOffset

/// The place of a block in its table. Blocks are numbered in document order, which is also the order in
/// which they appeared: a new block is always the last one.
@usableFromInline
package struct BlockIndex: Hashable, Comparable, Sendable {
  /// The zero-based row in the table.
  @usableFromInline package var row: Int

  @inlinable package init(_ row: Int) { self.row = row }

  @inlinable package static func < (a: BlockIndex, b: BlockIndex) -> Bool { a.row < b.row }
}
