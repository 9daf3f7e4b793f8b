import Configuration
import Foundation

extension Command.Option {
  static let config = Command.Option(
    "--config", "FILE", "The configuration; Config/mooring.yaml names every key")
  static let listen = Command.Option("--listen", "HOST:PORT", "The address; port 0 picks a free one")
  static let storage = Command.Option("--storage", "memory|sqlite[:PATH]", "Where source bytes are kept")
  static let dialect = Command.Option(
    "--dialect", "D", "chat (default), gfm, commonmark, or a dialect's file, NAME.yaml")
}

extension Arguments {
  /// The configuration that `--config`, the environment and the other options give.
  func configuration() throws -> LoadedConfiguration {
    var overrides: [ConfigurationOverride] = []
    if let listen = self["--listen"] { overrides += try ConfigurationOverride.listen(listen) }
    if let storage = self["--storage"] { overrides += ConfigurationOverride.storage(storage) }
    return try Configuration.load(
      file: self["--config"], environment: ProcessInfo.processInfo.environment, overrides: overrides)
  }
}
