// Chunk independence: what other chunks give, compared with the reference by digest.
extension DocumentCheck where Engine: ~Copyable {
  /// Compares the state after every chunk of a split.
  mutating func compare(_ split: Split) throws(CheckStop) {
    let ends = split.chunkEnds(of: source)
    report.splits.append(CheckReport.SplitCount(name: split.description, chunks: ends.count))
    // The reference is this split.
    if split == .bytes { return }
    try compare(ends, snapshots: false)
  }

  /// Feeds the source in chunks whose ends the reference knows, and compares the states that the diffs give.
  ///
  /// - Parameter snapshots: whether snapshots are compared as well.
  mutating func compare(_ ends: [Int], snapshots: Bool) throws(CheckStop) {
    var engine = makeEngine()
    var start: Int?
    for end in ends + [finished] {
      if end == finished {
        engine.finish()
      } else {
        engine.append(source.span.extracting((start ?? 0)..<end))
      }
      if start == end { continue }
      try compareState(&engine, from: start, at: end, ends)
      if snapshots { try compareSnapshot(&engine, at: end, ends) }
      start = end
    }
  }

  private mutating func compareState(
    _ engine: inout Engine, from: Int?, at offset: Int, _ ends: [Int]
  ) throws(CheckStop) {
    engine.readDiff(since: from, into: &message)
    var found: Violation?
    do throws(CheckStop) {
      try checkPosition(offset)
      let result = try history.trying(message, from: from)
      let state = history.states[offset]
      if result.digest == state.digest && result.count == Int(state.count)
        && message.pending == Int(state.pending)
      {
        return
      }
    } catch {
      guard case .violated(let violation) = error else { throw error }
      found = violation
    }
    throw .violated(explanation(of: ends, at: offset, found))
  }

  private mutating func compareSnapshot(
    _ engine: inout Engine, at offset: Int, _ ends: [Int]
  ) throws(CheckStop) {
    let digest = snapshots.readDigest(of: &engine)
    let state = history.states[offset]
    if snapshots.message.position != offset || digest != state.digest
      || snapshots.message.pending != Int(state.pending)
    {
      throw .violated(explanation(of: ends, at: offset, nil))
    }
  }

  // MARK: - Whole prefixes

  /// Parses prefixes in one piece each.
  mutating func comparePrefixes() throws(CheckStop) {
    let isWhole = options.prefixes == .all && source.count <= options.wholeLimitBytes
    let step = isWhole ? 1 : max(1, source.count / options.sampledPrefixes)
    let finishing = max(1, source.count / Self.sampledEnds)
    for offset in stride(from: 0, through: source.count, by: step) {
      try comparePrefix(offset, finishes: (offset / step) % max(1, finishing / step) == 0)
      report.wholePrefixes += 1
      if offset & 63 == 0 && Task.isCancelled { throw .cancelled }
    }
    if source.count % step != 0 {
      try comparePrefix(source.count, finishes: true)
      report.wholePrefixes += 1
    }
    // The reference was replayed at each of them in any case.
    report.prefixes = options.prefixes == .all ? source.count + 1 : report.wholePrefixes
  }

  /// The prefixes that are also finished, and after which the rest is fed: all of a short document.
  private static var sampledEnds: Int { 96 }

  mutating func comparePrefix(_ offset: Int, finishes: Bool) throws(CheckStop) {
    if finishes && offset < source.count {
      try compare([offset, source.count], snapshots: true)
      return try finishPrefix(offset)
    }
    var engine = makeEngine()
    engine.append(source.span.extracting(0..<offset))
    try compareSnapshot(&engine, at: offset, [offset, source.count])
  }

  /// Finishing is an extension of the prefix: it changes no sealed block, seals all, and its diff gives the
  /// snapshot.
  private mutating func finishPrefix(_ offset: Int) throws(CheckStop) {
    var engine = makeEngine()
    engine.append(source.span.extracting(0..<offset))
    engine.finish()
    engine.readDiff(since: offset, into: &message)
    let result = try history.trying(message, from: offset)
    let digest = snapshots.readDigest(of: &engine)
    let isSealed = snapshots.message.ops.allSatisfy { $0.end >= 0 }
    if snapshots.message.position != offset + 1 || !snapshots.message.isFinished
      || snapshots.message.pending != 0 || !isSealed || digest != result.digest
    {
      throw .violated(
        Violation(
          .replay, at: offset + 1, "the prefix of \(offset) bytes, finished, is not what its diff says",
          chunkEnds: [offset]))
    }
  }
}
