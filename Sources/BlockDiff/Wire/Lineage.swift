package import Markup

/// The incarnations whose bytes a stream has: those of the streams that it was forked from, and its own.
///
/// A fork uses its source's tokens up to where it branches off, and its own after that (Durable Streams 1.0 §8).
/// It is younger than its source, so that all of its tokens sort by position.
package struct Lineage: Sendable, Equatable {
  /// A stream that was forked from.
  package struct Ancestor: Sendable, Equatable {
    package var incarnation: UInt64
    /// Where the next branches off: the last position that has this incarnation's token.
    package var end: ByteOffset

    package init(incarnation: UInt64, end: ByteOffset) {
      self.incarnation = incarnation
      self.end = end
    }
  }

  /// The oldest first; their ends rise.
  package let ancestors: [Ancestor]
  /// The stream's own.
  package let incarnation: UInt64

  /// The lineage of a stream, of no ancestors unless it is a fork. Of two that end at one position, only the older
  /// has tokens.
  package init(incarnation: UInt64, ancestors: [Ancestor] = []) {
    self.incarnation = incarnation
    self.ancestors = ancestors
  }

  /// The lineage of a fork of this stream at `end`.
  package func fork(at end: ByteOffset, incarnation: UInt64) -> Lineage {
    var ancestors = ancestors.filter { $0.end < end }
    let last = self.ancestors.first { $0.end >= end }?.incarnation ?? self.incarnation
    ancestors.append(Ancestor(incarnation: last, end: end))
    return Lineage(incarnation: incarnation, ancestors: ancestors)
  }

  /// Where the stream branched off; 0 where it is no fork.
  package var begin: ByteOffset { ancestors.last?.end ?? .zero }

  /// The token of a position.
  ///
  /// - Complexity: O(ancestors).
  package func token(at position: ByteOffset) -> OffsetToken {
    let incarnation =
      ancestors.isEmpty ? incarnation : ancestors.first { position <= $0.end }?.incarnation ?? incarnation
    return OffsetToken(incarnation: incarnation, position: position)
  }

  /// Whether a token names a position of this stream, if the stream reaches that far.
  package func contains(_ token: OffsetToken) -> Bool { self.token(at: token.position) == token }
}
