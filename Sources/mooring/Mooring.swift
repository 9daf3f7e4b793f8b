import Configuration
import Foundation

/// The command: finds which one is meant, runs it, and turns what goes wrong into a message and a status.
enum Mooring {
  static let commands: [Command] = [
    .serve, .parse, .stream, .check, .load, .bench, .benchHTML, .benchHealing, .benchDocuments,
    .benchStorage, .configCheck, .configShow,
  ]

  /// Runs the command line without the program's name. The process's exit status.
  static func run(_ arguments: [String]) async -> Int32 {
    do {
      try await dispatch(arguments)
      return ExitStatus.ok
    } catch let error as CommandError {
      Output.error("mooring: \(error)")
      return error.status
    } catch let error as ConfigurationError {
      for line in error.all { Output.error("mooring: \(line)") }
      return ExitStatus.configuration
    } catch {
      Output.error("mooring: \(error)")
      return ExitStatus.inputOutput
    }
  }

  private static func dispatch(_ arguments: [String]) async throws {
    guard let first = arguments.first else {
      throw CommandError.usage(
        "a command is missing; there are \(names). mooring --help says more", help: nil)
    }
    if first == "--help" || first == "help" { return Output.print(help) }
    // The longest name wins: `config check` is one command.
    let matches = commands.filter { arguments.starts(with: $0.words) }
    guard let command = matches.max(by: { $0.words.count < $1.words.count }) else {
      let group = commands.filter { $0.words.first == first }
      guard group.isEmpty else {
        if arguments.count > 1, arguments[1] == "--help" { return Output.print(help) }
        let words = group.map { $0.words.dropFirst().joined(separator: " ") }.joined(separator: ", ")
        throw CommandError.usage("\(first) needs one of \(words) after it", help: nil)
      }
      throw CommandError.usage("there is no command \"\(first)\"; there are \(names)", help: nil)
    }
    let rest = Array(arguments.dropFirst(command.words.count))
    if rest.contains("--help") { return Output.print(command.help) }
    try await command.run(try Arguments(rest, of: command))
  }

  private static var names: String { commands.map(\.name).joined(separator: ", ") }

  private static var help: String {
    let width = (commands.map { $0.usage.count }.max() ?? 0) + 2
    let lines = commands.map {
      "  mooring \($0.name)" + String(repeating: " ", count: width - $0.name.count) + $0.summary
    }
    return """
      Mooring reads streamed Markdown into blocks whose IDs never change.

      \(lines.joined(separator: "\n"))

      mooring COMMAND --help says what a command takes.

      """
  }
}

/// The process's exit statuses, as `sysexits.h` has them.
enum ExitStatus {
  static let ok: Int32 = 0
  /// A check found violations, or a load test readers that got something wrong.
  static let violations: Int32 = 1
  static let usage: Int32 = 64
  static let badInput: Int32 = 65
  static let inputOutput: Int32 = 74
  static let configuration: Int32 = 78
}

/// Why a command fails, beside what is wrong with a configuration.
enum CommandError: Error, CustomStringConvertible {
  /// The command line is wrong; `help` is the command that can say more.
  case usage(String, help: String?)
  /// A file cannot be read or written.
  case file(path: String, reason: String)
  /// What a file holds is not what the command reads.
  case input(path: String, reason: String)
  /// A check found so many violations, which are printed.
  case violations(Int)
  /// So many readers of a load test got what their stream does not hold.
  case wrongReaders(Int)
  /// The server does not start, or its sockets fail.
  case server(String)
  /// What is stored cannot be opened.
  case storage(String)

  var status: Int32 {
    switch self {
    case .usage: ExitStatus.usage
    case .input: ExitStatus.badInput
    case .violations, .wrongReaders: ExitStatus.violations
    case .file, .server, .storage: ExitStatus.inputOutput
    }
  }

  var description: String {
    switch self {
    case .usage(let message, let help):
      help.map { "\(message). mooring \($0) --help says more" } ?? message
    case .file(let path, let reason), .input(let path, let reason): "\(path): \(reason)"
    case .violations(let count): "\(count) violations"
    case .wrongReaders(let count): "\(count) readers got something wrong"
    case .server(let message), .storage(let message): message
    }
  }
}
