import Markup

/// How far the inline content of one leaf is settled, stage by stage.
///
/// Whenever a leaf's text has grown past another 256 bytes, what is settled of it by then becomes a part of its own,
/// which is never looked at again while the leaf is open: a state is the parts, and what a parse of the rest gives.
/// What is open for 2 KiB and more is taken as text until the leaf is sealed, so that the rest has a bound. All of
/// that follows from the text alone, not from its chunks.
struct LeafStages: Sendable {
  /// The bytes of text from one stage to the next.
  static let stride = 256
  /// How far back something may have begun that is still open. A link with a long URL needs some hundred bytes.
  static let reach = 2048

  /// What is settled at a stage.
  struct Checkpoint: Sendable {
    /// The bytes of text that are settled, and the runs that they make.
    var end: UInt32 = 0
    var runs: UInt32 = 0
    /// How many notes the leaf was the first to refer to.
    var footnotes: UInt32 = 0
  }

  let row: Int
  /// `checkpoints[n]` is what is settled after `n` stages.
  private(set) var checkpoints = [Checkpoint()]
  /// The stage in which something was first taken as text only because it had been open for long: where the leaf is
  /// sealed, what follows that checkpoint is parsed as a whole.
  private(set) var givenUpAt: Int?
  /// The labels that wait for a definition, and the notes that the leaf was the first to refer to.
  private(set) var waiting: [WaitingLabel] = []
  private(set) var footnotes: [Int] = []

  init(row: Int) { self.row = row }

  /// The number of stages of a text of this length.
  static func count(of length: Int) -> Int { length > 0 ? (length - 1) / stride : 0 }

  /// The part of the text that stage `number` (from 1) sees: whole characters.
  static func end(ofStage number: Int, in text: borrowing Span<UInt8>) -> Int {
    var end = number * stride
    while end > 0 && text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  static func ending(ofStage number: Int) -> InlineEnding {
    .open(givingUpBefore: max(0, number * stride - reach))
  }

  /// Adds the stage that `content` is settled after; `runs` and `footnotes` are what these settled parts added.
  mutating func add(_ content: borrowing InlineContent, runs: Int, footnotes added: some Sequence<Int>) {
    if content.hasGivenUp && givenUpAt == nil { givenUpAt = checkpoints.count - 1 }
    for label in content.waiting where label.range.upperBound <= content.settledEnd { waiting.append(label) }
    footnotes.append(contentsOf: added)
    let last = checkpoints[checkpoints.count - 1]
    checkpoints.append(
      Checkpoint(
        end: UInt32(content.settledEnd), runs: last.runs + UInt32(runs), footnotes: UInt32(footnotes.count)))
  }

  /// Forgets the stages that a text of this length does not have.
  mutating func cut(to length: Int) {
    let count = Self.count(of: length)
    guard checkpoints.count > count + 1 else { return }
    checkpoints.removeSubrange((count + 1)...)
    let last = checkpoints[count]
    if let stage = givenUpAt, stage >= count { givenUpAt = nil }
    waiting.removeAll { $0.range.upperBound > Int(last.end) }
    footnotes.removeSubrange(Int(last.footnotes)...)
  }
}
