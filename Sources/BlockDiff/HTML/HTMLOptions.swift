/// How HTML is written.
package struct HTMLOptions: Sendable, Equatable {
  /// What becomes of raw HTML, blocks and inline.
  package enum RawHTML: String, Sendable, CaseIterable {
    /// As it is: exactly CommonMark's output.
    case verbatim
    /// Shown as text.
    case escaped
    /// Left out, with a comment in its place.
    case omitted
  }

  package var rawHTML: RawHTML
  /// Whether URLs with a scheme that can run code (`javascript:`, `vbscript:`, `file:`, `data:` but for images)
  /// are written; if not, they are empty.
  package var allowsUnsafeURLs: Bool

  /// Whether the tags that GFM disallows in raw HTML are escaped where it is written as it is (GFM §6.11).
  package var filtersTags: Bool

  package init(rawHTML: RawHTML = .escaped, allowsUnsafeURLs: Bool = false, filtersTags: Bool = true) {
    self.rawHTML = rawHTML
    self.allowsUnsafeURLs = allowsUnsafeURLs
    self.filtersTags = filtersTags
  }

  /// Safe to show whatever the model wrote.
  package static let safe = HTMLOptions()
  /// Byte for byte what the specification's examples show.
  package static let exact = HTMLOptions(rawHTML: .verbatim, allowsUnsafeURLs: true, filtersTags: false)
}
