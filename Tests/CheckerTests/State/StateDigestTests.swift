import Markup
import Testing

@testable import Checker

@Suite struct StateDigestTests {
  @Test func hashesTextAlikeHoweverItIsCut() {
    var generator = SeededGenerator(seed: 3)
    for count in [0, 1, 7, 8, 9, 31, 200] {
      let text = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      let whole = TextHash(text.span)
      for cut in 0...count {
        var parts = TextHash(text.span.extracting(0..<cut))
        parts.append(text.span.extracting(cut..<count))
        #expect(parts == whole, "\(count) bytes cut at \(cut)")
      }
    }
  }

  @Test func tellsTextsApart() {
    var seen: Set<UInt64> = []
    var text: [UInt8] = []
    // Zeros of every length, and a one at every place: what a weak hash would not see.
    for length in 0..<64 {
      #expect(seen.insert(TextHash(text.span).value).inserted)
      for place in 0..<length {
        text[place] = 1
        #expect(seen.insert(TextHash(text.span).value).inserted)
        text[place] = 0
      }
      text.append(0)
    }
  }

  @Test func seesEveryFieldOfABlock() {
    var message = WireMessage()
    message.bytes = Array("e1e2ab".utf8)
    var op = WireOp(.open)
    op.id = 0..<2
    op.type = .code
    op.fields = 4..<5
    op.begin = 1
    op.revision = 3
    op.text = 4..<6
    let changes: [(inout WireOp) -> Void] = [
      { _ in }, { $0.id = 2..<4 }, { $0.type = .html }, { $0.parent = 2..<4 }, { $0.fields = 5..<6 },
      { $0.begin = 2 }, { $0.end = 2 }, { $0.end = 0 }, { $0.revision = 4 }, { $0.text = 4..<5 },
      { $0.text = 4..<4 }, { $0.text = nil },
    ]
    var seen: Set<UInt64> = []
    for (number, change) in changes.enumerated() {
      var changed = op
      change(&changed)
      message.ops = [changed]
      #expect(seen.insert(BlockDigest.state(message)).inserted, "change \(number)")
      message.ops = [op, changed]
      #expect(seen.insert(BlockDigest.state(message)).inserted, "change \(number), second block")
    }
  }
}
