package import Markup

/// Why a client refuses a diff. Every case but `malformed` and `wrongFrom` is a broken promise of
/// identity.md §3.
package enum BlockDocumentError: Error, Equatable, Sendable {
  /// No JSON.
  case notJSON(JSONError)
  /// JSON, but none of the wire's: what is missing or wrong.
  case malformed(String)
  /// The diff does not begin where the document stands.
  case wrongFrom(expected: OffsetToken, found: OffsetToken)
  /// The diff ends before it begins, or has ops though it ends where it begins.
  case wrongTo(OffsetToken)
  case afterFinish
  case unknownID(ByteString)
  case repeatedID(ByteString)
  /// An op on a block that an earlier diff sealed, or a second `seal`.
  case changeOfSealed(ByteString)
  case openInSealed(ByteString)
  /// A new block that would not be the last one of the document.
  case openOffRightmostPath(ByteString)
  /// A parent that has text, or a type that holds no blocks.
  case openInLeaf(ByteString)
  /// A block that begins before the one that precedes it, or before its parent.
  case beginOutOfOrder(ByteString)
  case endBeforeBegin(ByteString)
  /// A revision that is not of this diff.
  case wrongRevision(ByteString, Revision)
  /// Text for a block that shows none, or none for one that must.
  case wrongText(ByteString)
  case illegalType(ByteString, from: BlockType, to: BlockType)
  /// A field that the block's type does not have, or whose value may not change so.
  case illegalField(ByteString, String)
  /// A block left the rightmost path, or its parent was sealed, and it is still open.
  case stillOpen(ByteString)
}
