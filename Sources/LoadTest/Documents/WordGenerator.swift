import Checker

/// Makes up words of a script.
enum WordGenerator {
  case latin, cjk

  /// What stands between two words.
  var separator: String { self == .latin ? " " : "" }
  var comma: String { self == .latin ? "," : "\u{FF0C}" }
  /// What ends a sentence.
  var stop: String { self == .latin ? "." : "\u{3002}" }

  func next(_ random: inout SeededGenerator) -> String {
    switch self {
    case .latin: Self.latinWord(&random)
    // A tenth is in Latin letters, as names and terms are.
    case .cjk: random.chance(10) ? " \(Self.latinWord(&random)) " : Self.cjkWord(&random)
    }
  }

  private static let consonants = Array("bcdfghlmnprstvw")
  private static let vowels = Array("aeiou")

  /// One to four syllables: five letters on average, as in English.
  static func latinWord(_ random: inout SeededGenerator) -> String {
    var word = ""
    for _ in 0..<(1 + random.below(4)) {
      word.append(random.pick(consonants))
      word.append(random.pick(vowels))
    }
    return word
  }

  /// One to three of the first unified ideographs and kana.
  private static func cjkWord(_ random: inout SeededGenerator) -> String {
    var word = ""
    for _ in 0..<(1 + random.below(3)) {
      let code = random.chance(70) ? 0x4E00 + random.below(0x3000) : 0x3042 + random.below(0x40)
      if let scalar = Unicode.Scalar(code) { word.unicodeScalars.append(scalar) }
    }
    return word
  }
}
