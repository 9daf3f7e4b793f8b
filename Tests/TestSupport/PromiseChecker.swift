import BlockDiff
import Markup

/// Checks promises 1 to 5 of the identity rules on one source, by replaying its prefixes.
///
/// The reference is the source fed byte by byte; every other way to cut it, and every diff from an earlier
/// offset, must give the same states.
package struct PromiseChecker {
  private let name: String
  private let parse: ParseOptions
  private let source: [UInt8]
  /// The offsets whose states are kept and compared: all of a short source, samples of a long one.
  private let kept: [Int]
  private var states: [Int: State] = [:]

  private struct State {
    var blocks: [DocumentBlock]
    var pending: Int
  }

  /// The most offsets that are compared in one source.
  private static let sampleLimit = 160

  private init(name: String, parse: ParseOptions, source: [UInt8]) {
    self.name = name
    self.parse = parse
    self.source = source
    let step = max(1, source.count / Self.sampleLimit)
    var offsets = Array(stride(from: 0, to: source.count, by: step))
    offsets.append(source.count)
    kept = offsets
  }

  /// The first promise that does not hold for `source`; `nil` if all do.
  package static func failure(name: String, parse: ParseOptions, source: [UInt8]) -> TestFailure? {
    var checker = PromiseChecker(name: name, parse: parse, source: source)
    do { try checker.run() } catch { return error }
    return nil
  }

  private var finished: Int { source.count + 1 }

  private func fail(_ promise: String, _ split: Split, _ offset: Int, _ detail: String) -> TestFailure {
    TestFailure(
      name: name, rule: promise, parse: parse, source: source, split: split, offset: offset, detail: detail)
  }

  private mutating func run() throws(TestFailure) {
    try replayBytes()
    for split in [.whole, .lines, .tokens] + (1...3).map({ Split.random(seed: $0) }) {
      try compare(split)
    }
    for offset in kept { try compare(.two(at: offset)) }
  }

  // MARK: - Byte by byte

  /// Feeds the source byte by byte, keeps states, and checks permanence, uniqueness, sealing and replay.
  private mutating func replayBytes() throws(TestFailure) {
    var parser = MarkupParser(dialect: parse.dialect, options: parse.options)
    var client = BlockDocument()
    var last: State?
    var next = 0
    for offset in 0...finished {
      if offset == finished {
        parser.finish()
      } else if offset > 0 {
        parser.append(source.span.extracting(offset - 1..<offset))
      }
      try check(parser.blocks, at: offset)
      try apply(
        parser.blocks.diff(since: offset == 0 ? nil : ByteOffset(offset - 1)), parser.blocks, to: &client)
      let isKept = offset == finished || kept[next] == offset
      guard isKept else { continue }
      if offset != finished { next += 1 }
      let state = State(blocks: client.blocks, pending: client.pending)
      if let detail = StateDifference.between(state.blocks, parser.blocks) {
        throw fail("replay", .bytes, offset, "  in the client (expected: what it has)\n\(detail)")
      }
      if let last { try comparePermanence(last, state, at: offset) }
      try replayFromEarlier(parser.blocks, to: state, at: offset)
      states[offset] = state
      last = state
    }
    try checkFinished(client.blocks)
  }

  private func apply(
    _ diff: Diff, _ table: borrowing BlockTable, to client: inout BlockDocument
  ) throws(TestFailure) {
    do { try client.apply(BlockDocument.Update(diff, of: table)) } catch {
      throw fail(
        "replay", .bytes, diff.to.value, "  the client refuses the diff from \(diff.from): \(error)")
    }
  }

  private func check(_ table: borrowing BlockTable, at offset: Int) throws(TestFailure) {
    if table.position.value != offset {
      throw fail("position", .bytes, offset, "  the table's position is \(table.position)")
    }
    if table.pending < 0 || table.pending > min(offset, source.count)
      || (table.isFinished && table.pending > 0)
    {
      throw fail("pending", .bytes, offset, "  pending is \(table.pending)")
    }
  }

  private func comparePermanence(_ old: State, _ new: State, at offset: Int) throws(TestFailure) {
    guard new.blocks.count >= old.blocks.count else {
      throw fail("permanence", .bytes, offset, "  \(old.blocks.count) blocks became \(new.blocks.count)")
    }
    for (before, after) in zip(old.blocks, new.blocks) {
      guard before.id == after.id, before.parent == after.parent, before.begin == after.begin else {
        throw fail("permanence", .bytes, offset, StateDifference.describe(before, after))
      }
      if !before.isOpen && before != after {
        throw fail("sealing", .bytes, offset, StateDifference.describe(before, after))
      }
      // The same revision is the same content.
      if before.revision == after.revision && before != after {
        throw fail("rev", .bytes, offset, StateDifference.describe(before, after))
      }
    }
  }

  /// Applies the diff from every earlier state (of samples, in a long source) to that state.
  private func replayFromEarlier(
    _ table: borrowing BlockTable, to state: State, at offset: Int
  ) throws(TestFailure) {
    // The earliest ones, the latest ones, and some between, that change from offset to offset.
    let earlier = kept.prefix { $0 < offset }
    let step = source.count <= 40 ? 1 : max(1, earlier.count / 8)
    for place in stride(from: offset % step, to: earlier.count, by: step) {
      let from = earlier[place]
      guard let old = states[from] else { continue }
      let token = OffsetToken(incarnation: 0, position: ByteOffset(from))
      do {
        var document = try BlockDocument(
          blocks: old.blocks, at: token, pending: old.pending, isFinished: false)
        try document.apply(BlockDocument.Update(table.diff(since: ByteOffset(from)), of: table))
        if let detail = StateDifference.between(state.blocks, document.blocks) {
          throw fail("replay", .bytes, offset, "  with the diff from \(from)\n\(detail)")
        }
      } catch let error as BlockDocumentError {
        throw fail("replay", .bytes, offset, "  the state at \(from) refuses the diff: \(error)")
      } catch let error as TestFailure {
        throw error
      } catch {
        throw fail("replay", .bytes, offset, "\(error)")
      }
    }
  }

  /// What holds for every finished tree.
  private func checkFinished(_ blocks: [DocumentBlock]) throws(TestFailure) {
    var containers: [ByteString: DocumentBlock] = [:]
    for block in blocks {
      containers[block.id] = block
      guard let end = block.end, end.value <= source.count else {
        throw fail("sealing", .bytes, finished, "  not sealed, or ends behind the source: \(block.summary)")
      }
      if let parent = block.parent.flatMap({ containers[$0] }), let parentEnd = parent.end {
        if parentEnd < end || parent.begin > block.begin {
          throw fail(
            "ranges", .bytes, finished, "  \(parent.summary)\n  does not enclose\n  \(block.summary)")
        }
      }
    }
  }

  // MARK: - Other chunks

  private func compare(_ split: Split) throws(TestFailure) {
    var parser = MarkupParser(dialect: parse.dialect, options: parse.options)
    var start = 0
    for end in split.chunkEnds(of: source) {
      parser.append(source.span.extracting(start..<end))
      start = end
      try compare(parser.blocks, at: end, split)
    }
    parser.finish()
    try compare(parser.blocks, at: finished, split)
  }

  private func compare(
    _ table: borrowing BlockTable, at offset: Int, _ split: Split
  ) throws(TestFailure) {
    guard let state = states[offset] else { return }
    if let detail = StateDifference.between(state.blocks, table) {
      throw fail("chunk independence", split, offset, "  (expected: byte by byte)\n\(detail)")
    }
    if table.pending != state.pending {
      throw fail(
        "chunk independence", split, offset,
        "  pending is \(table.pending), byte by byte \(state.pending)")
    }
  }
}
