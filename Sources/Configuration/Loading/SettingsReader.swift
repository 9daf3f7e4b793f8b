/// Reads values into `Settings`, one source after the other, and notes where each came from and what was wrong.
///
/// Pure: it sees trees and text, never files or the process's environment.
struct SettingsReader {
  private(set) var settings = Settings()
  /// Of the keys that are not at their default, by path.
  private(set) var origins: [String: ConfigurationOrigin] = [:]
  var errors: [ConfigurationError] = []

  /// Reads a file's document. `file` is the path that errors name.
  mutating func read(_ document: YAMLDocument, file: String) {
    defer { errors += document.repeatedKeyErrors(file: file) }
    guard let root = document.root else { return }
    guard case .mapping(let sections) = root.content else {
      errors.append(.wrongShape(key: "the file", found: root.shape, root.origin(file), expected: .mapping))
      return
    }
    for section in sections {
      let sectionOrigin = ConfigurationOrigin.file(file, line: section.mark.line)
      guard ConfigurationKey.sections.contains(section.key) else {
        errors.append(unknownKey(section.key, sectionOrigin))
        continue
      }
      if section.value.isAbsent { continue }
      guard case .mapping(let entries) = section.value.content else {
        errors.append(
          .wrongShape(key: section.key, found: section.value.shape, sectionOrigin, expected: .mapping))
        continue
      }
      for entry in entries {
        read(entry.value, key: "\(section.key).\(entry.key)", .file(file, line: entry.mark.line))
      }
    }
  }

  /// Reads the variables whose names begin with `MOORING_`. An unknown one is an error, but for those that
  /// Kubernetes and Docker set for a service that is called so.
  mutating func read(environment: [String: String]) {
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("MOORING_") {
      if let key = ConfigurationKey.byEnvironmentName[name] {
        read(value, for: key, .environment(name))
      } else if !isServiceLink(name, value) {
        let suggestion = nearest(name, among: ConfigurationKey.all.map(\.environmentName))
        errors.append(.unknownKey(name, .environment(name), suggestion: suggestion))
      }
    }
  }

  /// Reads the command line's overrides.
  mutating func read(overrides: [ConfigurationOverride]) {
    for override in overrides {
      let origin = ConfigurationOrigin.commandLine(override.option)
      if let key = ConfigurationKey.named(override.key) {
        read(override.value, for: key, origin)
      } else {
        errors.append(unknownKey(override.key, origin))
      }
    }
  }

  /// Replaces the path of the dialects' directory, if there is one, by what `resolve` makes of it and of where it
  /// came from.
  mutating func resolveDirectory(_ resolve: (String, ConfigurationOrigin) -> String) {
    guard !settings.dialects.directory.isEmpty else { return }
    settings.dialects.directory = resolve(settings.dialects.directory, origin(of: "dialects.directory"))
  }

  func origin(of key: String) -> ConfigurationOrigin { origins[key] ?? .default }

  // MARK: - Values

  private mutating func read(_ node: YAMLNode, key path: String, _ origin: ConfigurationOrigin) {
    guard let key = ConfigurationKey.named(path) else {
      errors.append(unknownKey(path, origin))
      return
    }
    guard case .scalar(let text, _) = node.content else {
      errors.append(.wrongShape(key: path, found: node.shape, origin, expected: .value))
      return
    }
    guard !node.isAbsent else {
      errors.append(.invalidValue(key: path, value: "", origin, accepted: key.accepted))
      return
    }
    read(text, for: key, origin)
  }

  private mutating func read(_ text: String, for key: ConfigurationKey, _ origin: ConfigurationOrigin) {
    if key.read(text, into: &settings) {
      origins[key.path] = origin
    } else {
      errors.append(.invalidValue(key: key.path, value: text, origin, accepted: key.accepted))
    }
  }

  private func unknownKey(_ path: String, _ origin: ConfigurationOrigin) -> ConfigurationError {
    .unknownKey(path, origin, suggestion: nearest(path, among: ConfigurationKey.all.map(\.path)))
  }

  /// `MOORING_SERVICE_HOST`, `MOORING_PORT_4437_TCP_ADDR` and the like, also of `MOORING_<NAME>`;
  /// `MOORING_PORT` only as these write it (`tcp://…`), since a user may mean another thing by it.
  private func isServiceLink(_ name: String, _ value: String) -> Bool {
    if name.hasSuffix("_SERVICE_HOST") || name.hasSuffix("_SERVICE_PORT") { return true }
    if name.hasSuffix("_PORT") { return value.contains("://") }
    return name.contains("_SERVICE_PORT_") || name.contains(/_PORT_[0-9]+_(TCP|UDP|SCTP)/)
  }
}

// MARK: - Relations

extension SettingsReader {
  /// Checks what concerns more than one key. Keys with errors of their own are at a value that was accepted.
  mutating func checkRelations() {
    let loopback = IPAddress(settings.listen.host)?.isLoopback ?? false
    if settings.auth.mode == .none, !loopback, !settings.auth.allowUnauthenticatedNetwork {
      errors.append(.unauthenticatedNetwork(host: settings.listen.host, origin(of: "listen.host")))
    }
    requireOrder(
      "http.maxRequestLineBytes", \.http.maxRequestLineBytes, "http.maxHeadBytes", \.http.maxHeadBytes)
    requireOrder("http.maxBodyBytes", \.http.maxBodyBytes, "http.maxBytesInFlight", \.http.maxBytesInFlight)
    requireOrder("streams.maxBytes", \.streams.maxBytes, "streams.maxTotalBytes", \.streams.maxTotalBytes)
    requireOrder(
      "blocks.lowestMinInterval", \.blocks.lowestMinInterval,
      "blocks.highestMinInterval", \.blocks.highestMinInterval)
  }

  /// Checks that the default dialect is one of `names`.
  mutating func checkDefaultDialect(names: [String]) {
    let path = "blocks.defaultDialect"
    let value = settings.blocks.defaultDialect
    guard !names.contains(value) else { return }
    let accepted = "a dialect that is there: \(names.joined(separator: ", "))"
    errors.append(.invalidValue(key: path, value: value, origin(of: path), accepted: accepted))
  }

  private mutating func requireOrder<Value: Comparable>(
    _ low: String, _ lowValue: KeyPath<Settings, Value>, _ high: String, _ highValue: KeyPath<Settings, Value>
  ) {
    guard settings[keyPath: lowValue] > settings[keyPath: highValue],
      let lowKey = ConfigurationKey.named(low), let highKey = ConfigurationKey.named(high)
    else { return }
    errors.append(
      .aboveOther(
        key: low, value: lowKey.text(in: settings), origin(of: low),
        limit: high, limitValue: highKey.text(in: settings), origin(of: high)))
  }
}

// MARK: - Trees as errors see them

extension YAMLNode {
  var shape: ConfigurationError.Shape {
    switch content {
    case .scalar: .value
    case .sequence: .list
    case .mapping: .mapping
    }
  }

  func origin(_ file: String) -> ConfigurationOrigin { .file(file, line: mark.line) }
}

extension YAMLDocument {
  func repeatedKeyErrors(file: String) -> [ConfigurationError] {
    repeatedKeys.map {
      .repeatedKey(
        $0.path.joined(separator: "."), .file(file, line: $0.mark.line), firstLine: $0.firstMark.line)
    }
  }
}
