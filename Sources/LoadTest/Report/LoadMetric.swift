/// One figure of a run with its noise: how much it would differ in another run of the same.
package struct LoadMetric: Equatable, Sendable {
  package var name: String
  package var unit: String
  package var value: Double
  /// The standard error, from what the parts of the run gave; `nil` where a run gives only one value.
  package var noise: Double?

  package init(_ name: String, _ unit: String, _ value: Double, noise: Double? = nil) {
    self.name = name
    self.unit = unit
    self.value = value
    self.noise = noise
  }

  /// The standard error of the mean of some values; `nil` for less than two.
  static func standardError(of values: [Double]) -> Double? {
    guard values.count > 1 else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1) / Double(values.count)).squareRoot()
  }
}

extension LoadOutcome {
  /// The figures that are compared between runs.
  package var metrics: [LoadMetric] {
    var metrics: [LoadMetric] = []
    for (name, plural, figures, traffic) in [
      ("append", "appends", appends, report.appends),
      ("delivery", "deliveries", deliveries, report.deliveries),
    ] {
      let parts = figures.parts.filter { $0.total > 0 }
      let length = options.seconds / Double(figures.parts.count)
      metrics.append(
        LoadMetric(
          plural, "/s", traffic.perSecond,
          noise: LoadMetric.standardError(of: parts.map { Double($0.total) / length })))
      for (label, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] {
        let values = parts.map { Double($0.percentile(share)) / 1e6 }
        metrics.append(
          LoadMetric(
            "\(name) \(label)", "ms", Double(figures.latency.percentile(share)) / 1e6,
            noise: LoadMetric.standardError(of: values)))
      }
    }
    metrics.append(LoadMetric("errors", "", Double(report.appends.errors + report.deliveries.errors)))
    if report.textBytes > 0 {
      metrics.append(
        LoadMetric("wire bytes per text byte", "", Double(report.wireBytes) / Double(report.textBytes)))
    }
    if let server = report.server {
      metrics.append(
        LoadMetric(
          "server CPU per append", "µs", server.cpuSeconds * 1e6 / Double(max(1, report.appends.count))))
      metrics.append(LoadMetric("server memory", "MiB", Double(server.residentBytes) / 1_048_576))
    }
    return metrics
  }
}
