/// How a run's figures differ from those of an earlier one. It reports; what is good or bad is the reader's to say.
package struct Comparison: Equatable, Sendable {
  /// One figure in both runs.
  package struct Line: Equatable, Sendable {
    package var metric: LoadMetric
    package var baseline: LoadMetric

    /// The difference in parts of the earlier value; `nil` where that is 0.
    package var deviation: Double? {
      baseline.value == 0 ? nil : (metric.value - baseline.value) / baseline.value
    }

    /// The difference in standard errors of both together; `nil` where no noise is known. Under 2 it is what two
    /// runs of the same server show.
    package var inNoise: Double? {
      guard let own = metric.noise, let other = baseline.noise else { return nil }
      let noise = (own * own + other * other).squareRoot()
      return noise == 0 ? nil : (metric.value - baseline.value) / noise
    }
  }

  package var lines: [Line]
  /// Options in which the runs differ, so that the figures may, too.
  package var differingOptions: [String] = []

  /// The figures that both have.
  package init(_ run: SavedRun, with baseline: SavedRun) {
    lines = run.metrics.compactMap { metric in
      baseline.metrics.first { $0.name == metric.name }.map { Line(metric: metric, baseline: $0) }
    }
    let (own, other) = (run.options, baseline.options)
    func note(_ name: String, _ differs: Bool) { if differs { differingOptions.append(name) } }
    note("streams", own.streams != other.streams)
    note("readers", own.readers != other.readers)
    note("rate", own.rate != other.rate)
    note("chunkBytes", own.chunkBytes != other.chunkBytes)
    note("documents", own.documents != other.documents)
    note("seed", own.seed != other.seed)
    note("seconds", own.seconds != other.seconds)
    note("mode", own.mode != other.mode)
    note("verify", own.verify != other.verify)
  }

  /// A table, a line for each figure.
  package var text: String {
    var rows = [["", "baseline", "now", "deviation", "in standard errors"]]
    for line in lines {
      func value(_ metric: LoadMetric) -> String {
        let noise = metric.noise.map { " ± \(decimal($0))" } ?? ""
        return decimal(metric.value) + noise + (metric.unit.isEmpty ? "" : " \(metric.unit)")
      }
      rows.append([
        line.metric.name, value(line.baseline), value(line.metric),
        line.deviation.map { signed($0 * 100, 1) + " %" } ?? "-", line.inNoise.map { signed($0, 1) } ?? "-",
      ])
    }
    var text = Table.text(rows)
    if !differingOptions.isEmpty {
      text += "The runs differ in \(differingOptions.joined(separator: ", ")).\n"
    }
    return text
  }
}

/// A number with as many decimals as its size asks for.
func decimal(_ number: Double) -> String { decimal(number, number < 10 ? 3 : number < 1_000 ? 1 : 0) }

/// A number with so many decimals, without a locale.
func decimal(_ number: Double, _ decimals: Int) -> String {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let scaled = Int((number.magnitude * scale).rounded())
  let sign = number < 0 && scaled > 0 ? "-" : ""
  if decimals == 0 { return "\(sign)\(scaled)" }
  let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int(scale))
  return "\(sign)\(whole).\(String(String(Int(scale) + rest).dropFirst()))"
}

private func signed(_ number: Double, _ decimals: Int) -> String {
  (number >= 0 ? "+" : "") + decimal(number, decimals)
}

/// Lays out columns: the first to the left, the others to the right.
enum Table {
  static func text(_ rows: [[String]]) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    var text = ""
    for row in rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        let pad = String(repeating: " ", count: widths[column] - cell.count)
        line += column == 0 ? cell + pad : "  " + pad + cell
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }
}
