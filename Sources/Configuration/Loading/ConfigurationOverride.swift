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

  /// What `--storage ENGINE` overrides.
  package static func storage(_ text: String) -> [ConfigurationOverride] {
    [ConfigurationOverride(key: "storage.engine", value: text, option: "--storage")]
  }

  private static func malformedListen(_ text: String) -> ConfigurationError {
    .invalidValue(
      key: "--listen", value: text, .commandLine("--listen"),
      accepted: "HOST:PORT, such as 127.0.0.1:4437 or [::1]:4437")
  }
}
