package import Markup

extension Dialect {
  /// What chat models write, with directives: no dialect that is shipped has them.
  package static let directives: Dialect = {
    var dialect = Dialect.chat
    dialect.name = "directives"
    dialect.extensions.insert(.directives)
    return dialect
  }()

  /// The dialects that documents are made for.
  package static let tested = shipped + [directives]
}
