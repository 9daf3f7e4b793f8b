import Markup
import Testing

/// Info strings: one that is the same as the one before is kept once.
@Suite struct CodeInfoTests {
  struct Info: Sendable {
    var source: String
    var language: String?
    var meta: String?
  }

  /// What is escaped is not what it looks like, and the other way round.
  static let infos = [
    Info(source: ""), Info(source: "a", language: "a"), Info(source: " a", language: "a"),
    Info(source: "a b", language: "a", meta: "b"), Info(source: "ab", language: "ab"),
    Info(source: "a  b c \t", language: "a", meta: "b c"), Info(source: "\ta\tb", language: "a", meta: "b"),
    Info(source: "a\\*", language: "a*"), Info(source: "a*", language: "a*"),
    Info(source: "a\\\\*", language: "a\\*"), Info(source: "&amp;lt;", language: "&lt;"),
    Info(source: "&lt;", language: "<"), Info(source: "<", language: "<"), Info(source: "é", language: "é"),
    Info(source: "a é", language: "a", meta: "é"), Info(source: "a\u{0}", language: "a\u{FFFD}"),
    Info(source: "a\u{1}", language: "a\u{1}"),
    Info(source: "a-word-of-more-than-sixteen-bytes", language: "a-word-of-more-than-sixteen-bytes"),
    Info(source: "sixteen-bytes-16", language: "sixteen-bytes-16"),
    Info(source: "sixteen-bytes-16 <b>", language: "sixteen-bytes-16", meta: "<b>"),
  ]

  @Test(arguments: [1, 3, 10_000]) func readsEachAfterEachOther(_ chunk: Int) {
    var expected: [Info] = []
    for info in Self.infos { for other in Self.infos { expected += [info, other] } }
    let fences = ["```", "~~~", String(repeating: "`", count: 40)]
    let source = expected.indices.map { place in
      let fence = fences[place % fences.count]
      return "\(fence)\(expected[place].source)\n\(place)\n\(fence)\n"
    }.joined()
    let bytes = Array(source.utf8)
    var parser = MarkupParser(dialect: .commonmark)
    for begin in stride(from: 0, to: bytes.count, by: chunk) {
      parser.append(bytes[begin..<min(begin + chunk, bytes.count)].span)
    }
    parser.finish()
    let blocks = parser.blocks
    #expect(blocks.count == expected.count)
    let string = { (range: Range<Int>) in String(decoding: blocks.strings[range], as: UTF8.self) }
    for (row, info) in expected.enumerated() {
      let read = blocks.codeInfo(of: BlockIndex(row))
      #expect(read.language.map(string) == info.language, "\(info)")
      #expect(read.meta.map(string) == info.meta, "\(info)")
    }
  }

  @Test func keepsTheSameOnce() {
    var parser = MarkupParser(dialect: .commonmark)
    let fence = Array("```swift title\n```\n".utf8)
    parser.append(fence.span)
    let once = parser.blocks.strings
    for _ in 0..<1000 { parser.append(fence.span) }
    #expect(parser.blocks.count == 1001 && parser.blocks.strings == once)
  }
}
