/// How often each latency came, with a bounded relative error: what HdrHistogram does.
///
/// Up to 256 every number has a counter of its own; above, every power of two has 128 counters. What is read from it
/// is never below what was recorded and above it by at most one part in 128. Memory is constant, 36 KiB.
package struct LatencyHistogram: Equatable, Sendable {
  /// Counters of a power of two, as a power of two.
  private static let precisionBits = 7
  /// Numbers are cut off here: 2^42 nanoseconds are more than an hour.
  package static let highest = (1 << 42) - 1
  /// The largest error of what is read, relative to what was recorded.
  package static let relativeError = 1.0 / Double(1 << precisionBits)

  private var counts: [Int]
  package private(set) var total = 0
  /// The largest number, exactly.
  package private(set) var max = 0

  package init() { counts = [] }

  /// Counts a number; negative ones as 0.
  ///
  /// - Complexity: O(1).
  package mutating func record(_ number: Int64) {
    // Most histograms of a run's parts stay empty.
    if counts.isEmpty { counts = Array(repeating: 0, count: Self.index(of: Self.highest) + 1) }
    let number = Swift.min(Swift.max(Int(number), 0), Self.highest)
    counts[Self.index(of: number)] += 1
    total += 1
    if number > max { max = number }
  }

  /// Adds all that another one counted.
  package mutating func merge(_ other: LatencyHistogram) {
    guard other.total > 0 else { return }
    if counts.isEmpty {
      self = other
      return
    }
    for index in counts.indices { counts[index] += other.counts[index] }
    total += other.total
    max = Swift.max(max, other.max)
  }

  /// The number that at least `share` of all, from 0 to 1, do not exceed; 0 where there are none.
  package func percentile(_ share: Double) -> Int {
    var left = Swift.max(1, Int((share * Double(total)).rounded(.up)))
    for index in counts.indices {
      left -= counts[index]
      if left <= 0 { return Swift.min(Self.highestNumber(at: index), max) }
    }
    return max
  }

  /// The counter of a number.
  private static func index(of number: Int) -> Int {
    let bits = Int.bitWidth - number.leadingZeroBitCount
    let shift = Swift.max(0, bits - precisionBits - 1)
    return shift << precisionBits + number >> shift
  }

  /// The largest number that a counter counts.
  private static func highestNumber(at index: Int) -> Int {
    let shift = Swift.max(0, index >> precisionBits - 1)
    return (index - shift << precisionBits + 1) << shift - 1
  }
}
