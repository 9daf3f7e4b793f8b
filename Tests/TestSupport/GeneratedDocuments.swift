package import Checker
package import Markup

/// Documents made from a seed, to be checked.
package enum GeneratedDocuments {
  /// Documents each named after its own seed.
  package static func documents(_ count: Int, seed: Int, dialect: Dialect) -> [CheckRun.Document] {
    (0..<count).map { number in
      let seed = UInt64(seed) &* 1_000_003 &+ UInt64(number)
      var generator = DocumentGenerator(seed: seed, hasDirectives: dialect.extensions.contains(.directives))
      let source = generator.document()
      var options = MarkupParser.Options()
      options.frontMatter = number % 10 == 0
      if dialect.name == "chat" && number % 12 == 0 { options.open = ["think"] }
      return CheckRun.Document(
        name: "seed \(seed)", source: source, parse: ParseOptions(dialect, options: options))
    }
  }
}
