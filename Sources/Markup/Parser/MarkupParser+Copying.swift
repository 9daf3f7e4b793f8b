extension MarkupParser {
  /// A parser that stands where this one does. Both go on by themselves.
  ///
  /// - Complexity: O(1); the first change of either copies what both share.
  package borrowing func copy() -> MarkupParser {
    var copy = MarkupParser(grammar)
    copy.blocks = blocks
    copy.input = input
    copy.isFinishing = isFinishing
    copy.cursor = cursor
    copy.decided = decided
    copy.now = now
    copy.reach = reach
    copy.memory = memory
    copy.steps = steps
    copy.phase = phase
    copy.line = line
    copy.spans = spans
    copy.deferredTag = deferredTag
    copy.spine = spine
    copy.leaf = leaf
    copy.substitutions = substitutions
    copy.openComponents = openComponents
    copy.lastKeyed = lastKeyed
    copy.unkeyedCount = unkeyedCount
    copy.repeats = repeats
    return copy
  }
}
