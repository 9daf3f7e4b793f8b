import Markup
import Testing

@testable import BlockDiff

/// What every run of an element repeats has a bound: else a long URL around many short runs would be as many times its
/// source.
@Suite struct RunRepetitionTests {
  private static let words = String(repeating: "*a* b ", count: 2_000)
  private static let long = String(repeating: "u", count: 900)

  @Test func linksSayWhereTheyLeadInTheirFirstRuns() {
    let list = Self.runs(of: "[\(Self.words)](/\(Self.long) \"title\") c")
    let link = list.runs.filter { $0.marks.contains(.link) }
    #expect(link.count == 4_000 && list.runs.count == 4_001)
    #expect(link.prefix(InlineRuns.maxNamedRuns).allSatisfy { $0.url != nil && $0.title != nil })
    #expect(link.dropFirst(InlineRuns.maxNamedRuns).allSatisfy { $0.url == nil && $0.title == nil })
  }

  @Test func nextLinksSayItAgain() {
    let list = Self.runs(of: "[\(Self.words)](/first) [b](/second)")
    #expect(list.runs.last?.url != nil)
  }

  @Test func imagesInLinksKeepTheirTitles() {
    let list = Self.runs(of: "[\(Self.words)![b](/image \"title\")](/first)")
    #expect(list.runs.last?.source != nil && list.runs.last?.title != nil && list.runs.last?.url == nil)
  }

  @Test(arguments: [
    "[\(words)](/\(String(repeating: long, count: 20)))",
    "\(String(repeating: "<Box k=\"\(long)\">", count: 8))\(words)\(String(repeating: "</Box>", count: 8))",
    "<Box k=\"\(long)\">\(String(repeating: "<Tip/>", count: 2_000))</Box>",
  ])
  func runsStayNearTheirSource(_ text: String) {
    var parser = MarkupParser(dialect: .chat)
    parser.append(Array("a \(text)".utf8).span)
    parser.finish()
    var view = InlineView(dialect: .chat)
    var writer = JSONWriter()
    writer.write(
      snapshotOf: parser.blocks, shape: .flat, inlines: &view, as: InlineOutput(.runs), in: Envelope())
    let bound = InlineRuns.maxNamedRuns * text.utf8.count + 64 * text.utf8.count
    #expect(writer.bytes.count < bound, "\(writer.bytes.count) bytes for \(text.utf8.count)")
  }

  private static func runs(of text: String) -> InlineRuns {
    var parser = MarkupParser(dialect: .chat)
    parser.append(Array(text.utf8).span)
    parser.finish()
    var view = InlineView(dialect: .chat)
    view.update(to: parser.blocks)
    var list = InlineRuns()
    view.write(BlockIndex(0), of: parser.blocks, policy: .safe, to: &list)
    return list
  }
}
