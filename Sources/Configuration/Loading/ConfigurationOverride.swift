/// A key's value from the command line.
package struct ConfigurationOverride: Equatable, Sendable {
  /// The key's path.
  package var key: String
  package var value: String
  /// The option that gave it, as errors and `config show` name it.
  package var option: String

  package init(key: String, value: String, option: String) {
    self.key = key
    self.value = value
    self.option = option
  }

  /// What `--listen HOST:PORT` overrides. An IPv6 address stands in brackets: `[::1]:4437`.
  package static func listen(_ text: String) throws(ConfigurationError) -> [ConfigurationOverride] {
    let option = "--listen"
    guard let colon = text.lastIndex(of: ":") else { throw malformedListen(text) }
    var host = text[..<colon]
    let port = text[text.index(after: colon)...]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw malformedListen(text)
    }
    return [
      ConfigurationOverride(key: "listen.host", value: String(host), option: option),
      ConfigurationOverride(key: "listen.port", value: String(port), option: option),
    ]
  }

  /// What `--storage ENGINE` or `--storage ENGINE:PATH` overrides.
  package static func storage(_ text: String) -> [ConfigurationOverride] {
    let option = "--storage"
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    // A path that would do nothing is refused with all of the text, as an engine that there is not.
    guard parts.count == 2, parts[0] == "sqlite" else {
      return [ConfigurationOverride(key: "storage.engine", value: text, option: option)]
    }
    return [
      ConfigurationOverride(key: "storage.engine", value: parts[0], option: option),
      ConfigurationOverride(key: "storage.path", value: parts[1], option: option),
    ]
  }

  private static func malformedListen(_ text: String) -> ConfigurationError {
    .invalidValue(
      key: "--listen", value: text, .commandLine("--listen"),
      accepted: "HOST:PORT, such as 127.0.0.1:4437 or [::1]:4437")
  }
}
