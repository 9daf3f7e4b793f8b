/// What is counted of appends or of deliveries: how many, and how long each took, over all and by time.
package struct Figures: Sendable {
  package private(set) var latency = LatencyHistogram()
  /// The latencies of each part of the run, by when they were scheduled: equal parts, as many as asked for.
  package private(set) var parts: [LatencyHistogram]
  package var errors = 0
  /// All that came, also what is in no latency.
  package var count = 0
  private let partLength: Int64

  /// Figures of a run of so many nanoseconds.
  package init(length: Int64, parts: Int) {
    precondition(parts > 0)
    self.parts = Array(repeating: LatencyHistogram(), count: parts)
    partLength = max(1, length / Int64(parts))
  }

  /// Counts one that was to happen at `scheduled`, nanoseconds from the start, and was complete at `end`.
  package mutating func record(scheduled: Int64, end: Int64) {
    count += 1
    latency.record(end - scheduled)
    parts[min(max(0, Int(scheduled / partLength)), parts.count - 1)].record(end - scheduled)
  }

  /// Adds all that another thread has.
  package mutating func merge(_ other: Figures) {
    latency.merge(other.latency)
    for index in parts.indices { parts[index].merge(other.parts[index]) }
    errors += other.errors
    count += other.count
  }
}
