import Foundation
import Markup
import TestSupport
import Testing

/// Other implementations' examples of what CommonMark has not, by structure: their HTML differs in flavour. From the folder
/// of specification data; where that is not there, there is nothing to compare.
@Suite struct SuiteStructureTests {
  @Test(arguments: ["commonmark-java-gfm-alerts", "comrak-alerts", "mdit-alerts"])
  func findsTheAlertsOfASuite(_ suite: String) throws {
    try compare(suite, Self.knownAlerts, expected: Self.alerts(inHTML:)) { blocks in
      rows(blocks, .blockquote).compactMap { blocks.alert(of: $0)?.name.description }
    }
  }

  @Test(arguments: ["pulldown-footnotes", "mditpy-footnote", "md4c-footnotes"])
  func findsTheFootnotesOfASuite(_ suite: String) throws {
    try compare(suite, Self.knownFootnotes, expected: Self.footnoteCount(inHTML:)) { blocks in
      rows(blocks, .footnoteDefinition).count
    }
  }

  /// Where identity.md §7 says otherwise: an alert stands wherever a quote does, and its first line is its marker alone.
  private static let knownAlerts = [
    "commonmark-java-gfm-alerts#28": "an alert in an alert is one",
    "commonmark-java-gfm-alerts#30": "an alert in a list item is one",
    "comrak-alerts#9": "a marker with a title is text", "comrak-alerts#10": "as #9",
  ]

  /// Definitions stay where they are written, also unused ones; footnotes in text are no part of the language.
  private static let knownFootnotes = [
    "mditpy-footnote#5": "a footnote in text", "mditpy-footnote#6": "as #5", "mditpy-footnote#13": "as #5",
    "mditpy-footnote#18": "made without indented code", "mditpy-footnote#20": "made without definitions",
    "md4c-footnotes#5": "made without footnotes", "md4c-footnotes#6": "an unused definition",
    "md4c-footnotes#7": "as #6", "md4c-footnotes#17": "as #6",
  ]

  private func compare<Structure: Equatable>(
    _ suite: String, _ known: [String: String], expected: (String) -> Structure,
    found: (BlockTable) -> Structure
  ) throws {
    let examples = try SpecificationExamples.suite(suite)
    let differing = examples.filter { expected($0.html) != found(blocks(of: $0.markdown)) }
    print("\(suite): \(examples.count - differing.count) of \(examples.count) examples have the structure")
    let names = Set(differing.map(\.name))
    for example in examples {
      #expect(names.contains(example.name) == (known[example.name] != nil), "\(example.name)")
    }
  }

  private func blocks(of markdown: String) -> BlockTable {
    var parser = MarkupParser(dialect: .chat)
    parser.append(Array(markdown.utf8).span)
    parser.finish()
    return parser.blocks
  }

  private func rows(_ blocks: BlockTable, _ type: BlockType) -> [BlockIndex] {
    (0..<blocks.count).map { BlockIndex($0) }.filter { blocks[$0].type == type }
  }

  private static func alerts(inHTML html: String) -> [String] {
    html.matches(of: /markdown-alert-(note|tip|important|warning|caution)\b/).map { String($0.1) }
  }

  private static func footnoteCount(inHTML html: String) -> Int {
    html.matches(of: /<li id="|class="footnote-definition"/).count
  }
}
