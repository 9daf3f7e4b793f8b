import Foundation

/// Where the threads of a run write how far they are, for whoever wants to know.
final class ProgressBoard: @unchecked Sendable {
  // Safe: `entries` is touched only with `lock` held.

  struct Entry: Sendable {
    var scheduled = 0
    var answered = 0
    var errors = 0
    var deliveries = 0
    var latency = LatencyHistogram()
  }

  private let lock = NSLock()
  private var entries: [Entry]

  init(places: Int) { entries = Array(repeating: Entry(), count: places) }

  func tell(_ entry: Entry, at place: Int) {
    lock.lock()
    entries[place] = entry
    lock.unlock()
  }

  /// All entries added up.
  var sum: Entry {
    lock.lock()
    let entries = entries
    lock.unlock()
    var sum = Entry()
    for entry in entries {
      sum.scheduled += entry.scheduled
      sum.answered += entry.answered
      sum.errors += entry.errors
      sum.deliveries += entry.deliveries
      sum.latency.merge(entry.latency)
    }
    return sum
  }
}
