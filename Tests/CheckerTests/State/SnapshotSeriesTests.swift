import Markup
import TestSupport
import Testing

@testable import Checker

/// A series gives the digests of its snapshots, whatever came before.
struct SnapshotSeriesTests {
  /// An engine that shows what it is told.
  private struct Shown: CheckedEngine, ~Copyable {
    var message = WireMessage()
    var steps: Int { 0 }

    mutating func append(_ bytes: borrowing Span<UInt8>) {}
    mutating func finish() {}
    mutating func readSnapshot(into message: inout WireMessage) { message = self.message }
    mutating func readDiff(since offset: Int?, into message: inout WireMessage) { message = self.message }
  }

  @Test(arguments: 0..<20)
  func givesTheDigestsOfPrefixes(seed: Int) throws {
    let document = try #require(GeneratedDocuments.documents(1, seed: seed, dialect: .chat).first)
    let make = ParserEngine.factory(document.parse)
    var series = SnapshotSeries()
    var generator = SeededGenerator(seed: UInt64(seed))
    for offset in 0...document.source.count {
      // Mostly one byte more than before, and now and then any prefix.
      let end = generator.below(8) == 0 ? generator.below(document.source.count + 1) : offset
      var engine = make()
      engine.append(document.source.span.extracting(0..<end))
      if generator.below(4) == 0 { engine.finish() }
      var message = WireMessage()
      engine.readSnapshot(into: &message)
      #expect(series.readDigest(of: &engine) == BlockDigest.state(message), "\(document.name) to \(end)")
    }
  }

  @Test func seesEveryChange() {
    var parser = ParserEngine.factory(ParseOptions(.chat))()
    parser.append(Array("# a\n\n- [x] one\n- two\n\n```swift\nlet\n```\n\nend".utf8).span)
    var shown = Shown()
    parser.readSnapshot(into: &shown.message)
    var series = SnapshotSeries()
    let whole = shown.message
    let digest = series.readDigest(of: &shown)
    for row in whole.ops.indices {
      let changes: [(inout WireMessage) -> Void] = [
        { $0.ops[row].begin += 1 }, { $0.ops[row].end += 1 }, { $0.ops[row].revision += 1 },
        { $0.ops[row].type = .math }, { $0.ops.remove(at: row) }, { $0.ops.append($0.ops[row]) },
        { $0.bytes[$0.ops[row].id.lowerBound] ^= 1 }, { $0.ops[row].parent = $0.ops[row].id },
        { $0.ops[row].text = $0.ops[row].text == nil ? 0..<0 : nil },
      ]
      for change in changes {
        shown.message = whole
        change(&shown.message)
        #expect(series.readDigest(of: &shown) == BlockDigest.state(shown.message))
        #expect(series.readDigest(of: &shown) != digest)
        shown.message = whole
        #expect(series.readDigest(of: &shown) == digest)
      }
    }
  }
}
