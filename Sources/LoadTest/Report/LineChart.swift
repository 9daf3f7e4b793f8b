/// A small chart of lines as SVG, without anything that it would have to load.
struct LineChart {
  /// One line: points in the chart's own numbers, in order.
  struct Series {
    var name: String
    /// The class that gives it its colour.
    var style: String
    var points: [(x: Double, y: Double)]
  }

  /// A mark on the axis below.
  struct Mark {
    var x: Double
    var label: String
  }

  private static let width = 640.0
  private static let height = 300.0
  private static let (left, right, top, bottom) = (58.0, 16.0, 16.0, 40.0)

  var title: String
  /// What the axis at the left shows, on a logarithmic scale.
  var yLabel: String
  var xLabel: String
  var marks: [Mark]
  var series: [Series]

  /// The powers of ten around all values.
  private var decades: ClosedRange<Int> {
    let values = series.flatMap(\.points).map(\.y).filter { $0 > 0 }
    guard let lowest = values.min(), let highest = values.max() else { return 0...1 }
    var decade = -6
    while Self.power(decade + 1) <= lowest { decade += 1 }
    let first = decade
    while Self.power(decade) < highest { decade += 1 }
    return first...max(decade, first + 1)
  }

  private static func power(_ exponent: Int) -> Double {
    (0..<exponent.magnitude).reduce(1.0) { value, _ in exponent < 0 ? value / 10 : value * 10 }
  }

  /// The common logarithm, as close as a chart needs it, without a library.
  private static func logarithm(_ value: Double) -> Double {
    // value = significand · 2^exponent, and the significand's logarithm by its series around 1.
    let ratio = (value.significand - 1) / (value.significand + 1)
    var (sum, power) = (0.0, ratio)
    for odd in stride(from: 1, through: 15, by: 2) {
      sum += power / Double(odd)
      power *= ratio * ratio
    }
    return (2 * sum + Double(value.exponent) * 0.693_147_180_56) / 2.302_585_092_99
  }

  /// The chart.
  var svg: String {
    let decades = decades
    let highestX = max(marks.map(\.x).max() ?? 1, series.flatMap(\.points).map(\.x).max() ?? 1, 1e-9)
    func x(_ value: Double) -> String {
      decimal(Self.left + value / highestX * (Self.width - Self.left - Self.right), 1)
    }
    func y(_ value: Double) -> String {
      let share =
        (Self.logarithm(max(value, Self.power(decades.lowerBound))) - Double(decades.lowerBound))
        / Double(decades.count - 1)
      return decimal(Self.height - Self.bottom - share * (Self.height - Self.top - Self.bottom), 1)
    }
    var lines = [
      """
      <svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" aria-label="\(title)">
      """
    ]
    for decade in decades {
      let at = y(Self.power(decade))
      lines.append(
        """
        <line class="grid" x1="\(Self.left)" x2="\(Self.width - Self.right)" y1="\(at)" y2="\(at)"/>\
        <text x="\(Self.left - 6)" y="\(at)" dy="4" text-anchor="end">\(Self.label(decade))</text>
        """)
    }
    for mark in marks {
      lines.append(
        """
        <text x="\(x(mark.x))" y="\(Self.height - Self.bottom + 16)" text-anchor="middle">\(mark.label)</text>
        """)
    }
    lines.append(
      """
      <text x="\((Self.left + Self.width - Self.right) / 2)" y="\(Self.height - 6)" text-anchor="middle">\(xLabel)</text>\
      <text transform="translate(14 \((Self.top + Self.height - Self.bottom) / 2)) rotate(-90)" \
      text-anchor="middle">\(yLabel)</text>
      """)
    for line in series where !line.points.isEmpty {
      let points = line.points.map { "\(x($0.x)),\(y($0.y))" }.joined(separator: " ")
      lines.append(
        "<polyline class=\"\(line.style)\" points=\"\(points)\"><title>\(line.name)</title></polyline>")
    }
    lines.append("</svg>")
    let keys = series.map { "<span class=\"\($0.style)\">\($0.name)</span>" }.joined(separator: " ")
    return """
      <figure><figcaption>\(title)</figcaption>
      \(lines.joined(separator: "\n"))
      <p class="key">\(keys)</p></figure>
      """
  }

  private static func label(_ decade: Int) -> String {
    decade >= 0 ? decimal(power(decade), 0) : decimal(power(decade), -decade)
  }
}
