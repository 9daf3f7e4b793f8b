/// What one thread of a load test has measured; at the end they are added up.
struct Measurements: Sendable {
  var appends: Figures
  var deliveries: Figures
  /// How late the test itself was: from the scheduled to the real send. It is part of every latency.
  var lateness = LatencyHistogram()
  var textBytes = 0
  var wireBytes = 0
  /// Readers that came to their end, by kind.
  var readers = Array(repeating: 0, count: ReaderKind.allCases.count)

  /// What the first failed appends failed of.
  private(set) var failures: [String] = []

  private static let maxFailures = 5

  /// The parts of the run whose latencies are kept.
  static let parts = 40

  init(length: Int64) {
    appends = Figures(length: length, parts: Self.parts)
    deliveries = Figures(length: length, parts: Self.parts)
  }

  mutating func merge(_ other: Measurements) {
    appends.merge(other.appends)
    deliveries.merge(other.deliveries)
    lateness.merge(other.lateness)
    textBytes += other.textBytes
    wireBytes += other.wireBytes
    failures = Array((failures + other.failures).prefix(Self.maxFailures))
    for kind in readers.indices { readers[kind] += other.readers[kind] }
  }

  /// Counts an append that failed.
  mutating func countFailure(_ path: String, _ reason: String) {
    appends.count += 1
    appends.errors += 1
    if failures.count < Self.maxFailures { failures.append("\(path): \(reason)") }
  }

  /// Counts what a reader got.
  mutating func count(_ reader: ReaderRecord, of appends: [DeliveryAccount.Append]) {
    readers[reader.kind.rawValue] += 1
    DeliveryAccount.forEachDelivery(of: appends, in: reader.arrivals) { scheduled, arrived in
      if reader.kind.isPrompt {
        deliveries.record(scheduled: scheduled, end: arrived)
      } else {
        deliveries.count += 1
      }
    }
    if !reader.isFinished { deliveries.errors += 1 }
  }
}
