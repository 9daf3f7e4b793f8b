/// What is checked: something that takes a source in chunks and says, as the service does, which blocks it
/// shows. The checker sees nothing else of it, so a test can plant faults behind it.
package protocol CheckedEngine: ~Copyable, SendableMetatype {
  /// Takes the next bytes of the source.
  mutating func append(_ bytes: borrowing Span<UInt8>)

  /// Ends the source.
  mutating func finish()

  /// The work done so far, counted (identity.md §3, promise 7).
  var steps: Int { get }

  /// Fills `message` with the state.
  mutating func readSnapshot(into message: inout WireMessage)

  /// Fills `message` with the diff from an earlier offset, or from nothing at all.
  mutating func readDiff(since offset: Int?, into message: inout WireMessage)
}
