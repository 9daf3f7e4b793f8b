/// Why a configuration is refused. A start that meets one ends with status 78 (`EX_CONFIG`).
package enum ConfigurationError: Error, Equatable, Sendable {
  /// What stands where something else belongs.
  package enum Shape: String, Equatable, Sendable {
    case value = "a value"
    case mapping = "a mapping"
    case list = "a list"
  }

  /// A file or directory could not be read; `errno` as the system gave it.
  case unreadable(path: String, errno: Int32)
  /// A file is no YAML, or uses what is refused in it.
  case yaml(YAMLError, file: String)
  /// `suggestion` is a known key that is nearly the same.
  case unknownKey(String, ConfigurationOrigin, suggestion: String?)
  /// A mapping holds the key twice; `firstLine` is where it stood first.
  case repeatedKey(String, ConfigurationOrigin, firstLine: Int)
  /// A key that has to be there is not.
  case missingKey(String, ConfigurationOrigin, accepted: String)
  /// The value is not one of those that the key accepts.
  case invalidValue(key: String, value: String, ConfigurationOrigin, accepted: String)
  case wrongShape(key: String, found: Shape, ConfigurationOrigin, expected: Shape)
  /// The value of `key` may not be above that of `limit`.
  case aboveOther(
    key: String, value: String, ConfigurationOrigin, limit: String, limitValue: String, ConfigurationOrigin)
  /// Without authentication, the address is one that other machines reach, and only one key says so.
  case unauthenticatedNetwork(host: String, ConfigurationOrigin)
  /// A dialect extends itself over others.
  case circularDialect(String, ConfigurationOrigin)
  /// Two errors or more, in the order of the files; none of them is `several`.
  case several([ConfigurationError])

  /// The error or errors, one by one.
  package var all: [ConfigurationError] {
    if case .several(let errors) = self { errors } else { [self] }
  }
}

extension ConfigurationError: CustomStringConvertible {
  /// One line an error: the place, the key, the value, and what is accepted.
  package var description: String {
    switch self {
    case .unreadable(let path, let errno):
      "\(path): cannot be read: \(systemErrorText(errno))"
    case .yaml(let error, let file):
      "\(file):\(error.mark.line):\(error.mark.column): \(error)"
    case .unknownKey(let key, let origin, let suggestion):
      "\(origin.place): unknown key \(oneLine(key))" + (suggestion.map { "; did you mean \($0)?" } ?? "")
    case .repeatedKey(let key, let origin, let firstLine):
      "\(origin.place): \(oneLine(key)) is given twice; first in line \(firstLine)"
    case .missingKey(let key, let origin, let accepted):
      "\(origin.place): \(key) is missing; accepted: \(accepted)"
    case .invalidValue(let key, let value, let origin, let accepted):
      "\(origin.place): \(key): \(quoted(value)) is not accepted; accepted: \(accepted)"
    case .wrongShape(let key, let found, let origin, let expected):
      "\(origin.place): \(key): \(found.rawValue) stands where \(expected.rawValue) belongs"
    case .aboveOther(let key, let value, let origin, let limit, let limitValue, let limitOrigin):
      "\(origin.place): \(key): \(value) is above \(limit), which is \(limitValue) (\(limitOrigin.place))"
    case .unauthenticatedNetwork(let host, let origin):
      """
      \(origin.place): listen.host: "\(host)" can be reached by other machines, and auth.mode is none; \
      accepted: a loopback address (127.0.0.1, ::1), or any with auth.allowUnauthenticatedNetwork: true
      """
    case .circularDialect(let name, let origin):
      "\(origin.place): extends: dialect \(name) extends itself"
    case .several(let errors):
      errors.map(\.description).joined(separator: "\n")
    }
  }
}

/// `value` in quotes on one line, cut where it is long.
private func quoted(_ value: String) -> String {
  let head = String(String.UnicodeScalarView(value.unicodeScalars.prefix(80)))
  return "\"\(oneLine(head))\(head == value ? "" : "…")\""
}
