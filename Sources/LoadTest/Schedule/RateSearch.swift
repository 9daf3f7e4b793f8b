/// Looks for the highest rate that a server keeps up with: doubles until it does not, then halves the interval.
///
/// A rate that does not hold is tried again, and fails where it does not hold then either: what else a machine does for a
/// moment would decide otherwise, and with it everything below that rate.
package struct RateSearch: Sendable {
  /// What a rate gave.
  package struct Step: Equatable, Sendable {
    package var rate: Double
    package var holds: Bool

    package init(rate: Double, holds: Bool) {
      self.rate = rate
      self.holds = holds
    }
  }

  /// How often a rate is tried before it fails.
  private static let tries = 2
  /// The search ends when the highest rate that holds and the lowest that does not are so close.
  private static let precision = 0.05

  package private(set) var steps: [Step] = []
  private let first: Double
  private let highest: Double

  /// A search that begins at a rate and does not go beyond another.
  package init(from first: Double, upTo highest: Double) {
    precondition(first > 0 && highest >= first)
    self.first = first
    self.highest = highest
  }

  /// The highest rate that held.
  package var best: Double? { steps.filter(\.holds).map(\.rate).filter { $0 < lowestFailing }.max() }

  private var lowestFailing: Double { steps.map(\.rate).filter(fails).min() ?? .infinity }

  private func fails(_ rate: Double) -> Bool {
    steps.count { $0.rate == rate && !$0.holds } == Self.tries
  }

  /// The rate to try next; `nil` where the search is over.
  package var next: Double? {
    guard let last = steps.last else { return first }
    if !last.holds, !fails(last.rate) { return last.rate }
    let fails = lowestFailing
    guard let best else {
      // Down from the first, and not for ever.
      return fails > first / 64 ? fails / 2 : nil
    }
    if fails == .infinity { return best < highest ? min(best * 2, highest) : nil }
    return fails - best > best * Self.precision ? (best + fails) / 2 : nil
  }

  /// Takes note of what the next rate gave.
  package mutating func record(holds: Bool) {
    guard let rate = next else { return }
    steps.append(Step(rate: rate, holds: holds))
  }
}
