/// Where a value comes from. Later cases win over earlier ones.
package enum ConfigurationOrigin: Equatable, Sendable {
  /// `Settings` itself.
  case `default`
  /// A file, by the path that it was read under; the first line is 1.
  case file(String, line: Int)
  /// The environment variable with this name.
  case environment(String)
  /// The option of the command line with this name, such as `--listen`.
  case commandLine(String)
}

extension ConfigurationOrigin: CustomStringConvertible {
  /// As `config show` prints it.
  package var description: String {
    switch self {
    case .default: "default"
    case .file(let path, let line): "file \(path):\(line)"
    case .environment(let name): "environment \(name)"
    case .commandLine(let option): "command line \(option)"
    }
  }

  /// As it begins an error's line: the form that editors and terminals turn into a link.
  var place: String {
    switch self {
    case .file(let path, let line): "\(path):\(line)"
    case .default, .environment, .commandLine: description
    }
  }
}
