import Foundation
import Markup
import TestSupport
import Testing

/// Promises 1 to 5 of the identity rules: chunk independence, permanence, uniqueness, sealing and replay.
///
/// `MOORING_DOCUMENTS=<count>` generates more documents for each dialect, `MOORING_SEED=<number>` others;
/// `MOORING_TRACE=1` prints each source before it is parsed.
@Suite struct PromiseTests {
  @Test(arguments: Dialect.shipped.map(\.name))
  func keepsPromisesOnGeneratedDocuments(_ name: String) async throws {
    let dialect = try #require(Dialect.shipped.first { $0.name == name })
    let count = RepositoryFiles.number("MOORING_DOCUMENTS", default: 80)
    let seed = RepositoryFiles.number("MOORING_SEED", default: 1)
    await check(PromiseRunner.generated(count, seed: seed, dialect: dialect), name)
  }

  @Test(arguments: ConformanceFiles.all)
  func keepsPromisesOnTheVectorsSources(_ file: ConformanceFiles.File) async throws {
    let filter = ProcessInfo.processInfo.environment["MOORING_VECTOR"]
    let vectors = try await ConformanceVector.read(file.url, filter: filter)
    let subjects = vectors.map {
      PromiseRunner.Subject(name: $0.name, parse: $0.parse, source: $0.source)
    }
    await check(subjects, "\(file)")
  }

  /// Real answers, where the corpus is there (`MOORING_CORPUS`, else `../shared/corpus`).
  @Test func keepsPromisesOnRealAnswers() async throws {
    let answers = try RealAnswers.sample(RepositoryFiles.number("MOORING_ANSWERS", default: 12))
    if answers.isEmpty { print("no corpus: real answers were not checked") }
    let subjects = answers.map {
      PromiseRunner.Subject(name: $0.name, parse: ParseOptions(.chat), source: $0.source)
    }
    await check(subjects, "real answers")
  }

  private func check(_ subjects: [PromiseRunner.Subject], _ what: String) async {
    let failures = await PromiseRunner.failures(of: subjects)
    print("promises, \(what): \(subjects.count - failures.count) of \(subjects.count) keep them")
    if !failures.isEmpty {
      Issue.record("\(what): \(TestFailure.report(failures, of: subjects.count, limit: 6))")
    }
  }
}
