import Checker
import Testing

@testable import LoadTest

struct EventDecoderTests {
  private static let text = """
    retry: 2524

    id: 1796047903716181_0000000000000003
    event: snapshot
    data: {"stream":"x"}

    :

    id: 1796047903716181_0000000000000008
    event: diff
    data: {"ops":[]}

    id: 1796047903716181_0000000000000009
    event: finished
    data: {}


    """

  private static func events(_ text: String, pieces: () -> Int) throws -> [EventDecoder.Event] {
    let bytes = Array(text.utf8)
    var decoder = EventDecoder()
    var events: [EventDecoder.Event] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + max(1, pieces()))
      decoder.append(bytes.span, start..<end)
      while let event = try decoder.next() { events.append(event) }
      start = end
    }
    return events
  }

  @Test(arguments: 0...30)
  func readsEventsHoweverTheyAreCut(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = try Self.events(Self.text) { seed == 0 ? .max : seed == 1 ? 1 : random.below(40) }
    #expect(events.map(\.kind) == [.snapshot, .diff, .finished])
    #expect(events.map { EventDecoder.position(ofID: $0.id) } == [3, 8, 9])
    #expect(events[1].data == Array("{\"ops\":[]}".utf8))
    #expect(events[0].id == Array("1796047903716181_0000000000000003".utf8))
  }

  @Test(arguments: ["event: other\ndata: x\n\n", "data: x\n\n", "no colon\n\n", "field: x\n\n"])
  func refusesWhatTheServiceDoesNotSend(_ text: String) {
    #expect(throws: ResponseError.self) { try Self.events(text) { .max } }
  }
}
