/// What a run has measured: the report, and what charts and comparisons need beyond it.
package struct LoadOutcome: Sendable {
  package let options: LoadOptions
  package let report: LoadReport
  /// The latencies of equal parts of the run, and of all of it.
  package let appends: Figures
  package let deliveries: Figures
  /// How late the test itself was, which is part of every latency.
  package let lateness: LatencyHistogram
  /// The processor time that sending and reading took while was sent, without replaying what readers got.
  let testSeconds: Double
  /// Readers that came to their end, in the order of `ReaderKind`.
  package let readersByKind: [Int]
  /// The first appends that failed, each with its stream and why.
  package let failures: [String]
  /// The first readers that got something wrong, each with its stream and what it was.
  package let faults: [String]
  /// Whether it was ended early.
  package let isCancelled: Bool

  init(
    options: LoadOptions, measured: Measurements, verified: Verifier.Outcome?, usage: ProcessUsage?,
    testSeconds: Double = 0, isCancelled: Bool
  ) {
    self.options = options
    appends = measured.appends
    deliveries = measured.deliveries
    lateness = measured.lateness
    self.testSeconds = testSeconds
    readersByKind = measured.readers
    failures = measured.failures
    faults = verified?.faults ?? []
    self.isCancelled = isCancelled
    var report = LoadReport(
      appends: LoadReport.Traffic(measured.appends, seconds: options.seconds),
      deliveries: LoadReport.Traffic(measured.deliveries, seconds: options.seconds))
    report.readers.count = measured.readers.reduce(0, +)
    report.readers.verified = verified?.verified ?? 0
    report.readers.wrong = verified?.wrong ?? 0
    report.textBytes = measured.textBytes
    report.wireBytes = measured.wireBytes
    report.server = usage
    self.report = report
  }

  /// Whether the test itself was too slow to measure what it meant to: then the figures are its own.
  package var isTestTooSlow: Bool {
    lateness.percentile(0.99) * 2 > appends.latency.percentile(0.99) && lateness.percentile(0.99) > 2_000_000
  }
}
