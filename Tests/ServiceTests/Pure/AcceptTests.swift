import BlockDiff
import HTTPServer
import Markup
import Testing

@testable import Service

struct AcceptTests {
  @Test(arguments: [
    ("*/*", 0), ("", 0), ("application/json", 0), ("text/event-stream", 1), ("TEXT/Event-Stream", 1),
    ("text/event-stream, application/json", 0), ("application/json;q=0.5, text/event-stream", 1),
    ("text/html, */*;q=0.8", 0), ("text/*", 1), ("text/event-stream, */*;q=0.1", 1),
    ("application/json;q=0, */*", 1), ("application/*, text/event-stream;q=0.9", 0),
    ("text/event-stream;charset=utf-8", 1), ("nonsense", 0),
  ])
  func choosesWhatTheClientLikesBest(field: String, place: Int) {
    #expect(Accept.best(of: ["application/json", "text/event-stream"], field) == place)
  }

  @Test(arguments: ["text/html", "application/json;q=0", "image/*", "*/*;q=0", "application/json;q=x"])
  func findsNothingAcceptable(field: String) {
    #expect(Accept.best(of: ["application/json"], field) == nil)
  }

  @Test func readsTheFieldOfARequest() {
    #expect(Accept.best(of: ["a/b", "c/d"], [:]) == 0)
    #expect(Accept.best(of: ["a/b", "c/d"], ["Accept": "*/*"]) == 0)
    #expect(Accept.best(of: ["a/b", "c/d"], ["Accept": "x/y", "accept": "c/d"]) == 1)
  }
}

struct EntityTagTests {
  private let token = OffsetToken(incarnation: 1, position: ByteOffset(34))
  private let tag = "\"0000000000000001_0000000000000034\""

  @Test func isTheTokenInQuotes() {
    #expect(EntityTag.bytes(of: token) == Array(tag.utf8))
  }

  @Test func matchesWeaklyInListsAndAnything() {
    for value in [tag, "W/\(tag)", "\"x\", \(tag)", "*", " * "] {
      #expect(EntityTag.isMatch(["If-None-Match": value], token))
    }
    for value in ["", "\"x\"", String(tag.dropLast()), "W/\"x\""] {
      #expect(!EntityTag.isMatch(["If-None-Match": value], token))
    }
    #expect(!EntityTag.isMatch([:], token))
  }
}

struct LivePositionsTests {
  @Test func readsWhatItWrote() {
    let positions = LivePositions([
      OffsetToken(incarnation: 12, position: ByteOffset(0)), nil,
      OffsetToken(incarnation: OffsetToken.incarnationLimit, position: ByteOffset(ByteOffset.limit + 1)),
    ])
    #expect(String(decoding: positions.bytes, as: UTF8.self).hasPrefix("12_0,-,9999999999999999_"))
    #expect(LivePositions(positions.bytes[...]) == positions)
  }

  @Test(arguments: [
    "", "1", "1_", "_1", "1_2_3", "1_2,", "a_1", "1_-2", "99999999999999999_1", "1_99999999999",
  ])
  func refusesEverythingElse(text: String) {
    #expect(LivePositions(Array(text.utf8)[...]) == nil)
  }
}
