/// Follows the code spans of a line's text, as far as it must be known whether a close tag lies in one
/// (identity.md §5): a run of backticks without a match on its line opens no span.
///
/// `open` holds the lengths of the runs that would open a span if a run of the same length came: the first of
/// them decides, the others count only as long as it stays unmatched.
struct CodeSpans {
  private(set) var open: [Int] = []
  /// The run being read: its length, and how many of its backticks can open (an escaped first one cannot).
  private var run = 0
  private var isRunEscaped = false
  private var isEscaped = false

  /// Whether nothing that it had to remember was read.
  var isInitial: Bool { open.isEmpty && run == 0 && !isRunEscaped && !isEscaped }

  /// Reads a backtick.
  mutating func readBacktick() {
    if run == 0 { isRunEscaped = isEscaped }
    run += 1
    isEscaped = false
  }

  /// Reads a backslash; returns the place in `open` that the run of backticks before it closed, if it did.
  mutating func readBackslash() -> Int? {
    let closed = endRun()
    isEscaped.toggle()
    return closed
  }

  /// Reads any other byte; returns as `readBackslash` does.
  mutating func readOther() -> Int? {
    let closed = endRun()
    isEscaped = false
    return closed
  }

  private mutating func endRun() -> Int? {
    guard run > 0 else { return nil }
    let length = run
    run = 0
    isEscaped = false
    if let index = open.firstIndex(of: length) {
      open.removeSubrange(index...)
      return index
    }
    let opener = isRunEscaped ? length - 1 : length
    if opener > 0 && !open.contains(opener) { open.append(opener) }
    return nil
  }
}

/// A complete close tag behind an unmatched run of backticks.
struct DeferredTag {
  /// The spans as of `reached`.
  var spans: CodeSpans
  /// How many runs were open at the tag: one of these must be matched for the tag to lie in a span.
  var openAtTag: Int
  var reached: Int
}
