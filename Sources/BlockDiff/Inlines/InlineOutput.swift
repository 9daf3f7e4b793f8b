/// How leaves' inline content is given (api.md §2, `inline`).
package struct InlineOutput: Sendable, Equatable {
  package enum Form: String, Sendable, CaseIterable {
    /// Not at all: leaves carry their `text` alone.
    case none
    /// As `runs`.
    case runs
    /// As `html`.
    case html
  }

  package var form: Form
  /// What is let through: of URLs, and in HTML of raw HTML.
  package var policy: HTMLOptions

  package init(_ form: Form, policy: HTMLOptions = .safe) {
    self.form = form
    self.policy = policy
  }

  package static let none = InlineOutput(.none)
  package static let runs = InlineOutput(.runs)
  package static let html = InlineOutput(.html)
}
