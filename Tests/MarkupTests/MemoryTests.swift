import Markup
import Testing

/// Promise 7: memory is at most three times the source plus 128 bytes a block, in every kind of block, fed in small
/// chunks or whole.
@Suite struct MemoryTests {
  @Test(arguments: CostTests.openBlocks + CostTests.longHolds, [20, 100_000])
  func staysWithinItsBound(_ kind: CostTests.Kind, _ chunk: Int) {
    let bytes = kind.document(200_000)
    var parser = MarkupParser(dialect: .chat, options: .init(frontMatter: true))
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
    "1. a\n\n", "***\n",
  ])
  func holdsManySmallBlocks(_ unit: String) {
    var bytes: [UInt8] = []
    while bytes.count < 200_000 { bytes += Array(unit.utf8) }
    var parser = MarkupParser(dialect: .chat)
    parser.append(bytes.span)
    let bound = 3 * bytes.count + 128 * parser.blocks.count + 8_192
    #expect(parser.footprint <= bound, "\(parser.footprint) bytes, \(parser.blocks.count) blocks")
  }

  /// Streams that nobody writes to keep no room, and can go on.
  @Test(arguments: CostTests.openBlocks)
  func keepsNoRoomOnceTrimmed(_ kind: CostTests.Kind) {
    let bytes = kind.document(100_000)
    var parser = MarkupParser(dialect: .chat)
    parser.append(bytes.span.extracting(0..<90_000))
    var other = parser.copy()
    parser.trim()
    // A sixteenth, and a constant for each buffer.
    let (held, least) = (parser.footprint, other.blocks.count * 44 + other.blocks.text.count)
    #expect(held <= other.footprint && held - least <= held / 3 + 8_192, "\(held) bytes, \(least) at least")
    for begin in stride(from: 90_000, to: 100_000, by: 50) {
      parser.append(bytes.span.extracting(begin..<begin + 50))
      other.append(bytes.span.extracting(begin..<begin + 50))
    }
    #expect(parser.blocks.count == other.blocks.count && parser.blocks.text == other.blocks.text)
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
