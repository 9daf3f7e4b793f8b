import Testing

@testable import LoadTest

struct DeliveryAccountTests {
  private static let appends = [
    DeliveryAccount.Append(scheduled: 10, end: 5, isShown: true),
    DeliveryAccount.Append(scheduled: 20, end: 9, isShown: false),
    DeliveryAccount.Append(scheduled: 30, end: 12, isShown: true),
    DeliveryAccount.Append(scheduled: 40, end: 20, isShown: true),
  ]

  private static func latencies(_ arrivals: [DeliveryAccount.Arrival]) -> [Int64] {
    var latencies: [Int64] = []
    DeliveryAccount.forEachDelivery(of: appends, in: arrivals) { latencies.append($1 - $0) }
    return latencies
  }

  @Test func countsEachAppendFromItsOwnTime() {
    let prompt = [(11, 5), (31, 12), (41, 20)].map { DeliveryAccount.Arrival(time: $0.0, position: $0.1) }
    #expect(Self.latencies(prompt) == [1, 1, 1])
  }

  /// One late diff for several appends is late for each of them: the omission that hides queues.
  @Test func countsEveryAppendOfALateDiff() {
    #expect(Self.latencies([DeliveryAccount.Arrival(time: 100, position: 20)]) == [90, 70, 60])
  }

  @Test func countsNothingThatASnapshotShowsOrThatShowsNothing() {
    let arrivals = [
      DeliveryAccount.Arrival(time: 15, position: 9, isSnapshot: true),
      DeliveryAccount.Arrival(time: 33, position: 12), DeliveryAccount.Arrival(time: 50, position: 19),
    ]
    #expect(Self.latencies(arrivals) == [3])
    #expect(Self.latencies([]).isEmpty)
  }
}
