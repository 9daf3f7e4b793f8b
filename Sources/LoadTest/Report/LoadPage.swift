/// A run as an HTML page that needs nothing but itself.
package struct LoadPage {
  private let outcome: LoadOutcome
  private let heading: String
  private let comparison: Comparison?

  /// The page of a run.
  ///
  /// - Parameter heading: what was driven, and where.
  package init(_ outcome: LoadOutcome, heading: String, comparison: Comparison? = nil) {
    self.outcome = outcome
    self.heading = heading
    self.comparison = comparison
  }

  /// The page.
  package var html: String {
    let options = outcome.options
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>Mooring load test</title><style>\(Self.style)</style></head><body>
      <h1>Load test</h1>
      <p>\(Self.escaped(heading)): \(options.streams) streams, \(options.readers) readers each, \
      \(decimal(options.rate, 1)) chunks a second of \(options.chunkBytes.lowerBound) to \
      \(options.chunkBytes.upperBound) bytes in each, for \(decimal(options.seconds, 1)) s; seed \(options.seed). \
      Latency counts from the scheduled send.</p>
      \(traffic)
      \(percentileChart.svg)
      \(timeChart.svg)
      <ul>\(outcome.sentences.map { "<li>\(Self.escaped($0))</li>" }.joined())</ul>
      \(comparisonTable)
      </body></html>

      """
  }

  private var traffic: String {
    let head = ["", "count", "per second", "p50 ms", "p90", "p95", "p99", "max", "errors"]
    var rows = ["<tr>" + head.map { "<th>\($0)</th>" }.joined() + "</tr>"]
    for (name, traffic) in [("appends", outcome.report.appends), ("deliveries", outcome.report.deliveries)] {
      let latency = traffic.latency
      let cells =
        ["\(traffic.count)", decimal(traffic.perSecond, 0)]
        + [latency.p50, latency.p90, latency.p95, latency.p99, latency.max].map { decimal($0, 3) }
        + ["\(traffic.errors)"]
      rows.append("<tr><th>\(name)</th>" + cells.map { "<td>\($0)</td>" }.joined() + "</tr>")
    }
    return "<table>\(rows.joined())</table>"
  }

  // MARK: - Charts

  /// The percentiles that the curve shows: each nine takes as much room as the one before it.
  private var percentileChart: LineChart {
    let stepsPerNine = 12
    func series(_ name: String, _ style: String, _ figures: Figures) -> LineChart.Series {
      var points: [(x: Double, y: Double)] = []
      // As far as there are numbers to tell it.
      var rest = 1.0
      var place = 0
      while rest * Double(figures.latency.total) >= 1, place <= 6 * stepsPerNine {
        points.append(
          (Double(place) / Double(stepsPerNine), Double(figures.latency.percentile(1 - rest)) / 1e6))
        rest *= 0.825_404_185  // A twelfth of a power of ten.
        place += 1
      }
      return LineChart.Series(name: name, style: style, points: points)
    }
    let all = [
      series("appends", "appends", outcome.appends), series("deliveries", "deliveries", outcome.deliveries),
    ]
    let most = all.flatMap(\.points).map(\.x).max() ?? 1
    let marks = [
      (0.0, "0"), (0.301, "50 %"), (1, "90 %"), (2, "99 %"), (3, "99.9 %"), (4, "99.99 %"), (5, "99.999 %"),
    ]
    return LineChart(
      title: "Latency by percentile", yLabel: "milliseconds", xLabel: "percentile",
      marks: marks.filter { $0.0 <= most }.map { LineChart.Mark(x: $0.0, label: $0.1) }, series: all)
  }

  private var timeChart: LineChart {
    let seconds = outcome.options.seconds
    func series(_ name: String, _ style: String, _ figures: Figures, _ share: Double) -> LineChart.Series {
      let length = seconds / Double(figures.parts.count)
      let points = figures.parts.enumerated().filter { $0.element.total > 0 }.map { place, part in
        (x: (Double(place) + 0.5) * length, y: Double(part.percentile(share)) / 1e6)
      }
      return LineChart.Series(name: name, style: style, points: points)
    }
    return LineChart(
      title: "Latency over time", yLabel: "milliseconds", xLabel: "seconds",
      marks: (0...4).map {
        LineChart.Mark(x: seconds * Double($0) / 4, label: decimal(seconds * Double($0) / 4, 1))
      },
      series: [
        series("appends p50", "appends thin", outcome.appends, 0.5),
        series("appends p99", "appends", outcome.appends, 0.99),
        series("deliveries p50", "deliveries thin", outcome.deliveries, 0.5),
        series("deliveries p99", "deliveries", outcome.deliveries, 0.99),
      ])
  }

  private var comparisonTable: String {
    guard let comparison else { return "" }
    return "<h2>Beside the baseline</h2><pre>\(Self.escaped(comparison.text))</pre>"
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }

  private static let style = """
    :root{color-scheme:light dark;--a:#0969da;--d:#bf3989}
    @media(prefers-color-scheme:dark){:root{--a:#58a6ff;--d:#f778ba}}
    body{font:15px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
    table{border-collapse:collapse;font-variant-numeric:tabular-nums;width:100%}
    th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}
    th:first-child{text-align:left}
    figure{margin:1.5rem 0}figcaption{font-weight:600}
    svg{width:100%;height:auto}svg text{font-size:11px;fill:currentColor}
    .grid{stroke:currentColor;opacity:.15}
    polyline{fill:none;stroke-width:2}polyline.appends{stroke:var(--a)}polyline.deliveries{stroke:var(--d)}
    polyline.thin{stroke-width:1;stroke-dasharray:4 3}
    .key{margin:.2rem 0}.key span::before{content:"";display:inline-block;width:1.4em;border-top:2px solid;margin:0 .4em .3em 0}
    .key span{margin-right:1em}.key .appends::before{border-color:var(--a)}.key .deliveries::before{border-color:var(--d)}
    .key .thin::before{border-top-style:dashed;border-top-width:1px}
    pre{overflow-x:auto}
    """
}
