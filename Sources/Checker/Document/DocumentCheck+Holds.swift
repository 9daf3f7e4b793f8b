extension DocumentCheck where Engine: ~Copyable {
  /// Counts how many bytes each prefix holds back, and how many tokens later each byte shows.
  mutating func measureHolds() {
    let ends = Split.tokens.chunkEnds(of: source)
    report.tokens = source.isEmpty ? 0 : ends.count
    // The offset of the prefix that first shows the byte at hand.
    var shown = 0
    var token = 0
    var shownToken = 0
    for offset in 0...source.count { report.held.add(Int(history.states[offset].pending)) }
    for place in source.indices {
      while shown < source.count && (shown <= place || shown - Int(history.states[shown].pending) <= place) {
        shown += 1
      }
      while ends[token] <= place { token += 1 }
      while shownToken < ends.count - 1 && ends[shownToken] < shown { shownToken += 1 }
      report.heldTokens.add(max(0, shownToken - token))
    }
  }
}
