package import Markup

/// Checks the promises on many sources at once.
package enum PromiseRunner {
  /// A source with a name to find it by.
  package struct Subject: Sendable {
    package var name: String
    package var parse: ParseOptions
    package var source: [UInt8]

    package init(name: String, parse: ParseOptions, source: [UInt8]) {
      self.name = name
      self.parse = parse
      self.source = source
    }
  }

  /// The failures, the shortest few of them shrunk.
  package static func failures(of subjects: [Subject]) async -> [TestFailure] {
    let trace = Trace.isOn
    var failures = await withTaskGroup(of: TestFailure?.self) { group in
      for subject in subjects {
        group.addTask {
          if trace { Trace.write("\(subject.name) [\(subject.parse)] \(TestFailure.quoted(subject.source))") }
          return PromiseChecker.failure(name: subject.name, parse: subject.parse, source: subject.source)
        }
      }
      var failures: [TestFailure] = []
      for await failure in group { if let failure { failures.append(failure) } }
      return failures
    }
    failures.sort { ($0.source.count, $0.name) < ($1.source.count, $1.name) }
    for place in failures.indices.prefix(4) where failures[place].source.count < 4000 {
      let failure = failures[place]
      failures[place] = Shrinker.shrink(failure) {
        PromiseChecker.failure(name: failure.name, parse: failure.parse, source: $0)
      }
    }
    return failures
  }

  /// Generated documents, each named after its seed.
  package static func generated(_ count: Int, seed: Int, dialect: Dialect) -> [Subject] {
    (0..<count).map { number in
      let seed = UInt64(seed) &* 1_000_003 &+ UInt64(number)
      var generator = DocumentGenerator(seed: seed)
      let source = generator.document()
      var options = MarkupParser.Options()
      options.frontMatter = number % 10 == 0
      if dialect.name == "chat" && number % 12 == 0 { options.open = ["think"] }
      return Subject(
        name: "seed \(seed)", parse: ParseOptions(dialect, options: options), source: source)
    }
  }
}
