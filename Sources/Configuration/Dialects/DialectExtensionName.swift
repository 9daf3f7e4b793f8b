package import Markup

/// The names of a dialect's extensions in its file.
package enum DialectExtensionName: String, CaseIterable, Sendable {
  case tables, taskListItems, footnotes, alerts, math, anyComponent, directives, frontMatter

  /// The engine's switch with this name.
  package var option: Dialect.Extensions {
    switch self {
    case .tables: .tables
    case .taskListItems: .taskListItems
    case .footnotes: .footnotes
    case .alerts: .alerts
    case .math: .math
    case .anyComponent: .anyComponent
    case .directives: .directives
    case .frontMatter: .frontMatter
    }
  }
}
