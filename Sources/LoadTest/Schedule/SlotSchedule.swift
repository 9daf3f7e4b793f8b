import Checker

/// When a chat sends: by the clock alone, so that whoever is slow finds the next chunks waiting.
///
/// One chunk in each interval of 1/rate, at a random point of it, as tokens come: the rate is exact, two chats do not
/// send in step, and the order of a chat's chunks is kept.
package struct SlotSchedule: Sendable {
  private let interval: Double
  private var random: SeededGenerator
  private var count = 0

  /// The schedule of a chat.
  ///
  /// - Parameters:
  ///   - rate: chunks a second.
  ///   - seed: what the points of time are drawn from.
  package init(rate: Double, seed: UInt64) {
    precondition(rate > 0)
    interval = 1e9 / rate
    random = SeededGenerator(seed: seed)
  }

  /// The next chunk's time, in nanoseconds from the start: rising, and never dependent on what happens.
  package mutating func next() -> Int64 {
    let place = Double(random.next() >> 11) * 0x1p-53
    defer { count += 1 }
    return Int64((Double(count) + place) * interval)
  }
}
