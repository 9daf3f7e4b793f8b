/// A command's options and operands as they were given.
struct Arguments {
  private let command: String
  private var values: [String: String] = [:]
  /// What is no option, in order.
  private(set) var operands: [String] = []

  /// Reads `--name value`, `--name=value`, `--name` of options that take no value, and operands; after `--` all are operands.
  init(_ arguments: [String], of command: Command) throws {
    self.command = command.name
    var isOver = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if isOver || !argument.hasPrefix("-") || argument == "-" {
        operands.append(argument)
        continue
      }
      if argument == "--" {
        isOver = true
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = command.options.first(where: { $0.name == name }) else {
        let known = (command.options.map(\.name) + ["--help"]).joined(separator: ", ")
        throw CommandError.usage("there is no option \(name); there are \(known)", help: command.name)
      }
      guard values[name] == nil else {
        throw CommandError.usage("the option \(name) is given twice", help: command.name)
      }
      if option.value == nil {
        guard parts.count == 1 else {
          throw CommandError.usage("the option \(name) takes no value", help: command.name)
        }
        values[name] = ""
      } else if parts.count == 2 {
        values[name] = String(parts[1])
      } else if let value = rest.popFirst() {
        values[name] = value
      } else {
        throw CommandError.usage("the option \(name) needs a value", help: command.name)
      }
    }
    let most = command.operand == nil ? 0 : command.takesManyOperands ? Int.max : 1
    guard operands.count <= most else {
      let what = most == 0 ? "no file" : command.operand == "[URL]" ? "one URL" : "one file"
      throw CommandError.usage(
        "\(command.name) takes \(what), not \"\(operands[most])\" too", help: command.name)
    }
  }

  /// Whether an option is given.
  func isSet(_ option: String) -> Bool { values[option] != nil }

  /// The value of an option.
  subscript(_ option: String) -> String? { values[option] }

  /// The error for a value that an option does not accept.
  func refused(_ option: String, _ value: String, accepted: String) -> CommandError {
    .usage("\(option): \"\(value)\" is not accepted; accepted: \(accepted)", help: command)
  }

  /// The value of an option that has to be one of some words.
  func word(_ option: String, of accepted: [String], or other: String? = nil) throws -> String? {
    guard let value = self[option] else { return nil }
    guard accepted.contains(value) else {
      let all = accepted.joined(separator: ", ") + (other.map { ", or \($0)" } ?? "")
      throw refused(option, value, accepted: all)
    }
    return value
  }

  /// The value of an option that is a whole number in a range.
  func number(_ option: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let value = self[option] else { return nil }
    guard let number = Int(value), range.contains(number) else {
      throw refused(option, value, accepted: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The value of an option that is a number in a range.
  func decimal(_ option: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let value = self[option] else { return nil }
    guard let number = Double(value), range.contains(number) else {
      throw refused(option, value, accepted: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
