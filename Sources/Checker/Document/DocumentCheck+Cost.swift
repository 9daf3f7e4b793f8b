// Promise 7, by counted steps.
extension DocumentCheck where Engine: ~Copyable {
  /// Feeds the source over and over, to N and to 2 N bytes, in small chunks: the second half may not cost more
  /// than the first for what there is to do, which is the bytes and, for each line, the open blocks.
  mutating func checkCost() throws(CheckStop) {
    guard !source.isEmpty, options.costBytes > 0 else { return }
    let source = source
    let times = max(1, options.costBytes / source.count)
    let length = times * source.count
    var engine = makeEngine()
    var work = 0
    var open = 0
    var position = 0
    var half = (steps: 0, work: 0)
    for turn in 0..<2 * times {
      var start = 0
      while start < source.count {
        let end = min(start + Self.costChunkBytes, source.count)
        let chunk = source.span.extracting(start..<end)
        var lines = 1
        for place in chunk.indices where chunk[place] == 0x0A || chunk[place] == 0x0D { lines += 1 }
        engine.append(chunk)
        engine.readDiff(since: position, into: &message)
        position += chunk.count
        start = end
        let before = open
        for op in message.ops {
          if op.kind == .open && op.end < 0 { open += 1 }
          if op.kind == .seal { open -= 1 }
        }
        work += chunk.count + lines * max(before, open) + message.ops.count
      }
      if turn == times - 1 { half = (engine.steps, work) }
      if Task.isCancelled { throw .cancelled }
    }
    let second = (steps: engine.steps - half.steps, work: work - half.work)
    let allowed =
      Self.growth * Double(half.steps) / Double(half.work) * Double(second.work) + Double(Self.slackSteps)
    if Double(second.steps) > allowed || engine.steps > Self.stepsPerWork * work + Self.slackSteps {
      throw .violated(
        Violation(
          .cost, at: source.count,
          """
          over and over, \(half.steps) steps for the first \(length) bytes and \(second.steps) for the next \
          \(length)
          """, chunkEnds: [source.count]))
    }
  }

  /// About what a network read of a model's tokens holds.
  private static var costChunkBytes: Int { 48 }
  private static var growth: Double { 1.25 }
  /// Hostile input takes up to 14 steps a byte (CostTests).
  private static var stepsPerWork: Int { 16 }
  /// What may be held at the half and paid for later: an open tag's 8 KiB a few times over.
  private static var slackSteps: Int { 48_000 }
}
