import Checker

/// A distribution of numbers, given by its 1st, 10th, 20th … 90th and 99th percentiles.
struct Deciles: Sendable {
  private let points: [Int]

  init(_ points: [Int]) {
    precondition(points.count == 11 && points == points.sorted())
    self.points = points
  }

  /// So many tenths of all are not above it.
  func point(_ tenths: Int) -> Int { points[tenths] }

  /// A number that is as often under each percentile as the distribution's are; on a line between them.
  func draw(_ random: inout SeededGenerator) -> Int {
    let share = random.below(10_000)
    let (lower, rest) = share.quotientAndRemainder(dividingBy: 1_000)
    return points[lower] + (points[lower + 1] - points[lower]) * rest / 1_000
  }
}
