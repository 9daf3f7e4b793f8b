import Checker
import Foundation
import Markup
import TestSupport
import Testing

/// The promises of the identity rules, as the checker asserts them.
///
/// `MOORING_DOCUMENTS=<count>` generates more documents for each dialect, `MOORING_SEED=<number>` others.
@Suite struct PromiseTests {
  @Test(arguments: Dialect.tested.map(\.name))
  func keepsPromisesOnGeneratedDocuments(_ name: String) async throws {
    let dialect = try #require(Dialect.tested.first { $0.name == name })
    let count = RepositoryFiles.number("MOORING_DOCUMENTS", default: 80)
    let seed = RepositoryFiles.number("MOORING_SEED", default: 1)
    try await check(GeneratedDocuments.documents(count, seed: seed, dialect: dialect), name)
  }

  @Test(arguments: ConformanceFiles.all)
  func keepsPromisesOnTheVectorsSources(_ file: ConformanceFiles.File) async throws {
    let filter = ProcessInfo.processInfo.environment["MOORING_VECTOR"]
    let vectors = try await ConformanceVector.read(file.url, filter: filter)
    let documents = vectors.map { CheckRun.Document(name: $0.name, source: $0.source, parse: $0.parse) }
    try await check(documents, "\(file)")
  }

  /// Real answers, where the corpus is there (`MOORING_CORPUS`, else `../shared/corpus`).
  @Test func keepsPromisesOnRealAnswers() async throws {
    let answers = try RealAnswers.sample(RepositoryFiles.number("MOORING_ANSWERS", default: 12))
    if answers.isEmpty { print("no corpus: real answers were not checked") }
    let documents = answers.map {
      CheckRun.Document(name: $0.name, source: $0.source, parse: ParseOptions(.chat))
    }
    try await check(documents, "real answers")
  }

  private func check(_ documents: [CheckRun.Document], _ what: String) async throws {
    var options = CheckOptions()
    // Code that is not optimised is slow; `mooring check` parses every prefix whole.
    options.prefixes = .sampled
    options.sampledPrefixes = RepositoryFiles.number("MOORING_PREFIXES", default: 24)
    options.everyPairBytes = 48
    // CostTests has the kinds of documents that matter.
    options.costBytes = 0
    let workers = ProcessInfo.processInfo.activeProcessorCount
    let report = try await CheckRun(documents, options: options, workers: workers).run()
    print("promises, \(what): \(report.documents) documents, \(report.findings.count) violations")
    for finding in report.findings.prefix(6) {
      let parse = documents.first { $0.name == finding.document }?.parse.description ?? ""
      Issue.record("\(finding.document) [\(parse)] \(finding.violation)")
    }
  }
}
