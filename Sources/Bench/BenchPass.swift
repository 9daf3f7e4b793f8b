import BlockDiff
package import Markup

/// What is done with a document's appends. `diffs` and `json` each do what the one before does, and more; one more layer is
/// one more case here and in `BenchPass.run`.
package enum BenchLayer: String, CaseIterable, Sendable {
  /// Parsing alone.
  case blocks
  /// And the diff of each append.
  case diffs
  /// And each diff as JSON.
  case json
  /// And the runs of inline content in that.
  case runs
  /// Or, in place of the runs, their HTML.
  case liveHTML = "live-html"
  /// Parsing, and the HTML of the finished document: inline content is parsed.
  case html

  /// Whether each append's diff is asked for.
  var hasDiffs: Bool { self != .blocks && self != .html }
}

/// A document on its way through the engine.
private struct Feed: ~Copyable {
  var parser: MarkupParser
  private let source: [UInt8]
  private let layer: BenchLayer
  private var diff = Diff(from: .zero, to: .zero, pending: 0)
  private var writer = JSONWriter()
  private var inlines: InlineView
  private let envelope = Envelope()
  /// How much has been read.
  private(set) var position = 0

  init(_ source: [UInt8], chunk: Int, layer: BenchLayer, dialect: Dialect) {
    self.source = source
    self.layer = layer
    // As `mooring parse` does with a document that is there as a whole.
    let isWhole = chunk >= source.count
    parser = MarkupParser(dialect: dialect, keepsHistory: !isWhole || layer.hasDiffs)
    inlines = InlineView(dialect: dialect)
    if isWhole { parser.reserve(sourceBytes: source.count) }
  }

  var isDone: Bool { position == source.count }

  /// Appends the next bytes, at most so many, and does what the layer does with them.
  mutating func append(_ bytes: Int) {
    let begin = position
    position = min(begin + bytes, source.count)
    let source = source
    parser.append(source.span.extracting(begin..<position))
    guard layer.hasDiffs else { return }
    diff.ops.removeAll(keepingCapacity: true)
    diff.from = ByteOffset(begin)
    diff.to = parser.blocks.position
    diff.pending = parser.blocks.pending
    parser.blocks.appendOps(since: diff.from, to: &diff.ops)
    if layer == .diffs { return }
    writer.removeAll()
    if layer == .json {
      writer.write(diff, of: parser.blocks, in: envelope)
    } else {
      writer.write(
        diff, of: parser.blocks, inlines: &inlines, as: layer == .runs ? .runs : .html, in: envelope)
    }
  }
}

/// One feeding of a document, and what it took.
package struct BenchPass {
  package private(set) var time = Duration.zero
  /// The time of the last tenth of the appends over that of the first; `nil` if there are too few.
  package private(set) var lastOverFirst: Double?
  /// The bytes of the parser's and the table's buffers at the end, free room included.
  package private(set) var footprint = 0

  /// Feeds `source` in chunks.
  package static func run(
    _ source: [UInt8], chunk: Int, layer: BenchLayer, dialect: Dialect = .chat
  ) -> BenchPass {
    let clock = ContinuousClock()
    var marks = [clock.now]
    marks.reserveCapacity(12)
    var feed = Feed(source, chunk: chunk, layer: layer, dialect: dialect)
    while !feed.isDone {
      feed.append(chunk)
      if feed.position * 10 >= source.count * marks.count { marks.append(clock.now) }
    }
    var pass = BenchPass()
    if marks.count > 10 && source.count >= 20 * chunk {
      pass.lastOverFirst = (marks[10] - marks[9]) / (marks[1] - marks[0])
    }
    pass.footprint = feed.parser.footprint
    if layer == .html {
      feed.parser.finish()
      var html = HTMLWriter(dialect: dialect)
      html.write(feed.parser.blocks)
    }
    pass.time = marks[0].duration(to: clock.now)
    return pass
  }

  /// What 99 of 100 appends of `source` in chunks take at most, each with its diff; a look at the clock is in it.
  static func slowAppend(_ source: [UInt8], chunk: Int) -> Duration {
    let clock = ContinuousClock()
    var feed = Feed(source, chunk: chunk, layer: .diffs, dialect: .chat)
    var times: [Duration] = []
    times.reserveCapacity(source.count / chunk + 1)
    while !feed.isDone {
      let begin = clock.now
      feed.append(chunk)
      times.append(begin.duration(to: clock.now))
    }
    times.sort()
    return times.isEmpty ? .zero : times[(times.count - 1) * 99 / 100]
  }
}

/// The best of several passes.
package struct BenchFigures {
  /// The least time of a pass.
  package private(set) var time = Duration.seconds(1_000_000)
  /// The bytes of the parser's and the table's buffers at the end, free room included.
  package private(set) var footprint = 0
  /// What 99 of 100 appends take at most, each with its diff; only of the layer that ends there.
  package private(set) var slowAppend: Duration?
  private var ratios: [Double] = []

  /// The median, over the passes, of the last tenth's time over the first's.
  package var lastOverFirst: Double? { ratios.isEmpty ? nil : ratios.sorted()[ratios.count / 2] }

  /// Measures at once.
  ///
  /// - Parameter rounds: how many passes; `nil` for as many as take a fifth of a second, at least one and at most fifty.
  package init(_ source: [UInt8], chunk: Int, layer: BenchLayer, rounds: Int?) {
    var spent = Duration.zero
    var count = 0
    while rounds.map({ count < $0 }) ?? (count < 1 || (count < 50 && spent < .milliseconds(200))) {
      let pass = BenchPass.run(source, chunk: chunk, layer: layer)
      time = min(time, pass.time)
      footprint = pass.footprint
      if let ratio = pass.lastOverFirst { ratios.append(ratio) }
      if layer == .diffs {
        let slow = BenchPass.slowAppend(source, chunk: chunk)
        slowAppend = min(slowAppend ?? slow, slow)
      }
      spent += pass.time
      count += 1
    }
  }
}
