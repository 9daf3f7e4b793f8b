import BlockDiff
import Foundation
import Markup

extension Command {
  /// `mooring bench`.
  static let bench = Command(
    words: ["bench"], summary: "Measures the engine on documents of one long open block each",
    notes: """
      Prints, for each kind of block, the best of seven runs: the time of all appends and of one, parsing alone \
      and with the diff of each append; what the last tenth of the appends took over the first (the median); and the speed \
      of the whole document in one append.
      """,
    options: [
      Option("--bytes", "N", "The size of each document (default 100000)"),
      Option("--chunk", "N", "The size of each append (default 20)"),
    ]
  ) { arguments in
    let size = try arguments.number("--bytes", in: 1_000...100_000_000) ?? 100_000
    let chunk = try arguments.number("--chunk", in: 1...1_000_000) ?? 20
    let heads = ["appends ms", "ns each", "with diffs ms", "ns each", "last/first tenth", "whole MB/s"]
    Output.print(AppendFigures.row("\(size) bytes by \(chunk)", heads))
    for document in BenchDocument.all {
      let figures = AppendFigures.best(of: 7, document.bytes(size), chunk: chunk)
      Output.print(AppendFigures.row(document.name, figures.columns))
    }
  }
}

/// What feeding one document took.
struct AppendFigures {
  private var appends = 0
  private var bytes = 0
  private var parsing = Duration.seconds(1_000_000)
  private var withDiffs = Duration.seconds(1_000_000)
  private var whole = Duration.seconds(1_000_000)
  /// The last tenth's time over the first's, of each run.
  private var tenths: [Double] = []

  /// The best figures of several runs.
  static func best(of runs: Int, _ source: [UInt8], chunk: Int) -> AppendFigures {
    var figures = AppendFigures()
    figures.bytes = source.count
    figures.appends = (source.count + chunk - 1) / chunk
    for _ in 0..<runs { figures.run(source, chunk) }
    return figures
  }

  private mutating func run(_ source: [UInt8], _ chunk: Int) {
    let clock = ContinuousClock()
    var marks: [ContinuousClock.Instant] = []
    marks.reserveCapacity(12)
    var parser = MarkupParser(dialect: .chat)
    let start = clock.now
    marks.append(start)
    Self.feed(source, chunk) { range in
      parser.append(source.span.extracting(range))
      if range.upperBound * 10 >= source.count * marks.count { marks.append(clock.now) }
    }
    parsing = min(parsing, marks[marks.count - 1] - start)
    if marks.count > 10 { tenths.append((marks[10] - marks[9]) / (marks[1] - marks[0])) }

    var other = MarkupParser(dialect: .chat)
    var ops: [BlockOp] = []
    withDiffs = min(
      withDiffs,
      clock.measure {
        Self.feed(source, chunk) { range in
          other.append(source.span.extracting(range))
          ops.removeAll(keepingCapacity: true)
          other.blocks.appendOps(since: ByteOffset(range.lowerBound), to: &ops)
        }
      })
    var third = MarkupParser(dialect: .chat)
    whole = min(
      whole,
      clock.measure {
        third.append(source.span)
        third.finish()
      })
  }

  private static func feed(_ source: [UInt8], _ chunk: Int, _ body: (Range<Int>) -> Void) {
    var begin = 0
    while begin < source.count {
      let end = min(begin + chunk, source.count)
      body(begin..<end)
      begin = end
    }
  }

  /// The figures as text, in the order of the table's heads.
  var columns: [String] {
    let each = { (time: Duration) in number(time / .nanoseconds(1) / Double(appends), 0) }
    return [
      number(parsing / .milliseconds(1), 2), each(parsing), number(withDiffs / .milliseconds(1), 2),
      each(withDiffs), number(tenths.isEmpty ? 1 : tenths.sorted()[tenths.count / 2], 2),
      number(Double(bytes) / (whole / .microseconds(1)), 0),
    ]
  }

  private func number(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

  /// A line of the table.
  static func row(_ name: String, _ columns: [String]) -> String {
    let cells = columns.map { String(repeating: " ", count: max(0, 17 - $0.count)) + $0 }
    return name.padding(toLength: 24, withPad: " ", startingAt: 0) + cells.joined() + "\n"
  }
}
