import BlockDiff
import Checker
import Foundation
import Markup
import TestSupport
import Testing

/// The checker over real answers, where the corpus is there (`MOORING_CORPUS`, else `../shared/corpus`):
/// a few, or with `MOORING_ANSWERS=<count>` more. `MOORING_PREFIXES=all` parses every prefix whole.
@Suite struct CorpusTests {
  @Test func findsNothingInRealAnswers() async throws {
    let answers = try RealAnswers.sample(RepositoryFiles.number("MOORING_ANSWERS", default: 4))
    if answers.isEmpty { return print("no corpus: no real answers were checked") }
    var options = CheckOptions()
    let isWhole = ProcessInfo.processInfo.environment["MOORING_PREFIXES"] == "all"
    options.prefixes = isWhole ? .all : .sampled
    let documents = answers.map {
      CheckRun.Document(name: $0.name, source: $0.source, parse: ParseOptions(.chat))
    }
    let start = ContinuousClock.now
    let run = CheckRun(documents, options: options, workers: ProcessInfo.processInfo.activeProcessorCount)
    var report = try await run.run()
    report.elapsedMilliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
    var writer = JSONWriter()
    report.write(to: &writer, countsDocuments: true)
    print(String(decoding: writer.bytes, as: UTF8.self))
    #expect(report.findings == [])
    #expect(report.documents == answers.count)
  }
}
