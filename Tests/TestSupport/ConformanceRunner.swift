package import BlockDiff
import Checker
import Markup

/// Runs conformance vectors: in every split, the parser's state, its held bytes and its diffs must be those of
/// the vector.
package enum ConformanceRunner {
  /// The first failure of each vector that has one.
  package static func failures(of vectors: [ConformanceVector]) async -> [TestFailure] {
    let trace = Trace.isOn
    return await withTaskGroup(of: TestFailure?.self) { group in
      for vector in vectors {
        group.addTask {
          if trace { Trace.write(vector.name) }
          return failure(of: vector)
        }
      }
      var failures: [TestFailure] = []
      for await failure in group { if let failure { failures.append(failure) } }
      return failures
    }
  }

  /// The first failure of one vector: byte by byte first, since that names the smallest prefix.
  package static func failure(of vector: ConformanceVector) -> TestFailure? {
    var splits: [Split] = [.bytes, .whole, .lines]
    splits += (1...4).map { .random(seed: $0) }
    for split in splits {
      do { try run(vector, split: split) } catch { return error }
    }
    return nil
  }

  private static func run(_ vector: ConformanceVector, split: Split) throws(TestFailure) {
    func fail(_ offset: Int, _ detail: String) -> TestFailure {
      TestFailure(
        name: vector.name, rule: vector.rule, parse: vector.parse, source: vector.source, split: split,
        offset: offset, detail: detail)
    }
    var parser = MarkupParser(dialect: vector.parse.dialect, options: vector.parse.options)
    var expected = ExpectedState(vector)
    var client = BlockDocument()
    var start = 0
    for end in [0] + split.chunkEnds(of: vector.source) {
      parser.append(vector.source.span.extracting(start..<end))
      if parser.blocks.position.value != end {
        throw fail(end, "  position is \(parser.blocks.position.value)")
      }
      let isFirst = end == 0 && client.blocks.isEmpty
      let update = BlockDocument.Update(
        parser.blocks.diff(since: isFirst ? nil : ByteOffset(start)), of: parser.blocks)
      do { try client.apply(update) } catch { throw fail(end, "  the client refuses the diff: \(error)") }
      let operations: [BlockDocument.Operation]
      do { operations = try expected.advance(to: end) } catch {
        throw fail(end, "  the vector is not well-formed: \(error)")
      }
      // Every chunk end is compared whole where there are few; otherwise what changed, and samples.
      let isSampled = split != .bytes || end <= 48 || end % 16 == 0 || end == vector.source.count
      if isSampled {
        if let detail = StateDifference.between(expected.document.blocks, parser.blocks) {
          throw fail(end, detail)
        }
        if let detail = StateDifference.between(expected.document.blocks, client.blocks) {
          throw fail(end, "  in the client that applied the diffs\n\(detail)")
        }
      } else if let detail = touched(operations + update.operations, expected.document, client) {
        throw fail(end, detail)
      }
      if parser.blocks.pending != expected.pending {
        throw fail(end, "  pending: expected \(expected.pending), got \(parser.blocks.pending)")
      }
      start = end
    }
    parser.finish()
    let last = vector.source.count + 1
    if let detail = StateDifference.between(vector.blocks, parser.blocks) { throw fail(last, detail) }
    let diff = parser.blocks.diff(since: ByteOffset(start))
    let update = BlockDocument.Update(diff, of: parser.blocks)
    do { try client.apply(update) } catch { throw fail(last, "  the client refuses the diff: \(error)") }
    if let detail = StateDifference.between(vector.blocks, client.blocks) {
      throw fail(last, "  in the client that applied the diffs\n\(detail)")
    }
    if !client.isFinished || parser.blocks.pending != 0 || parser.blocks.position.value != last {
      throw fail(last, "  finishing: position \(parser.blocks.position), pending \(parser.blocks.pending)")
    }
  }

  /// Compares the blocks that the ops of either side name.
  private static func touched(
    _ operations: [BlockDocument.Operation], _ expected: BlockDocument, _ found: BlockDocument
  ) -> String? {
    for operation in operations {
      guard let id = operation.id else { continue }
      if expected[id] != found[id] { return StateDifference.describe(expected[id], found[id]) }
    }
    guard expected.blocks.count == found.blocks.count else {
      return "  \(expected.blocks.count) blocks expected, got \(found.blocks.count)"
    }
    return nil
  }
}

extension BlockDocument.Operation {
  /// The ID of the block that the op is about.
  package var id: ByteString? {
    switch self {
    case .open(let block): block.id
    case .append(let id, _, _), .set(let id, _, _), .seal(let id, _, _), .inlines(let id, _, _): id
    case .finish: nil
    }
  }
}

/// The state that a vector's steps give, offset by offset.
package struct ExpectedState {
  package private(set) var document = BlockDocument()
  package private(set) var pending = 0
  private let steps: [ConformanceVector.Step]
  private var next = 0

  package init(_ vector: ConformanceVector) { steps = vector.steps }

  /// Moves on to the state at `offset`, which is not before the state's own; answers the ops applied.
  package mutating func advance(to offset: Int) throws(BlockDocumentError) -> [BlockDocument.Operation] {
    var operations: [BlockDocument.Operation] = []
    while next < steps.count, steps[next].at <= offset {
      let step = steps[next]
      let to = OffsetToken(incarnation: 0, position: ByteOffset(step.at))
      try document.apply(
        BlockDocument.Update(
          from: document.at, to: to, pending: step.pending, operations: step.operations))
      pending = step.pending
      operations += step.operations
      next += 1
    }
    return operations
  }
}
