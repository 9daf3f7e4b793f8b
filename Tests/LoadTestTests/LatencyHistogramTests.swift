import Checker
import Testing

@testable import LoadTest

struct LatencyHistogramTests {
  /// Numbers of every size, some of them equal.
  private static func numbers(_ seed: UInt64) -> [Int64] {
    var random = SeededGenerator(seed: seed)
    return (0..<(1 + random.below(2_000))).map { _ in
      Int64(random.below(1 << (1 + random.below(41))))
    }
  }

  @Test(arguments: 1...60)
  func isWithinItsErrorOfTheExactQuantiles(_ seed: UInt64) {
    let numbers = Self.numbers(seed).sorted()
    var histogram = LatencyHistogram()
    for number in numbers.shuffled() { histogram.record(number) }
    #expect(histogram.total == numbers.count)
    #expect(histogram.max == Int(numbers[numbers.count - 1]))
    for share in [0, 0.001, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1] {
      // The smallest number that the share of all does not exceed.
      let rank = max(1, Int((share * Double(numbers.count)).rounded(.up)))
      let exact = Int(numbers[rank - 1])
      let read = histogram.percentile(share)
      #expect(read >= exact, "seed \(seed), share \(share)")
      #expect(
        Double(read - exact) <= Double(exact) * LatencyHistogram.relativeError, "seed \(seed), \(share)")
    }
  }

  @Test(arguments: 1...20)
  func mergesAsIfAllWereRecordedInOne(_ seed: UInt64) {
    let numbers = Self.numbers(seed)
    var whole = LatencyHistogram()
    var parts = [LatencyHistogram(), LatencyHistogram(), LatencyHistogram()]
    for (place, number) in numbers.enumerated() {
      whole.record(number)
      parts[place % 2].record(number)
    }
    var merged = parts[2]
    for part in parts { merged.merge(part) }
    #expect(merged == whole)
  }

  @Test func isExactWhereNumbersAreSmallAndCutsOffWhatIsTooLarge() {
    for number in [0, 1, 127, 128, 255] {
      var histogram = LatencyHistogram()
      histogram.record(Int64(number))
      #expect(histogram.percentile(0.5) == number)
    }
    var histogram = LatencyHistogram()
    histogram.record(-5)
    histogram.record(.max)
    #expect(histogram.percentile(0.5) == 0 && histogram.max == LatencyHistogram.highest)
    #expect(LatencyHistogram().percentile(0.99) == 0)
  }
}
