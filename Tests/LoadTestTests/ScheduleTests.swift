import Testing

@testable import LoadTest

struct SlotScheduleTests {
  @Test(arguments: [0.5, 3, 30, 1_000, 7_777.7])
  func hasOneTimeInEachIntervalWhateverHappens(_ rate: Double) {
    var schedule = SlotSchedule(rate: rate, seed: 3)
    var last: Int64 = -1
    for place in 0..<5_000 {
      let time = schedule.next()
      #expect(time > last)
      #expect(Int64(Double(place) / rate * 1e9) - 1 <= time && time <= Int64(Double(place + 1) / rate * 1e9))
      last = time
    }
  }

  @Test func isTheSameForTheSameSeedAndAnotherForAnother() {
    func times(_ seed: UInt64) -> [Int64] {
      var schedule = SlotSchedule(rate: 30, seed: seed)
      return (0..<100).map { _ in schedule.next() }
    }
    #expect(times(1) == times(1) && times(1) != times(2))
  }
}

struct RateSearchTests {
  /// Searches where rates up to `limit` hold. The rates that were tried.
  private static func tried(from first: Double, limit: Double, upTo highest: Double = 1e6) -> RateSearch {
    var search = RateSearch(from: first, upTo: highest)
    while let rate = search.next, search.steps.count < 100 { search.record(holds: rate <= limit) }
    return search
  }

  @Test(arguments: [30.0, 31, 200, 999, 12_345])
  func findsTheHighestRateThatHolds(_ limit: Double) throws {
    let search = Self.tried(from: 30, limit: limit)
    let best = try #require(search.best)
    #expect(best <= limit && best > limit * 0.9)
    #expect(search.steps.count < 20)
    // Once more where it did not hold.
    for rate in Set(search.steps.map(\.rate)) {
      #expect(search.steps.count { $0.rate == rate } == (rate <= limit ? 1 : 2))
    }
  }

  @Test func goesDownWhereTheFirstDoesNotHoldAndGivesUpInTheEnd() throws {
    let best = try #require(Self.tried(from: 1_000, limit: 100).best)
    #expect(best <= 100 && best > 90)
    let none = Self.tried(from: 1_000, limit: 0)
    #expect(none.best == nil && none.next == nil)
  }

  @Test func endsAtTheHighestRate() {
    let search = Self.tried(from: 30, limit: .infinity, upTo: 500)
    #expect(search.best == 500 && search.next == nil)
  }

  /// What disturbs a server for a moment does not decide.
  @Test func triesARateAgainThatDidNotHold() {
    var search = RateSearch(from: 10, upTo: 1_000)
    search.record(holds: false)
    #expect(search.best == nil && search.next == 10)
    search.record(holds: true)
    #expect(search.best == 10 && search.next == 20)
    search.record(holds: false)
    search.record(holds: false)
    #expect(search.next == 15)
  }

  @Test func trustsNoRateAboveOneThatDidNotHold() {
    var search = RateSearch(from: 10, upTo: 1_000)
    for holds in [true, false, false, true] { search.record(holds: holds) }
    #expect(search.best == 15)
  }
}
