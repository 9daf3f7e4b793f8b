import Markup
import Testing

@testable import LoadTest

/// What generated documents are made of is told by the parser, not by the generator.
struct AnswerGeneratorTests {
  private static let count = 3_000

  private struct Census {
    var having = Array(repeating: 0, count: AnswerBlock.allCases.count)
    var blocks = Array(repeating: 0, count: AnswerBlock.allCases.count)
    var nesting = 0
    var cjk = 0
    var bytes: [Int] = []
    var tops: [Int] = []
  }

  private static let census: Census = {
    var census = Census()
    for seed in 0..<UInt64(count) { add(AnswerGenerator.document(seed: seed), to: &census) }
    return census
  }()

  private static func add(_ document: [UInt8], to census: inout Census) {
    var parser = MarkupParser(dialect: .chat)
    parser.append(document.span)
    parser.finish()
    var has: Set<AnswerBlock> = []
    var nests = false
    var tops = 0
    for row in 0..<parser.blocks.count {
      let index = BlockIndex(row)
      let block = parser.blocks[index]
      if let parent = block.parent {
        nests = nests || block.type == .list && parser.blocks[parent].type == .listItem
        continue
      }
      tops += 1
      guard let kind = kind(of: block.type, isOrdered: block.type == .list && parser.blocks.isOrdered(index))
      else { continue }
      has.insert(kind)
      census.blocks[kind.rawValue] += 1
    }
    for kind in has { census.having[kind.rawValue] += 1 }
    if nests { census.nesting += 1 }
    census.bytes.append(document.count)
    census.tops.append(tops)
    // Every character outside ASCII that is no emoji.
    let wide = String(decoding: document, as: UTF8.self).unicodeScalars.count {
      $0.value >= 0x3000 && $0.value < 0xA000
    }
    if wide * 3 * 3 > document.count { census.cjk += 1 }
  }

  private static func kind(of type: BlockType, isOrdered: Bool) -> AnswerBlock? {
    switch type {
    case .paragraph: .paragraph
    case .heading: .heading
    case .list: isOrdered ? .orderedList : .bulletList
    case .code: .code
    case .table: .table
    case .blockquote: .quote
    case .thematicBreak: .thematicBreak
    case .math: .math
    case .html: .html
    case .component: .component
    default: nil
    }
  }

  @Test(arguments: AnswerBlock.allCases)
  func isMadeOfBlocksAsAnswersAre(_ kind: AnswerBlock) {
    let census = Self.census
    let share = Double(census.having[kind.rawValue]) * 1_000 / Double(Self.count)
    let wanted = Double(AnswerMix.documentsHaving[kind.rawValue])
    // Three standard errors of the sample, and what a document that has to have some block adds.
    let noise = 3 * (wanted * (1_000 - wanted) / Double(Self.count)).squareRoot()
    #expect(abs(share - wanted) <= noise + 15, "\(kind): \(share), wanted \(wanted)")
    let blocks = Double(census.blocks[kind.rawValue]) * 1_000 / Double(Self.count)
    let wantedBlocks = Double(AnswerMix.blocksPerThousand[kind.rawValue])
    #expect(
      blocks > wantedBlocks * 0.6 - 5 && blocks < wantedBlocks * 1.6 + 5,
      "\(kind): \(blocks) in 1,000 answers, wanted \(wantedBlocks)")
  }

  @Test func nestsListsAndIsWrittenInCJKAsOftenAsAnswersAre() {
    let census = Self.census
    let nesting = census.nesting * 1_000 / Self.count
    #expect(abs(nesting - AnswerMix.nestingDocuments) < 40, "\(nesting)")
    let cjk = census.cjk * 1_000 / Self.count
    #expect(abs(cjk - AnswerMix.cjkDocuments) < 40, "\(cjk)")
  }

  @Test func isAsLongAsAnswersAre() {
    let bytes = Self.census.bytes.sorted()
    let (median, ninth) = (AnswerMix.document.point(5), AnswerMix.document.point(9))
    #expect(
      bytes[bytes.count / 2] > median / 2 && bytes[bytes.count / 2] < median * 2, "\(bytes[bytes.count / 2])")
    #expect(bytes[bytes.count * 9 / 10] > ninth / 2 && bytes[bytes.count * 9 / 10] < ninth * 2)
  }

  @Test func isTheSameForTheSameSeed() {
    for seed in 0..<50 as Range<UInt64> {
      #expect(AnswerGenerator.document(seed: seed) == AnswerGenerator.document(seed: seed))
    }
    #expect(AnswerGenerator.document(seed: 1) != AnswerGenerator.document(seed: 2))
  }
}

struct ChunkCutterTests {
  @Test(arguments: [1...24, 1...1, 3...3, 4...8, 20...200, 2...5])
  func cutsIntoChunksOfTheRange(_ range: ClosedRange<Int>) {
    for seed in 0..<60 as Range<UInt64> {
      let document = AnswerGenerator.document(seed: seed)
      var cutter = ChunkCutter(range, seed: seed)
      let ends = cutter.ends(of: document)
      #expect(ends.last == document.count)
      var start = 0
      for (place, end) in ends.enumerated() {
        #expect(end > start && end - start <= range.upperBound)
        if place < ends.count - 1 { #expect(end - start >= range.lowerBound, "seed \(seed), chunk \(place)") }
        start = end
      }
    }
  }

  @Test func cutsNoCharacterWhereTheRangeAllowsIt() {
    for seed in 0..<60 as Range<UInt64> {
      let document = AnswerGenerator.document(seed: seed)
      var cutter = ChunkCutter(1...24, seed: seed)
      for end in cutter.ends(of: document) where end < document.count {
        #expect(document[end] & 0xC0 != 0x80)
      }
    }
  }
}
