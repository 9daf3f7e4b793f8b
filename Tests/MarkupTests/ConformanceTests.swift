import Foundation
import TestSupport
import Testing

/// The vectors of Tests/Conformance, and of the shared folder where there is one.
///
/// `MOORING_VECTOR=<part of a name or rule>` runs only those; `MOORING_TRACE=1` names each vector before it
/// runs, which tells the one that traps.
@Suite struct ConformanceTests {
  @Test(arguments: ConformanceFiles.all)
  func givesTheStatesOfTheVectors(_ file: ConformanceFiles.File) async throws {
    let filter = ProcessInfo.processInfo.environment["MOORING_VECTOR"]
    let vectors = try await ConformanceVector.read(file.url, filter: filter)
    let failures = await ConformanceRunner.failures(of: vectors)
    let passed = vectors.count - failures.count
    print("\(file): \(passed) of \(vectors.count) vectors pass")
    if !failures.isEmpty {
      Issue.record("\(file): \(TestFailure.report(failures, of: vectors.count))")
    }
  }

  @Test func hasVectors() {
    #expect(ConformanceFiles.all.contains { $0.url.lastPathComponent == "rules.jsonl" })
  }
}
