import Testing

@testable import HTTPServer

@Suite struct TimerHeapTests {
  static func channels(_ count: Int) -> [Channel] { (0..<count).map { _ in Channel(descriptor: -1) } }

  static func at(_ nanoseconds: Int) -> LoopInstant { LoopInstant(nanoseconds: Int64(nanoseconds)) }

  @Test(arguments: 1...20)
  func givesChannelsInTheOrderOfTheirDeadlines(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var heap = TimerHeap()
    let channels = Self.channels(100)
    var deadlines: [ObjectIdentifier: Int] = [:]
    for channel in channels {
      deadlines[ObjectIdentifier(channel)] = Int.random(in: 1...1000, using: &random)
      heap.schedule(channel, at: Self.at(deadlines[ObjectIdentifier(channel)]!))
    }
    for channel in channels.shuffled(using: &random).prefix(30) {
      if Bool.random(using: &random) {
        heap.remove(channel)
        deadlines[ObjectIdentifier(channel)] = nil
      } else {
        deadlines[ObjectIdentifier(channel)]! /= 2
        heap.schedule(channel, at: Self.at(deadlines[ObjectIdentifier(channel)]!))
      }
    }
    var order: [Int] = []
    while let channel = heap.popDue(Self.at(2000)) {
      #expect(channel.timerIndex == -1)
      order.append(deadlines.removeValue(forKey: ObjectIdentifier(channel))!)
    }
    #expect(order == order.sorted(), "seed \(seed)")
    #expect(deadlines.isEmpty)
    #expect(heap.count == 0)
    #expect(heap.earliest == .never)
  }

  @Test func givesNothingBeforeItsTime() {
    var heap = TimerHeap()
    let channel = Channel(descriptor: -1)
    heap.schedule(channel, at: Self.at(10))
    let early = heap.popDue(Self.at(9))
    let due = heap.popDue(Self.at(10))
    #expect(early === nil)
    #expect(due === channel)
  }

  @Test func puttingOffCostsNothing() {
    var heap = TimerHeap()
    let channels = Self.channels(1000)
    for (index, channel) in channels.enumerated() { heap.schedule(channel, at: Self.at(index)) }
    let before = heap.moves
    for channel in channels { heap.schedule(channel, at: Self.at(5000)) }
    let after = heap.moves
    #expect(before == after)
  }

  @Test func costGrowsWithTheLogarithm() {
    func moves(_ count: Int) -> Int {
      var heap = TimerHeap()
      for (index, channel) in Self.channels(count).enumerated() {
        heap.schedule(channel, at: Self.at(count - index))
      }
      while heap.popDue(Self.at(count)) != nil {}
      return heap.moves
    }
    #expect(Double(moves(2048)) / Double(moves(1024)) < 2.4)
  }

  @Test func reckonsWithinRange() {
    #expect(LoopInstant.never.advanced(by: .seconds(1)) == .never)
    #expect(Self.at(1).advanced(by: .seconds(Int64.max)) == .never)
    #expect(Self.at(5).advanced(by: .nanoseconds(7)) == Self.at(12))
    #expect(Self.at(5).duration(to: Self.at(12)) == .nanoseconds(7))
  }
}
