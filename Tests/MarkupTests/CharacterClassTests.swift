import Testing

@testable import Markup

/// The generated tables, held against the standard library's properties of an earlier Unicode: what that has assigned,
/// and did not change since, is the same in both.
@Suite struct CharacterClassTests {
  private static let scalars = (0x80...0x10FFFF).compactMap { Unicode.Scalar(UInt32($0)) }

  @Test func agreesOnPunctuationAndSpaces() {
    var differing: [Unicode.Scalar] = []
    for scalar in Self.scalars {
      let category = scalar.properties.generalCategory
      guard category != .unassigned else { continue }
      let isPunctuation: Bool =
        switch category {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
          .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
          .modifierSymbol, .otherSymbol:
          true
        default: false
        }
      if CharacterClass.isPunctuation(scalar) != isPunctuation
        || CharacterClass.isSpace(scalar) != (category == .spaceSeparator)
      {
        differing.append(scalar)
      }
    }
    // A handful of characters have changed their category from one version to the next.
    #expect(differing.count <= 8, "\(differing.map { String($0.value, radix: 16) })")
  }

  @Test func foldsWhatDiffersInCaseAlone() {
    func folded(_ text: String) -> [UInt8] { Label.identifier(Array(text.utf8)) }
    // The dotless i has I for its upper case and folds to itself.
    for scalar in Self.scalars where scalar != "ı" {
      let text = String(scalar)
      let upper = scalar.properties.uppercaseMapping
      guard upper != text, scalar.properties.lowercaseMapping == text else { continue }
      #expect(folded(text) == folded(upper), "\(String(scalar.value, radix: 16))")
    }
    #expect(folded("ẞ") == folded("ss") && folded("ﬀ") == folded("FF") && folded("Ⅷ") == folded("ⅷ"))
    #expect(folded("ΑΓΩΣ") == folded("αγως") && folded("İ") == folded("i\u{307}"))
    #expect(folded("é") != folded("e\u{301}"))
  }
}
