/// A place in a YAML text, as an editor shows it.
package struct YAMLMark: Hashable, Sendable {
  /// The line, the first being 1.
  package var line: Int
  /// The column in characters, the first being 1.
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
