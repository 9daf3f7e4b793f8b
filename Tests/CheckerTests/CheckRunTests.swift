import BlockDiff
import Checker
import Markup
import Testing

@Suite struct CheckRunTests {
  static let sources = ["# a\n", "", "- b\n- c\n\nd", "| e |\n|---|\n| f |\n", "a\n---\n"]

  static let documents = sources.enumerated().map { number, source in
    CheckRun.Document(name: "\(number)", source: Array(source.utf8), parse: ParseOptions(.chat))
  }

  @Test func checksAllDocuments() async throws {
    var steps: [CheckRun.Progress] = []
    let report = try await CheckRun(Self.documents, workers: 2).run(onProgress: { steps.append($0) })
    #expect(report.isOK)
    #expect(report.documents == 5)
    #expect(report.bytes == Self.sources.reduce(0) { $0 + $1.utf8.count })
    #expect(report.prefixes == report.bytes + 5)
    #expect(report.wholePrefixes == report.prefixes)
    #expect(report.retypes == 1, "the setext heading was a paragraph first")
    #expect(report.splits.first { $0.name == "bytes" }?.chunks == report.bytes + 1)
    #expect(steps.map(\.documents) == [1, 2, 3, 4, 5])
    #expect(steps.last?.bytes == report.bytes)
    #expect(steps.last?.byteCount == report.bytes)
  }

  @Test func checksTheChunksThatAStreamCameIn() async throws {
    var document = Self.documents[2]
    document.recordedEnds = [1, 5, 10]
    let report = try CheckRun.report(document, CheckOptions())
    #expect(report.splits.first?.name == "recorded")
    #expect(report.splits.first?.chunks == 3)
  }

  @Test func stopsWhenItsTaskIsCancelled() async {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await CheckRun(Self.documents, workers: 1).run()
    }
    task.cancel()
    await #expect(throws: CheckStop.cancelled) { try await task.value }
  }

  @Test func readsDocumentsOfLines() throws {
    let lines = Array(##"{"id":"a","text":"# x\n"}\##n\##n{"text":"é"}\##r\##n"##.utf8)
    let documents = try CheckRun.documents(
      ofLines: lines, field: "text", file: "f.jsonl", parse: ParseOptions(.gfm))
    #expect(documents.map(\.name) == ["a", "f.jsonl:3"])
    #expect(documents.map(\.source) == [Array("# x\n".utf8), Array("é".utf8)])
    #expect(throws: DocumentLineError.noField(line: 1, "body")) {
      try CheckRun.documents(ofLines: lines, field: "body", file: "f", parse: ParseOptions(.gfm))
    }
    #expect(throws: DocumentLineError.notJSON(line: 2, .unexpectedEnd)) {
      try CheckRun.documents(
        ofLines: Array("{\"text\":\"\"}\n{".utf8), field: "text", file: "f", parse: ParseOptions(.gfm))
    }
  }
}
