import Markup

/// Checks the promises of identity.md §3 on one document, by replaying its prefixes.
///
/// The reference is the document fed byte by byte: a client applies its diffs, keeps the digest of every state,
/// and asserts permanence, uniqueness, sealing and replay at every offset. Everything else is compared with
/// these digests: every other split at the end of each chunk, whole parses of prefixes, and diffs from earlier
/// offsets. So all splits together cost a small multiple of one parse.
///
/// The checker believes nothing that the engine says of itself: it sees snapshots and diffs.
package struct DocumentCheck<Engine: CheckedEngine & ~Copyable>: ~Copyable {
  let source: [UInt8]
  let options: CheckOptions
  let makeEngine: @Sendable () -> Engine
  var history: History
  var report: CheckReport
  var message = WireMessage()
  /// What whole parses give, one after another.
  var snapshots = SnapshotSeries()
  var generator: SeededGenerator
  /// Whether the reference is complete.
  private var isReplayed = false

  package init(
    _ source: [UInt8], options: CheckOptions = CheckOptions(), makeEngine: @escaping @Sendable () -> Engine
  ) {
    self.source = source
    self.options = options
    self.makeEngine = makeEngine
    history = History(sourceLength: source.count)
    report = CheckReport()
    generator = SeededGenerator(seed: options.seed ^ UInt64(source.count))
  }

  /// The position after `finish`.
  var finished: Int { source.count + 1 }

  /// Checks everything that the options ask for.
  ///
  /// - Parameter onPart: called after each part, with how many of all parts are done.
  /// - Throws: only `CheckStop.cancelled`, when the task that it runs in is.
  /// - Complexity: O(bytes) for each split, O(bytes²) for all prefixes.
  package consuming func run(
    onPart: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) throws(CheckStop) -> CheckReport {
    // The reference, each split, the prefixes, the cost, and shrinking.
    let count = options.splits.count + 4
    report.documents = 1
    report.bytes = source.count
    try collect { (check: inout Self) throws(CheckStop) in
      try check.readReference(Split.bytes.chunkEnds(of: check.source), thoroughly: true)
      check.isReplayed = true
    }
    onPart(1, count)
    if isReplayed {
      for (place, split) in options.splits.enumerated() {
        try collect { (check: inout Self) throws(CheckStop) in try check.compare(split) }
        onPart(place + 2, count)
      }
      try collect { (check: inout Self) throws(CheckStop) in try check.comparePrefixes() }
      measureHolds()
    }
    onPart(count - 2, count)
    try collect { (check: inout Self) throws(CheckStop) in try check.checkCost() }
    onPart(count - 1, count)
    if options.shrinks { try shrinkViolations() }
    onPart(count, count)
    return report
  }

  /// Does a part of the check and keeps what it finds: the first violation of each promise.
  private mutating func collect(
    _ part: (inout Self) throws(CheckStop) -> Void
  ) throws(CheckStop) {
    if Task.isCancelled { throw .cancelled }
    do throws(CheckStop) { try part(&self) } catch {
      guard case .violated(let violation) = error else { throw error }
      if !report.violations.contains(where: { $0.promise == violation.promise }) {
        report.violations.append(violation)
      }
    }
  }

  // MARK: - The reference

  /// Feeds the source in chunks to a client, which keeps every state that it sees.
  ///
  /// - Parameter thoroughly: whether snapshots and diffs from earlier offsets are compared as well.
  mutating func readReference(_ ends: [Int], thoroughly: Bool) throws(CheckStop) {
    do throws(CheckStop) {
      try replay(ends, thoroughly: thoroughly)
    } catch {
      guard case .violated(var violation) = error else { throw error }
      violation.chunkEnds = ends
      // Snapshots tell what happened to a block; a diff that goes wrong is often only what follows.
      throw .violated(firstBreach(of: ends, through: violation.offset) ?? violation)
    }
  }

  private mutating func replay(_ ends: [Int], thoroughly: Bool) throws(CheckStop) {
    var engine = makeEngine()
    engine.readDiff(since: nil, into: &message)
    try checkPosition(0)
    try history.apply(message)
    let sampling = max(1, ends.count / Self.sampledSnapshots)
    var start = 0
    for place in ends.indices {
      let end = ends[place]
      engine.append(source.span.extracting(start..<end))
      engine.readDiff(since: start, into: &message)
      try checkPosition(end)
      if end == start {
        try checkEmptyDiff()
        continue
      }
      try history.apply(message)
      start = end
      if place & 1023 == 0 && Task.isCancelled { throw .cancelled }
      guard thoroughly else { continue }
      if ends.count <= Self.everySnapshot || place % sampling == 0 { try compareSnapshot(&engine, at: end) }
      try replayFromEarlier(&engine, at: end)
    }
    engine.finish()
    engine.readDiff(since: start, into: &message)
    try checkPosition(finished)
    try history.apply(message)
    try compareSnapshot(&engine, at: finished)
    try checkFinishedTree()
    if thoroughly { try replayFromEarlier(&engine, at: finished) }
    report.blocks = history.blocks.count
    report.retypes = history.retypes
  }

  /// The most chunks after each of which a snapshot is compared, and the snapshots compared of more.
  private static var everySnapshot: Int { 256 }
  private static var sampledSnapshots: Int { 64 }

  /// The engine must be where it was led, and hold no more than it was given.
  func checkPosition(_ offset: Int) throws(CheckStop) {
    let held = offset > source.count ? 0 : offset
    if message.position != offset || message.pending < 0 || message.pending > held
      || message.isFinished != (offset > source.count)
    {
      throw .violated(
        Violation(
          .totality, at: offset,
          """
          after \(offset) bytes\(offset > source.count ? " (finished)" : "") the position is \
          \(message.position), \(message.pending) pending, finished: \(message.isFinished)
          """))
    }
  }

  private func checkEmptyDiff() throws(CheckStop) {
    if let op = message.ops.first {
      throw .violated(
        Violation(
          .replay, at: message.position, id: message.id(of: op),
          "an empty chunk gives \(message.description(of: op))"))
    }
  }

  private mutating func compareSnapshot(_ engine: inout Engine, at offset: Int) throws(CheckStop) {
    engine.readSnapshot(into: &message)
    try checkPosition(offset)
    if BlockDigest.state(message) != history.states[offset].digest {
      throw .violated(Violation(.replay, at: offset, "the diffs do not give the snapshot"))
    }
  }

  /// Applies the diff from earlier offsets to the states there: all of them in a short document, else a few
  /// near ones always and far ones now and then, so that the cost stays in proportion.
  private mutating func replayFromEarlier(_ engine: inout Engine, at offset: Int) throws(CheckStop) {
    let last = history.offsets.count - 2
    guard last >= 0 else { return }
    if source.count <= options.everyPairBytes {
      try replay(&engine, from: nil, at: offset)
      for place in 0...last { try replay(&engine, from: history.offsets[place], at: offset) }
      return
    }
    let chance = generator.next()
    try replay(&engine, from: history.offsets[max(0, last - 1)], at: offset)
    var reach = 8
    var bits = chance
    repeat {
      let place = max(0, last - generator.below(reach))
      try replay(&engine, from: history.offsets[place], at: offset)
      reach *= 8
      bits >>= 2
    } while bits & 3 == 0 && reach < 64 * max(8, last)
    if chance >> 54 == 0 { try replay(&engine, from: nil, at: offset) }
  }

  private mutating func replay(_ engine: inout Engine, from: Int?, at offset: Int) throws(CheckStop) {
    engine.readDiff(since: from, into: &message)
    try checkPosition(offset)
    let result = try history.trying(message, from: from)
    let state = history.states[offset]
    if result.digest != state.digest || result.count != Int(state.count) {
      let ops = message.ops.prefix(6).map { message.description(of: $0) }
      throw .violated(
        Violation(
          .replay, at: offset,
          """
          the diff from \(from.map { "\($0)" } ?? "nothing") does not give the state: \
          \(ops.joined(separator: "; "))
          """))
    }
  }

  /// What holds for every finished tree; `message` is its snapshot.
  private func checkFinishedTree() throws(CheckStop) {
    var open: [(id: ArraySlice<UInt8>, op: WireOp)] = []
    for op in message.ops {
      func broken(_ what: String) -> CheckStop {
        .violated(
          Violation(
            .finishedEqualsStandard, at: finished, id: message.id(of: op),
            "\(message.description(of: op)) \(what)"))
      }
      if op.end < 0 || op.end > source.count { throw broken("is not sealed, or ends behind the source") }
      let parent = op.parent.map { message.bytes[$0] }
      while let last = open.last, last.id != parent { open.removeLast() }
      if let outer = open.last?.op, outer.end < op.end || outer.begin > op.begin {
        throw broken("is not within its parent, \(message.description(of: outer))")
      }
      open.append((message.bytes[op.id], op))
    }
  }
}
