import BlockDiff
import Foundation
import Markup
import TestSupport
import Testing

/// Other implementations' examples of what CommonMark has not, by structure: their HTML differs in flavour. From
/// the folder of specification data; where that is not there, there is nothing to compare.
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

  /// Those whose language has our four delimiters or some of them, and no others.
  @Test(arguments: [
    "pulldown-math", "md4c-latex-math", "comrak-math_dollars", "mditpy-dollar_math", "mditpy-texmath_dollar",
    "mditpy-texmath_bracket",
  ])
  func findsTheFormulasOfASuite(_ suite: String) throws {
    try compare(suite, Self.knownMath, expected: Self.formulas(inHTML:)) { blocks in
      var writer = HTMLWriter(dialect: .chat)
      writer.write(blocks)
      return Self.formulas(inHTML: String(decoding: writer.bytes, as: UTF8.self))
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

  /// A math block opens where a block can start and ends at its closer, over blank lines, or not at all; `$$`
  /// closes what `$$` opened, whatever is between; a single dollar by the rules in InlineMath.swift.
  private static let knownMath = [
    "md4c-latex-math#2": "a dollar in display math",
    "md4c-latex-math#3": "a letter before the opening dollar",
    "md4c-latex-math#4": "a letter after the closing dollar",
    "pulldown-math#4": "a run of more than two dollars is text", "pulldown-math#10": "as md4c-latex-math#2",
    "pulldown-math#11": "as md4c-latex-math#2", "pulldown-math#16": "as pulldown-math#4",
    "pulldown-math#18": "a math block's lines begin no quote",
    "pulldown-math#19": "a blank line in a math block",
    "pulldown-math#21": "a dollar in braces closes", "pulldown-math#22": "braces need no balance",
    "pulldown-math#23": "as #21", "pulldown-math#24": "as #22 and md4c-latex-math#2",
    "pulldown-math#25": "as #21", "pulldown-math#33": "a digit before the opening dollar",
    "pulldown-math#45": "as #22", "pulldown-math#46": "as #22",
    "pulldown-math#48": "as #22", "comrak-math_dollars#4": "made without math",
    "mditpy-dollar_math#2": "an unclosed math block", "mditpy-dollar_math#28": "as pulldown-math#19",
    "mditpy-dollar_math#60": "made without indented code",
    "mditpy-texmath_dollar#44": "made without indented code",
    "mditpy-texmath_bracket#40": "made without indented code",
    "mditpy-texmath_dollar#35": "a formula in brackets, too", "mditpy-texmath_bracket#35": "as a number",
    "mditpy-texmath_dollar#40": "an escaped backslash escapes no dollar",
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

  /// The text of all formulas in document order, with one space for white space.
  private static func formulas(inHTML html: String) -> [String] {
    let element =
      #/<(?:eqn?|x-equation[^>]*|[a-z]+ [^>]*math[ -](?:inline|display|block|style)[^>]*)>(.*?)<\/[a-z-]+>/#
    return html.replacing(#/<a [^>]*mathlabel.*?<\/a>/#, with: "").matches(of: element.dotMatchesNewlines())
      .map { match in
        String(match.1).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
          .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
          .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
  }

  private static func footnoteCount(inHTML html: String) -> Int {
    html.matches(of: /<li id="|class="footnote-definition"/).count
  }
}
