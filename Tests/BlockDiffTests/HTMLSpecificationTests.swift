import BlockDiff
import Foundation
import Markup
import TestSupport
import Testing

/// The HTML of the specifications' examples, byte for byte, from the folder of specification data (see
/// `SpecificationExamples`).
@Suite struct HTMLSpecificationTests {
  @Test func givesTheHTMLOfEveryCommonMarkExample() throws {
    let examples = try SpecificationExamples.commonmark()
    guard !examples.isEmpty else {
      return print("CommonMark: skipped, there are no examples; scripts/fetch-specification brings them")
    }
    #expect(examples.count == 652)
    let failures = examples.filter { html($0.markdown, .commonmark) != $0.html }
    print("CommonMark: \(examples.count - failures.count) of \(examples.count) examples give their HTML")
    report(failures, .commonmark)
  }

  @Test(arguments: ["gfm-0.29", "cmark-gfm-extensions", "cmark-gfm-regression"])
  func givesTheHTMLOfGFMExamples(_ suite: String) throws {
    let examples = try SpecificationExamples.suite(suite)
    let differing = examples.filter { html($0.markdown, .gfm, filtersTags: filtersTags($0)) != $0.html }
    let failures = differing.filter { Self.known[$0.name] == nil }
    let names = Set(differing.map(\.name))
    print(
      """
      \(suite): \(examples.count - differing.count) of \(examples.count) examples give their HTML, \
      \(differing.count - failures.count) known differences
      """)
    report(failures, .gfm)
    for example in examples where Self.known[example.name] != nil {
      #expect(names.contains(example.name), "agrees now: take it from the list")
    }
  }

  /// The examples that show what tags are disallowed; the others were made without that extension.
  private func filtersTags(_ example: SpecificationExamples.Example) -> Bool {
    ["gfm-0.29#653", "cmark-gfm-extensions#22"].contains(example.name)
  }

  /// Where the older GFM says otherwise than CommonMark 0.31.2, than cmark-gfm itself, or leaves an extension out.
  private static let known: [String: String] = [
    "gfm-0.29#279": "the specification shows the input element as GitHub writes it; we write cmark-gfm's",
    "gfm-0.29#280": "as #279",
    "gfm-0.29#610": "an example of CommonMark's autolinks, made without the extended ones",
    "gfm-0.29#614": "as #610", "gfm-0.29#616": "as #610", "gfm-0.29#619": "as #610",
    "gfm-0.29#620": "as #610",
    "gfm-0.29#645": "CommonMark 0.31.2 has a simpler rule for comments",
    "gfm-0.29#646": "as #645",
    "cmark-gfm-extensions#20": "only asks not to crash",
    "cmark-gfm-extensions#23": "footnotes' attributes of an earlier cmark-gfm",
    "cmark-gfm-regression#1": "its runner writes the carriage return otherwise",
    "cmark-gfm-regression#13": "as cmark-gfm-extensions#23",
  ]

  private func html(_ markdown: String, _ dialect: Dialect, filtersTags: Bool = false) -> String {
    var parser = MarkupParser(dialect: dialect)
    parser.append(Array(markdown.utf8).span)
    parser.finish()
    var options = HTMLOptions.exact
    options.filtersTags = filtersTags
    var writer = HTMLWriter(dialect: dialect, options: options)
    writer.write(parser.blocks)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func report(_ failures: [SpecificationExamples.Example], _ dialect: Dialect) {
    guard !failures.isEmpty else { return }
    let shown = failures.prefix(40).map { example in
      """
      \(example.name)
        source:   \(example.markdown.debugDescription)
        expected: \(example.html.debugDescription)
        got:      \(html(example.markdown, dialect).debugDescription)
      """
    }
    Issue.record("\(failures.count) differ\n\(shown.joined(separator: "\n"))")
  }
}
