package import BlockDiff

/// What a load test found (api.md §7).
package struct LoadReport: Equatable, Sendable {
  /// The latencies' percentiles in milliseconds; at most one part in 128 above what was measured.
  package struct Latency: Equatable, Sendable {
    package var p50 = 0.0
    package var p90 = 0.0
    package var p95 = 0.0
    package var p99 = 0.0
    package var max = 0.0

    package init(_ histogram: LatencyHistogram) {
      func milliseconds(_ share: Double) -> Double { Double(histogram.percentile(share)) / 1e6 }
      p50 = milliseconds(0.5)
      p90 = milliseconds(0.9)
      p95 = milliseconds(0.95)
      p99 = milliseconds(0.99)
      max = Double(histogram.max) / 1e6
    }
  }

  /// Of appends, or of deliveries.
  package struct Traffic: Equatable, Sendable {
    /// Appends that were sent; appends that reached a reader, counted for each reader.
    package var count = 0
    /// Appends that were refused or not answered; readers that did not get a stream's end.
    package var errors = 0
    package var perSecond = 0.0
    package var latency: Latency

    init(_ figures: Figures, seconds: Double) {
      count = figures.count
      errors = figures.errors
      perSecond = Double(figures.count) / seconds
      latency = Latency(figures.latency)
    }
  }

  package struct Readers: Equatable, Sendable {
    /// Readers that came to their end: one for each stream that it read.
    package var count = 0
    /// Those whose diffs, replayed, give the finished stream's snapshot.
    package var verified = 0
    /// Those whose diffs do not.
    package var wrong = 0
  }

  package var appends: Traffic
  package var deliveries: Traffic
  package var readers = Readers()
  /// Text that was appended, and all bytes of all connections in both directions.
  package var textBytes = 0
  package var wireBytes = 0
  /// What the server's process took while was sent, and the memory it had at the end of it.
  package var server: ProcessUsage?

  /// Whether no reader got anything wrong.
  package var isVerified: Bool { readers.wrong == 0 }

  /// Writes the report as one object.
  package func write(to writer: inout JSONWriter) {
    writer.write(#"{"appends":"#)
    appends.write(to: &writer)
    writer.write(#","deliveries":"#)
    deliveries.write(to: &writer)
    writer.write(#","readers":{"count":"#)
    writer.write(readers.count)
    writer.write(#","verified":"#)
    writer.write(readers.verified)
    writer.write(#","wrong":"#)
    writer.write(readers.wrong)
    writer.write(#"},"bytes":{"text":"#)
    writer.write(textBytes)
    writer.write(#","wire":"#)
    writer.write(wireBytes)
    writer.write(#"},"server":{"cpuSeconds":"#)
    if let server { writer.write(server.cpuSeconds, decimals: 3) } else { writer.write("null") }
    writer.write(#","rssBytes":"#)
    if let server { writer.write(server.residentBytes) } else { writer.write("null") }
    writer.write("}}")
  }
}

extension LoadReport.Traffic {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.write(#"{"count":"#)
    writer.write(count)
    writer.write(#","errors":"#)
    writer.write(errors)
    writer.write(#","perSecond":"#)
    writer.write(perSecond, decimals: 1)
    writer.write(#","latencyMs":{"p50":"#)
    writer.write(latency.p50, decimals: 3)
    writer.write(#","p90":"#)
    writer.write(latency.p90, decimals: 3)
    writer.write(#","p95":"#)
    writer.write(latency.p95, decimals: 3)
    writer.write(#","p99":"#)
    writer.write(latency.p99, decimals: 3)
    writer.write(#","max":"#)
    writer.write(latency.max, decimals: 3)
    writer.write("}}")
  }
}
