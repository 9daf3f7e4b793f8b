import Checker

// The blocks that are not made of paragraphs, and inline content.
extension AnswerGenerator {
  private static let languages = ["python", "swift", "javascript", "bash", "", "json"]
  private static let operators = [" = ", "(", ") + ", ".", ", ", " if ", ": ", "[0] * ", "() "]

  mutating func writeCode() {
    write("```\(random.pick(Self.languages))\n")
    for _ in 0..<max(1, AnswerMix.codeLines.draw(&random)) {
      let end = output.count + AnswerMix.codeLine.draw(&random)
      if output.count < end { write(String(repeating: "  ", count: random.below(4))) }
      while output.count < end {
        write(WordGenerator.latinWord(&random))
        write(random.pick(Self.operators))
      }
      write("\n")
    }
    write("```\n")
  }

  mutating func writeTable() {
    let columns = max(1, AnswerMix.columns.draw(&random))
    let rows = max(2, AnswerMix.rows.draw(&random))
    for row in 0..<rows {
      for _ in 0..<columns {
        write("| ")
        writeText(max(1, AnswerMix.cell.draw(&random)))
        write(" ")
      }
      write("|\n")
      if row == 0 { write(String(repeating: "| --- ", count: columns) + "|\n") }
    }
  }

  mutating func writeMath() {
    let isDollar = random.chance(50)
    write(isDollar ? "$$\n" : "\\[\n")
    writeFormula(AnswerMix.math.draw(&random))
    write(isDollar ? "\n$$\n" : "\n\\]\n")
  }

  private mutating func writeFormula(_ bytes: Int) {
    let end = output.count + max(1, bytes)
    repeat {
      write("\\frac{\(WordGenerator.latinWord(&random))}{\(random.below(100))} + x^{\(random.below(9))}")
    } while output.count < end
  }

  mutating func writeComponent() {
    let key = WordGenerator.latinWord(&random)
    write("<Card key=\"\(key)\">\n")
    writeInlines(AnswerMix.item.draw(&random))
    write("</Card>\n")
  }

  /// Words of so many bytes, and nothing else.
  private mutating func writeText(_ bytes: Int) {
    let end = output.count + bytes
    write(words.next(&random))
    while output.count < end { write(words.separator + words.next(&random)) }
  }

  /// A line of words with inline content in it.
  mutating func writeInlines(_ bytes: Int) {
    let start = output.count
    let end = start + bytes
    repeat {
      if output.count > start { write(words.separator) }
      // The rates are those of 100,000 bytes; a word is some of them, however short.
      let before = output.count
      let word = words.next(&random)
      writeInline(word, draw: random.below(100_000), bytes: word.utf8.count + words.separator.utf8.count)
      if random.chance(8), output.count > before, output.count < end { write(words.comma) }
    } while output.count < end
    write(words.stop + "\n")
  }

  private mutating func writeInline(_ word: String, draw: Int, bytes: Int) {
    var left = draw
    func happens(_ rate: Int) -> Bool {
      left -= rate * bytes
      return left < 0
    }
    if happens(AnswerMix.strongRate) {
      write("**\(word)\(words.separator)\(words.next(&random))**")
    } else if happens(AnswerMix.emphasisRate) {
      write("*\(word)*")
    } else if happens(AnswerMix.codeRate) {
      write("`\(WordGenerator.latinWord(&random))()`")
    } else if happens(AnswerMix.linkRate) {
      write("[\(word)](https://\(WordGenerator.latinWord(&random)).example/\(random.below(1_000)))")
    } else if happens(AnswerMix.mathRate) {
      write("$\(WordGenerator.latinWord(&random).prefix(1))^2 + \(random.below(10))$")
    } else if happens(AnswerMix.emojiRate) {
      write(random.pick(["\u{2705}", "\u{1F680}", "\u{1F4A1}", "\u{26A0}\u{FE0F}"]))
    } else {
      write(word)
    }
  }
}
