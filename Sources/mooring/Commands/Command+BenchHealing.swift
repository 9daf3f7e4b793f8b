import BlockDiff
import Checker
import Foundation

extension Command {
  /// `mooring bench healing`.
  static let benchHealing = Command(
    words: ["bench", "healing"],
    summary: "Counts how often what was shown of open leaves is taken back",
    operand: "[FILE…]", takesManyOperands: true,
    notes: """
      Feeds each document by what looks like a model's tokens to a reader of runs, and counts the diffs that take \
      back something it was shown, text that is gone or has other marks, and those in which something comes late: a \
      bracket or another delimiter that was held, and turned out to be text, before text that was shown and stays. \
      That a run is provisional no more, or that provisional text is now a link, is neither.
      """,
    options: [
      Option("--jsonl", "FIELD", "The files hold a JSON object a line; the document is in this field"),
      .dialect,
    ]
  ) { arguments in
    let parse = ParseOptions(try arguments.dialect())
    let documents = try Input.documents(of: arguments.operands, field: arguments["--jsonl"], parse)
    var figures = HealingFigures()
    for document in documents { try figures.add(document.source, dialect: document.parse.dialect) }
    let rate = { (count: Int) in
      String(format: "%.3f", Double(count) * 1000 / Double(max(1, figures.tokens)))
    }
    Output.print(
      """
      documents                    \(figures.documents)
      tokens                       \(figures.tokens)
      taken back                   \(figures.takenBack) (\(rate(figures.takenBack)) per 1,000 tokens)
      come late                    \(figures.comeLate) (\(rate(figures.comeLate)) per 1,000 tokens)
      either, in sealed leaves     \(figures.changedSealed)
      ops with runs                \(figures.changes)
      bytes of diffs a token       \(figures.wireBytes / max(1, figures.tokens))

      """)
  }
}
