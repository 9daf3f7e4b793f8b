import Checker

/// Makes documents that look to a parser as chat models' answers do: the same blocks as often, as long and in the
/// same order, inline content as dense, and as many of them in CJK characters (`AnswerMix`).
///
/// The words are made up from a seed, so that no text of anybody's is in here. Equal seeds give equal documents.
package struct AnswerGenerator {
  /// A list in a list, as deep as an answer has them.
  private static let maxListDepth = 2

  private static let rarestFirst = AnswerBlock.allCases.dropFirst().sorted {
    AnswerMix.documentsHaving[$0.rawValue] < AnswerMix.documentsHaving[$1.rawValue]
  }

  var random: SeededGenerator
  var words: WordGenerator
  var output: [UInt8] = []
  private var nests = false

  private init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    words = random.below(1_000) < AnswerMix.cjkDocuments ? .cjk : .latin
  }

  /// The document of a seed. It ends with a line end.
  package static func document(seed: UInt64) -> [UInt8] {
    var generator = AnswerGenerator(seed: seed)
    generator.writeDocument()
    return generator.output
  }

  private mutating func writeDocument() {
    nests = random.below(1_000) < AnswerMix.nestingDocuments
    let kinds = blocks()
    for (place, kind) in kinds.enumerated() {
      if place > 0 { write("\n") }
      write(kind, after: place > 0 ? kinds[place - 1] : nil)
    }
  }

  /// The kinds of the answer's blocks, in order.
  ///
  /// Which kinds it has is drawn first: answers with code have much of it, and most have none. Whether it has headings
  /// comes before that, since those that have are longer and have more of everything.
  private mutating func blocks() -> [AnswerBlock] {
    let isHeaded = random.below(1_000) < AnswerMix.documentsHaving[AnswerBlock.heading.rawValue]
    let shares = isHeaded ? AnswerMix.headedDocumentsHaving : AnswerMix.plainDocumentsHaving
    var has = AnswerBlock.allCases.map { random.below(1_000) < shares[$0.rawValue] }
    let lists = [AnswerBlock.bulletList, .orderedList]
    if nests, !lists.contains(where: { has[$0.rawValue] }) { has[random.pick(lists).rawValue] = true }
    if !has.contains(true) { has[0] = true }
    // As many as an answer has, and room for each kind.
    let count = max(
      (isHeaded ? AnswerMix.headedBlocks : AnswerMix.plainBlocks).draw(&random), has.count { $0 })
    var kinds: [AnswerBlock] = []
    for _ in 0..<count {
      let row = AnswerMix.follows[kinds.last.map { $0.rawValue + 1 } ?? 0]
      // The rarer kinds first, so that they come as often as they should; what is left are paragraphs.
      let kind = Self.rarestFirst.first { has[$0.rawValue] && random.below(1_000) < row[$0.rawValue] }
      kinds.append(
        kind ?? (has[0] ? .paragraph : random.pick(AnswerBlock.allCases.filter { has[$0.rawValue] })))
    }
    for kind in AnswerBlock.allCases where has[kind.rawValue] && !kinds.contains(kind) {
      // In the place of what there is most of.
      let counts = AnswerBlock.allCases.map { other in kinds.count { $0 == other } }
      let most = counts.indices.max { counts[$0] < counts[$1] } ?? 0
      let places = kinds.indices.filter { kinds[$0].rawValue == most }
      kinds[random.pick(places)] = kind
    }
    return kinds
  }

  /// A place drawn by rates; `nil` where all are 0.
  mutating func pick(_ rates: [Int]) -> Int? {
    let sum = rates.reduce(0, +)
    guard sum > 0 else { return nil }
    var left = random.below(sum)
    for (place, rate) in rates.enumerated() {
      left -= rate
      if left < 0 { return place }
    }
    return nil
  }

  // MARK: - Writing

  mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }

  private mutating func write(_ kind: AnswerBlock, after previous: AnswerBlock?) {
    switch kind {
    case .paragraph: writeInlines(AnswerMix.paragraph.draw(&random))
    case .heading: writeHeading()
    case .bulletList: writeList(isOrdered: false, indent: 0, marker: previous == kind ? "*" : "-")
    case .orderedList: writeList(isOrdered: true, indent: 0, marker: previous == kind ? ")" : ".")
    case .code: writeCode()
    case .table: writeTable()
    case .quote:
      write("> ")
      writeInlines(AnswerMix.item.draw(&random))
    case .thematicBreak: write("---\n")
    case .math: writeMath()
    case .html: write("<details>\n<summary>\(words.next(&random))</summary>\n</details>\n")
    case .component: writeComponent()
    }
  }

  private mutating func writeHeading() {
    let depth = (pick(AnswerMix.headingDepths) ?? 1) + 1
    write(String(repeating: "#", count: depth) + " ")
    writeInlines(AnswerMix.heading.draw(&random))
  }

  /// Lists after one of the same kind have another marker, or they would be one.
  private mutating func writeList(isOrdered: Bool, indent: Int, marker: String) {
    let count = max(1, AnswerMix.items.draw(&random))
    let nested = nests && indent == 0 ? random.below(count) : -1
    for item in 0..<count {
      let lead = isOrdered ? "\(item + 1)\(marker) " : "\(marker) "
      write(String(repeating: " ", count: indent) + lead)
      writeInlines(AnswerMix.item.draw(&random))
      let isNesting = item == nested || nests && random.below(1_000) < AnswerMix.nestingItems
      if isNesting, indent < Self.maxListDepth * 2 {
        writeList(isOrdered: false, indent: indent + lead.count, marker: marker == "*" ? "*" : "-")
      }
    }
  }
}
