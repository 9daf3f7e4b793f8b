import BlockDiff

/// What of a run is kept to compare later ones with: its options and figures.
package struct SavedRun: Equatable, Sendable {
  private static let version = 1

  package var options: LoadOptions
  package var metrics: [LoadMetric]

  package init(options: LoadOptions, metrics: [LoadMetric]) {
    self.options = options
    self.metrics = metrics
  }

  /// A run as `json(report:)` wrote it; `nil` where it is something else.
  package init?(json: [UInt8]) {
    guard let value = try? JSONReader.value(of: json), value["version"]?.integer == Self.version,
      let members = value["options"], let list = value["metrics"]?.array,
      let options = try? LoadOptions(members, limits: .init())
    else { return nil }
    self.options = options
    metrics = []
    for entry in list {
      guard let name = entry["name"]?.string, let unit = entry["unit"]?.string,
        let number = entry["value"].flatMap(Self.number)
      else { return nil }
      metrics.append(
        LoadMetric(
          name.description, unit.description, number, noise: entry["noise"].flatMap(Self.number)))
    }
  }

  private static func number(_ value: JSONValue) -> Double? {
    value.integer.map(Double.init) ?? value.fraction
  }

  /// The run as JSON, with its report.
  package func json(report: LoadReport) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(#"{"version":"#)
    writer.write(Self.version)
    writer.write(#","options":"#)
    options.write(to: &writer)
    writer.write(#","metrics":["#)
    for (place, metric) in metrics.enumerated() {
      if place > 0 { writer.write(",") }
      writer.write(#"{"name":"#)
      writer.write(string: metric.name)
      writer.write(#","unit":"#)
      writer.write(string: metric.unit)
      writer.write(#","value":"#)
      writer.write(metric.value, decimals: 6)
      if let noise = metric.noise {
        writer.write(#","noise":"#)
        writer.write(noise, decimals: 6)
      }
      writer.write("}")
    }
    writer.write(#"],"report":"#)
    report.write(to: &writer)
    writer.write("}\n")
    return writer.bytes
  }
}
