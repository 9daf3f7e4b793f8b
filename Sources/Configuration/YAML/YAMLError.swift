/// Why a text is not YAML that is read here.
package enum YAMLError: Error, Equatable, Sendable {
  /// What YAML has and configuration does without: it makes a text mean something other than what it shows, or
  /// a small text a large tree.
  package enum Feature: String, Equatable, Sendable {
    case anchor = "an anchor (&name)"
    case alias = "an alias (*name)"
    case tag = "a tag (!type)"
    case mergeKey = "a merge key (<<)"
    case directive = "a directive (%YAML, %TAG)"
    case secondDocument = "a second document (---)"
    case complexKey = "a key that is no scalar"
  }

  /// The text has more than `limit` bytes.
  case tooLarge(limit: Int)
  /// Mappings and sequences nest deeper than `limit`.
  case tooDeep(limit: Int, YAMLMark)
  /// The line holds bytes that are not UTF-8.
  case notUTF8(line: Int)
  /// The text holds a control character other than tab and line ends.
  case controlCharacter(code: Int, line: Int)
  case unsupported(Feature, YAMLMark)
  /// libyaml's own finding, in its words.
  case syntax(String, YAMLMark)
  /// Memory ran out.
  case outOfMemory

  /// Where the error is; line 1 where it concerns the whole text.
  package var mark: YAMLMark {
    switch self {
    case .tooLarge, .outOfMemory: YAMLMark(line: 1, column: 1)
    case .notUTF8(let line), .controlCharacter(_, let line): YAMLMark(line: line, column: 1)
    case .tooDeep(_, let mark), .unsupported(_, let mark), .syntax(_, let mark): mark
    }
  }
}

extension YAMLError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let limit): "the file is larger than \(ByteCountText.text(limit))"
    case .tooDeep(let limit, _): "nested deeper than \(limit) levels"
    case .notUTF8: "not UTF-8"
    case .controlCharacter(let code, _):
      "control character 0x\(String(code, radix: 16, uppercase: true)) is not allowed"
    case .unsupported(let feature, _): "\(feature.rawValue) is not accepted"
    case .syntax(let problem, _): "not YAML: \(problem)"
    case .outOfMemory: "out of memory"
    }
  }
}
