// What a difference of digests means. These run once for a violation, and may cost the square of the length.
extension DocumentCheck where Engine: ~Copyable {
  /// What two snapshots, one after another, break first, if they break anything.
  func firstBreach(of ends: [Int], through offset: Int) -> Violation? {
    var engine = makeEngine()
    var old = WireMessage()
    var new = WireMessage()
    engine.readSnapshot(into: &old)
    var start = 0
    for end in ends + [finished] where end <= max(offset, 1) {
      if end == finished {
        engine.finish()
      } else {
        engine.append(source.span.extracting(start..<end))
        start = end
      }
      engine.readSnapshot(into: &new)
      if var violation = SnapshotComparison.violation(from: old, to: new) {
        violation.chunkEnds = ends
        return violation
      }
      swap(&old, &new)
    }
    return nil
  }

  /// Why chunks that end at `ends` gave another state at `offset` than the reference: the chunks themselves, or
  /// diffs that do not say what the snapshots say.
  func explanation(of ends: [Int], at offset: Int, _ found: Violation?) -> Violation {
    var expected = WireMessage()
    var other = WireMessage()
    readSnapshot(Split.bytes.chunkEnds(of: source), at: offset, into: &expected)
    readSnapshot(ends, at: offset, into: &other)
    if let difference = SnapshotComparison.difference(expected, other) {
      return Violation(
        .chunkIndependence, at: offset, id: difference.id, difference.detail, chunkEnds: ends)
    }
    var violation = found ?? firstBreach(of: ends, through: offset)
    violation?.chunkEnds = ends
    return violation
      ?? Violation(
        .replay, at: offset, "the chunks give the same snapshots, and diffs that do not", chunkEnds: ends)
  }

  private func readSnapshot(_ ends: [Int], at offset: Int, into message: inout WireMessage) {
    var engine = makeEngine()
    var start = 0
    for end in ends where end <= offset {
      engine.append(source.span.extracting(start..<end))
      start = end
    }
    if offset == finished { engine.finish() }
    engine.readSnapshot(into: &message)
  }
}
