/// How often each number came.
package struct Histogram: Equatable, Sendable {
  private var counts: [Int] = []
  package private(set) var total = 0

  package init() {}

  /// Counts a number that is not negative.
  package mutating func add(_ number: Int) { add(number, times: 1) }

  /// Adds all that another one counted.
  package mutating func merge(_ other: Histogram) {
    for number in other.counts.indices where other.counts[number] > 0 {
      add(number, times: other.counts[number])
    }
  }

  private mutating func add(_ number: Int, times: Int) {
    if number >= counts.count {
      counts.append(contentsOf: repeatElement(0, count: number + 1 - counts.count))
    }
    counts[number] += times
    total += times
  }

  /// The smallest number that at least `share` of all, from 0 to 1, do not exceed; 0 where there are none.
  package func percentile(_ share: Double) -> Int {
    var left = share * Double(total)
    for number in counts.indices {
      left -= Double(counts[number])
      if left <= 0 { return number }
    }
    return max(0, counts.count - 1)
  }

  package var max: Int { counts.lastIndex { $0 > 0 } ?? 0 }

  private func max(_ a: Int, _ b: Int) -> Int { a > b ? a : b }
}
