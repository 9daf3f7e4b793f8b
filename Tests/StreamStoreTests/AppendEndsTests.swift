import Testing

@testable import StreamStore

@Suite struct AppendEndsTests {
  @Test func remembersEndsOfEverySize() {
    var ends = AppendEnds()
    let all = [1, 128, 129, 255, 20_000, 20_001, 3_000_000, 2_000_000_000]
    for end in all { ends.add(end) }
    #expect(ends.offsets == all)
    // An append without bytes ends where the last one did.
    ends.add(2_000_000_000)
    #expect(ends.offsets == all)
  }

  @Test func forgetsWhatIsTooMuch() {
    var ends = AppendEnds()
    for end in 1...70_000 { ends.add(end) }
    #expect(ends.offsets == Array(1...65_536))
  }
}
