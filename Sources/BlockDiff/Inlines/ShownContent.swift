import Markup

/// The content of the leaf that a diff was written for last, from a checkpoint on: a diff from there begins with it, so
/// that a leaf that grows is parsed once an append, into buffers that are there already.
///
/// One reader's, or those who stand at one place: for any other the content is made anew.
struct ShownContent<Sink: InlineSink>: Sendable {
  /// What content is: a state of a leaf, with all that its content depends on.
  struct State: Equatable, Sendable {
    var row: Int
    /// The length of the leaf's text, and the table's position then.
    var length: Int
    var position: ByteOffset
    /// The checkpoint that the content begins at.
    var checkpoint: Int
    /// `InlineView.version`.
    var version: Int
    var policy: HTMLOptions
  }

  /// What a reader has, and what it is to have.
  var old: Sink
  var new: Sink
  /// What `old` is, if it is anything.
  private var state: State?

  init(_ sink: Sink) {
    old = sink
    new = sink
  }

  /// Begins with a reader's state; whether `old` holds that. Else it is empty, as `new` is.
  mutating func begin(_ state: State) -> Bool {
    new.removeAll()
    if self.state == state { return true }
    self.state = nil
    old.removeAll()
    return false
  }

  /// Has `new`, which was written out, be the beginning of the next diff; `nil` where there is none that begins there.
  mutating func end(_ state: State?) {
    swap(&old, &new)
    self.state = state
  }
}
