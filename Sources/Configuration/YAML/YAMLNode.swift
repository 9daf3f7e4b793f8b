/// One value of a YAML text: a scalar, a sequence or a mapping.
///
/// Scalars stay text: what a key's value means is for the key to say, never for YAML's guesses (`no`, `1e3`,
/// `12:30`).
package struct YAMLNode: Equatable, Sendable {
  /// What the node holds.
  package enum Content: Equatable, Sendable {
    /// A scalar's text, unescaped. `isPlain` if it was written without quotes.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    /// Entries in the order of the text. Keys do not repeat.
    case mapping([Entry])
  }

  /// One key of a mapping with its value.
  package struct Entry: Equatable, Sendable {
    package var key: String
    /// Where the key begins.
    package var mark: YAMLMark
    package var value: YAMLNode
  }

  package var content: Content
  /// Where the node begins.
  package var mark: YAMLMark

  /// Whether nothing was written: `key:` with no value, which holds for a section whose keys are all comments.
  package var isAbsent: Bool { content == .scalar("", isPlain: true) }
}

/// One YAML document, read whole.
package struct YAMLDocument: Equatable, Sendable {
  /// A key that a mapping gives a second time. The tree holds the first value only.
  package struct RepeatedKey: Equatable, Sendable {
    /// The keys from the root to this one. Places in a sequence are not named.
    package var path: [String]
    package var mark: YAMLMark
    package var firstMark: YAMLMark
  }

  /// `nil` for a text without content: nothing, or comments alone.
  package var root: YAMLNode?
  /// In the order of the text. Whoever reads the tree has to refuse these: they are not errors of their own so
  /// that a check can name every one.
  package var repeatedKeys: [RepeatedKey]
}
