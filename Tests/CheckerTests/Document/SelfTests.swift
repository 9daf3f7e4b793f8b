import Checker
import Markup
import Testing

/// The checker finds what is wrong: faults of each kind, planted behind the engine.
@Suite struct SelfTests {
  static let document = """
    Intro here

    # Trip

    Pack these:

    - socks
    - map!

    | a | b |
    |---|---|
    | 1 | 2 |

    Done! And some more
    lines of it

    """

  @Test(arguments: Fault.allCases)
  func findsNamesAndShrinks(_ fault: Fault) throws {
    let source = Array(Self.document.utf8)
    let parse = ParseOptions(.chat)
    let check = DocumentCheck(source, makeEngine: FaultyEngine.factory(fault, parse))
    let report = try check.run()
    let violation = try #require(
      report.violations.first { $0.promise == fault.promise }, "found only \(report.violations)")
    let shrunk = try #require(violation.shrunk, "not shrunk: \(violation)")
    print(
      "\(fault): \(violation.promise.name) at \(violation.offset) \(violation.id ?? "-"): \(violation.detail)",
      "\n  shrunk: \(shrunk.literal): \(shrunk.detail)")
    #expect(shrunk.source.count <= 6, "\(shrunk.literal)")
    #expect(shrunk.chunks.count <= 3, "\(shrunk.literal)")
    #expect(report.violations.map(\.promise) == [fault.promise])
    // What was shrunk still fails, and the real engine has nothing to do with it.
    var ends: [Int] = []
    for length in shrunk.chunks { ends.append((ends.last ?? 0) + length) }
    let again = DocumentCheck(shrunk.source, makeEngine: FaultyEngine.factory(fault, parse))
    #expect(again.violation(of: fault.promise, chunkEnds: ends) != nil)
    let real = DocumentCheck(shrunk.source, makeEngine: ParserEngine.factory(parse))
    #expect(try real.run().isOK)
  }

  @Test func findsNothingInTheEngineItself() throws {
    for dialect in Dialect.shipped {
      let check = DocumentCheck(
        Array(Self.document.utf8), makeEngine: ParserEngine.factory(ParseOptions(dialect)))
      let report = try check.run()
      #expect(report.violations == [])
      #expect(report.prefixes == Self.document.utf8.count + 1)
      #expect(report.blocks > 8)
    }
  }
}
