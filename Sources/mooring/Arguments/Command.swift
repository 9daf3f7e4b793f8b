/// One command: what it is called, what it takes, and what it does.
struct Command: Sendable {
  /// One long option.
  struct Option: Sendable {
    /// With its dashes.
    let name: String
    /// What stands for the value in the help, which says what is accepted; `nil` if it takes none.
    let value: String?
    let summary: String

    init(_ name: String, _ value: String, _ summary: String) {
      self.name = name
      self.value = value
      self.summary = summary
    }

    /// How it is typed.
    var usage: String { value.map { "\(name) \($0)" } ?? name }

    /// An option that is given or not.
    init(_ name: String, _ summary: String) {
      self.name = name
      value = nil
      self.summary = summary
    }
  }

  /// The name's words.
  let words: [String]
  let summary: String
  /// The file that it reads, as the help names it; `nil` if it takes none.
  var operand: String?
  /// Whether it takes more than one file.
  var takesManyOperands = false
  /// What stands below the options in the help.
  var notes = ""
  var options: [Option] = []
  let run: @Sendable (Arguments) async throws -> Void

  /// The name as it is typed.
  var name: String { words.joined(separator: " ") }

  /// The line that shows how it is typed.
  var usage: String { "\(name)\(operand.map { " \($0)" } ?? "")\(options.isEmpty ? "" : " [OPTIONS]")" }

  /// What `--help` prints.
  var help: String {
    var text = "mooring \(usage)\n\n\(summary).\n"
    let entries = options.map { ($0.usage, $0.summary) } + [("--help", "This text")]
    let width = entries.map(\.0.count).max() ?? 0
    text += "\n"
    for (name, summary) in entries {
      text += "  \(name)\(String(repeating: " ", count: width - name.count + 2))\(summary)\n"
    }
    if !notes.isEmpty { text += "\n\(notes)\n" }
    return text
  }
}
