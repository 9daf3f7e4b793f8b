/// Reads one stream's source, in any chunks, into blocks whose IDs never change.
///
/// The state after `append` is a function of all bytes so far, however they were cut (identity.md §3).
/// No input is an error.
package struct MarkupParser: ~Copyable {
  /// What a stream's creator may choose beside the dialect.
  package struct Options: Sendable, Equatable {
    /// The names of components that are open from the start, outermost first.
    package var open: [String]
    /// Whether a first line of `---` opens front matter, also where the dialect does not say so.
    package var frontMatter: Bool

    package init(open: [String] = [], frontMatter: Bool = false) {
      self.open = open
      self.frontMatter = frontMatter
    }
  }

  /// The blocks so far.
  package private(set) var blocks = BlockTable()

  package init(dialect: Dialect, options: Options = Options()) {}

  /// Reads the next bytes of the source.
  package mutating func append(_ bytes: borrowing Span<UInt8>) {}

  /// Decides everything that is held; the stream takes no more bytes.
  package mutating func finish() {}
}
