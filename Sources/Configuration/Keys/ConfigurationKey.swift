/// One key of the configuration: its path, where its value goes, and what it accepts.
///
/// `ConfigurationKey.all` drives everything that is done with keys: reading the file, the environment and the
/// command line, checking, and `config show`. A key that is not in it does not exist.
package struct ConfigurationKey: Sendable {
  /// The key's names from the file's top, joined by dots: `http.maxBodyBytes`.
  package let path: String
  /// One line, what the value is.
  package let summary: String
  /// What is accepted, as a phrase.
  package let accepted: String

  private let readValue: @Sendable (String, inout Settings) -> Bool
  private let writeValue: @Sendable (Settings) -> String

  init<Value>(
    _ path: String, _ property: WritableKeyPath<Settings, Value> & Sendable, _ format: ValueFormat<Value>,
    _ summary: String
  ) {
    self.path = path
    self.summary = summary
    accepted = format.accepted
    readValue = { text, settings in
      guard let value = format.read(text) else { return false }
      settings[keyPath: property] = value
      return true
    }
    writeValue = { format.write($0[keyPath: property]) }
  }

  /// Puts the value that `text` stands for into `settings`; returns `false`, and changes nothing, if it is not
  /// accepted.
  package func read(_ text: String, into settings: inout Settings) -> Bool { readValue(text, &settings) }

  /// The value in `settings`, in the form that `read` takes.
  package func text(in settings: Settings) -> String { writeValue(settings) }

  /// The value that holds where nothing is configured.
  package var defaultText: String { text(in: Settings()) }

  /// The environment variable that overrides the key: `MOORING_HTTP_MAX_BODY_BYTES`.
  package var environmentName: String {
    var name = "MOORING_"
    for character in path {
      if character == "." {
        name += "_"
      } else {
        if character.isUppercase { name += "_" }
        name += character.uppercased()
      }
    }
    return name
  }
}
