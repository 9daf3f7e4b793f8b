import BlockDiff
import Checker
import Foundation
import Markup
import TestSupport
import Testing

/// Inline content in diffs: whatever the chunks and wherever a reader comes from, it sees what the text alone says,
/// and in sealed leaves what the specification says.
@Suite struct InlineReplayTests {
  /// How many times as many documents as usual (`MOORING_DOCUMENTS`, as for the promises, in hundreds).
  private static let factor =
    max(1, (ProcessInfo.processInfo.environment["MOORING_DOCUMENTS"].flatMap(Int.init) ?? 0) / 100)

  @Test(arguments: [InlineOutput.Form.runs, .html])
  func showsGeneratedParagraphsAtEveryByte(_ form: InlineOutput.Form) {
    for number in 0..<40 * Self.factor {
      var generator = InlineGenerator(seed: UInt64(number), hasDirectives: hasDirectives(number))
      check(Array(generator.document().utf8), step: 1, number, form)
    }
  }

  /// Leaves of many stages, whole of what opens and does not close.
  @Test(arguments: [InlineOutput.Form.runs, .html])
  func showsLongParagraphs(_ form: InlineOutput.Form) {
    for number in 0..<6 * Self.factor {
      var generator = InlineGenerator(
        seed: UInt64(1_000_000 + number), hasDirectives: hasDirectives(number))
      var source: [UInt8] = []
      for _ in 0..<20 + number * 7 % 200 {
        source += generator.paragraph().utf8
        source.append(0x20)
        if number % 3 == 0 { source += "plain words, foo@bar.com and www.example.com/a_b for $5 ".utf8 }
      }
      source += "\n\n[ref]: /url \"title\"\n".utf8
      check(source, step: 29 + number % 17, number, form)
    }
  }

  @Test(arguments: [InlineOutput.Form.runs, .html])
  func showsGeneratedDocumentsAtEveryByte(_ form: InlineOutput.Form) {
    for number in 0..<12 * Self.factor {
      var generator = DocumentGenerator(
        seed: UInt64(2_000_000 + number), hasDirectives: hasDirectives(number))
      check(generator.document(), step: 1, number, form)
    }
  }

  @Test(arguments: [InlineOutput.Form.runs, .html])
  func showsTheSpecificationsExamplesAtEveryByte(_ form: InlineOutput.Form) throws {
    // All of them where more is asked for: each is read again at each of its bytes.
    for (number, example) in try SpecificationExamples.commonmark().enumerated()
    where number % 5 == 0 || Self.factor > 1 {
      check(Array(example.markdown.utf8), step: 1, number * 4 + 2, form)
    }
  }

  /// In dialect `gfm`; the other dialects have other documents to read.
  @Test(arguments: [InlineOutput.Form.runs, .html])
  func showsGFMsExamplesAtEveryByte(_ form: InlineOutput.Form) throws {
    let suites = ["cmark-gfm-extensions", "cmark-gfm-regression", "gfm-0.29"]
    var number = 0
    for suite in suites {
      for example in try SpecificationExamples.suite(suite) {
        number += 1
        // GFM's specification holds CommonMark's, of an earlier version; the extensions' examples are long.
        guard number % (suite == "gfm-0.29" ? 8 : 3) == 0 || Self.factor > 1 else { continue }
        check(Array(example.markdown.utf8), step: 1, number * 4 + 1, form)
      }
    }
  }

  private static let dialects: [Dialect] = [.chat, .gfm, .commonmark, .directives]

  private func hasDirectives(_ number: Int) -> Bool { Self.dialects[number % 4] == .directives }

  private func check(_ source: [UInt8], step: Int, _ number: Int, _ form: InlineOutput.Form) {
    let dialect = Self.dialects[number % 4]
    let ends = Array(stride(from: step, to: source.count, by: step)) + [source.count]
    if let difference = InlineReplay.difference(source, ends, dialect, InlineOutput(form)) {
      Issue.record(
        "\(dialect.name), number \(number): \(difference)\nsource \(SourceLiteral.quoted(source.prefix(4_000)))"
      )
    }
  }
}
