import Testing

@testable import Markup

@Suite struct NamedCharacterReferencesTests {
  @Test(arguments: [
    ("AElig", "\u{C6}"), ("AMP", "&"), ("amp", "&"), ("sub", "\u{2282}"), ("sube", "\u{2286}"),
    ("nbsp", "\u{A0}"),
    ("NotEqualTilde", "\u{2242}\u{338}"), ("there4", "\u{2234}"), ("zwj", "\u{200D}"), ("zwnj", "\u{200C}"),
  ])
  func findsNames(_ name: String, _ text: String) {
    #expect(NamedCharacterReferences.text(of: Array(name.utf8)) == Array(text.utf8))
  }

  @Test(arguments: [
    "A", "AEli", "AEligs", "am", "ampx", "aMP", "0", "zzzz", "AMP=26 Aacute", "AMP=26", "=", " ",
  ])
  func findsNothingElse(_ name: String) {
    #expect(NamedCharacterReferences.text(of: Array(name.utf8)) == nil)
  }
}
