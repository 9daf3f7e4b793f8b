import Configuration

extension Command {
  /// `mooring config check`.
  static let configCheck = Command(
    words: ["config", "check"], summary: "Says everything that is wrong with a configuration file",
    operand: "FILE"
  ) { arguments in
    guard let file = arguments.operands.first else {
      throw CommandError.usage("config check needs a FILE", help: "config check")
    }
    let errors = Configuration.check(file: file)
    switch errors.count {
    case 0: Output.print("\(file): nothing is wrong\n")
    case 1: throw errors[0]
    default: throw ConfigurationError.several(errors)
    }
  }

  /// `mooring config show`.
  static let configShow = Command(
    words: ["config", "show"],
    summary: "Prints the configuration in effect, each value with its origin",
    options: [.config, .listen, .storage]
  ) { arguments in
    Output.print(try arguments.configuration().show())
  }
}
