import ByteStorage
import Markup
import TestSupport
import Testing

/// Promise 7: memory is at most three times the source plus 128 bytes a block, in every kind of block, fed in small
/// chunks or whole.
@Suite struct MemoryTests {
  @Test(arguments: CostTests.openBlocks + CostTests.longHolds, [20, 100_000])
  func staysWithinItsBound(_ kind: CostTests.Kind, _ chunk: Int) {
    let bytes = kind.document(200_000)
    var parser = MarkupParser(dialect: .directives, options: .init(frontMatter: true))
    var begin = 0
    while begin < bytes.count {
      let end = min(begin + chunk, bytes.count)
      parser.append(bytes[begin..<end].span)
      begin = end
    }
    // A constant for what every stream has, however short.
    let bound = 3 * bytes.count + 128 * parser.blocks.count + 8_192
    #expect(parser.footprint <= bound, "\(parser.footprint) bytes, \(parser.blocks.count) blocks")
  }

  @Test(arguments: [
    "a\n", "- a\n", "<X/>", "<X key=\"a\"/>\n", "[a]: /u\n", "[^1]: x\n\n", "# a\n", "|a\n|-\n|b\n\n",
    "> a\n\n", "```\n```\n", "é\n",
    "1. a\n\n", "***\n", "<X a b c d e f g h i j/>\n", "<X a=\"b\" c/>\n", "::a{b c d e f g h}\n", "::a\n",
    "::a[b]\n", ":::a\n:::\n",
  ])
  func holdsManySmallBlocks(_ unit: String) {
    var bytes: [UInt8] = []
    while bytes.count < 200_000 { bytes += Array(unit.utf8) }
    var parser = MarkupParser(dialect: .directives)
    parser.append(bytes.span)
    let bound = 3 * bytes.count + 128 * parser.blocks.count + 8_192
    #expect(parser.footprint <= bound, "\(parser.footprint) bytes, \(parser.blocks.count) blocks")
  }

  /// Streams that nobody writes to keep no room, and can go on.
  @Test(arguments: ["- item text here ok\n", "A line of text that is a paragraph.\n\n"])
  func keepsNoRoomOnceTrimmed(_ unit: String) {
    let bytes = Array(String(repeating: unit, count: 12_000).utf8)
    var parser = MarkupParser(dialect: .chat)
    var hadRoom = false
    for begin in stride(from: 0, to: bytes.count, by: 1_000) {
      parser.append(bytes[begin..<min(begin + 1_000, bytes.count)].span)
      guard begin % 20_000 == 0 else { continue }
      var resting = parser.copy()
      resting.trim()
      // Rows, text, a sixteenth more and what little there is beside them.
      let least = parser.blocks.count * 44 + parser.blocks.text.count
      let bound = least + least / 8 + 8_192
      if parser.footprint > bound { hadRoom = true }
      #expect(resting.footprint <= bound, "\(resting.footprint) bytes after \(begin)")
      resting.append(Array("other\n".utf8).span)
      parser.append(Array("other\n".utf8).span)
      #expect(resting.blocks.count == parser.blocks.count && resting.blocks.text == parser.blocks.text)
    }
    #expect(hadRoom)
  }

  @Test func holdsManyKeys() {
    var bytes: [UInt8] = []
    for number in 0..<20_000 { bytes += Array("<Card key=\"\(number)\"/>\n".utf8) }
    var parser = MarkupParser(dialect: .chat)
    parser.append(bytes.span)
    #expect(parser.blocks.count == 20_000)
    let bound = 3 * bytes.count + 128 * parser.blocks.count + 8_192
    #expect(parser.footprint <= bound, "\(parser.footprint) bytes")
  }
}
