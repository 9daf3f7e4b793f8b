extension LoadOutcome {
  /// The report for people: a table of latencies, and the rest in sentences.
  package var summary: String {
    var rows = [["", "count", "/s", "p50 ms", "p90", "p95", "p99", "max", "errors"]]
    for (name, traffic) in [("appends", report.appends), ("deliveries", report.deliveries)] {
      let latency = traffic.latency
      rows.append(
        [name, "\(traffic.count)", decimal(traffic.perSecond, 0)]
          + [latency.p50, latency.p90, latency.p95, latency.p99, latency.max].map { decimal($0, 3) }
          + ["\(traffic.errors)"])
    }
    return Table.text(rows) + sentences.map { $0 + "\n" }.joined()
  }

  /// What stands below the table.
  var sentences: [String] {
    var lines: [String] = []
    let kinds = ReaderKind.allCases.map { "\(readersByKind[$0.rawValue]) \($0)" }.joined(separator: ", ")
    if report.readers.count > 0 {
      let verified =
        options.verify ? "; \(report.readers.verified) verified, \(report.readers.wrong) wrong" : ""
      lines.append("\(report.readers.count) readers (\(kinds))\(verified)")
    }
    for failure in failures { lines.append("failed: \(failure)") }
    for fault in faults { lines.append("wrong: \(fault)") }
    if report.textBytes > 0 {
      let ratio = Double(report.wireBytes) / Double(report.textBytes)
      lines.append(
        "\(report.textBytes) bytes of text, \(report.wireBytes) on the wire: \(decimal(ratio, 1)) for each")
    }
    if let server = report.server {
      let load = server.cpuSeconds / options.seconds
      let each = server.cpuSeconds * 1e6 / Double(max(1, report.appends.count + report.deliveries.count))
      lines.append(
        """
        server: \(decimal(server.cpuSeconds, 2)) s of CPU (\(decimal(load * 100, 0)) % of a core, \
        \(decimal(each, 1)) µs an append or delivery), \(server.residentBytes >> 20) MiB resident
        """)
    }
    let testEach = testSeconds * 1e6 / Double(max(1, report.appends.count + report.deliveries.count))
    lines.append(
      "the test itself: \(decimal(testSeconds, 2)) s of CPU, \(decimal(testEach, 1)) µs an append or delivery"
    )
    let late = (Double(lateness.percentile(0.5)) / 1e6, Double(lateness.percentile(0.99)) / 1e6)
    lines.append(
      "the test's own lateness, in every latency: p50 \(decimal(late.0, 3)) ms, p99 \(decimal(late.1, 3)) ms")
    if isTestTooSlow {
      lines.append("the test itself was too slow: these figures are not the server's alone")
    }
    if isCancelled { lines.append("ended early") }
    return lines
  }
}
