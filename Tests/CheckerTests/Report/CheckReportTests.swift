import BlockDiff
import Testing

@testable import Checker

@Suite struct CheckReportTests {
  @Test func writesItselfAsTheDesignSays() throws {
    var report = CheckReport()
    (report.documents, report.bytes, report.prefixes, report.wholePrefixes) = (2, 10, 11, 4)
    report.splits = [.init(name: "bytes", chunks: 10), .init(name: "random:1", chunks: 3)]
    (report.blocks, report.retypes, report.tokens) = (3, 1, 15)
    for number in [0, 0, 0, 5] { report.held.add(number) }
    report.heldTokens.add(2)
    report.elapsedMilliseconds = 7
    var violation = Violation(.permanence, at: 9, id: "e1+2", "is \"gone\"")
    violation.shrunk = ShrunkCase(source: Array("a\né".utf8), chunkEnds: [2, 3, 4], detail: "is gone")
    report.findings = [CheckReport.Finding(document: "d", violation: violation)]
    #expect(
      text(report, countsDocuments: true)
        == #"{"ok":false,"documents":2,"bytes":10,"prefixes":11,"wholePrefixes":4,"#
        + #""splits":{"bytes":10,"random:1":3},"blocks":3,"tokens":15,"retypes":1,"#
        + #""retypesPer1000Tokens":66.667,"held":{"p50":0,"p99":5,"max":5,"#
        + #""tokens":{"p50":2,"p99":2,"max":2}},"violations":[{"document":"d","promise":"permanence","#
        + #""offset":9,"id":"e1+2","detail":"is \"gone\"","shrunk":{"source":"a\né","chunks":[2,1,1],"#
        + #""test":"[\"a\\n\", [195], [169]]","detail":"is gone"}}],"elapsedMs":7}"#)
    report.findings = []
    violation.id = nil
    violation.shrunk = ShrunkCase(source: [0xFF, 0x61], chunkEnds: [2], detail: "")
    report.violations = [violation]
    let value = try JSONReader.value(of: Array(text(report, countsDocuments: false).utf8))
    #expect(value["documents"] == nil)
    let written = try #require(value["violations"]?.array?.first)
    #expect(written["document"] == nil && written["id"] == nil)
    #expect(written["shrunk"]?["source"] == nil)
    #expect(written["shrunk"]?["source_b64"] == .string("/2E="))
  }

  private func text(_ report: CheckReport, countsDocuments: Bool) -> String {
    var writer = JSONWriter()
    report.write(to: &writer, countsDocuments: countsDocuments)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
  func encodesBase64(_ text: String, _ encoded: String) {
    #expect(Base64.encoded(Array(text.utf8)) == encoded)
  }

  @Test func findsPercentiles() {
    var histogram = Histogram()
    #expect(histogram.percentile(0.5) == 0 && histogram.max == 0)
    for number in 1...100 { histogram.add(number) }
    #expect(histogram.percentile(0.5) == 50)
    #expect(histogram.percentile(0.99) == 99)
    #expect(histogram.percentile(1) == 100 && histogram.max == 100)
    var other = Histogram()
    other.add(1_000)
    other.merge(histogram)
    #expect(other.total == 101 && other.max == 1_000 && other.percentile(0.5) == 51)
  }

  @Test func addsReports() {
    var sum = CheckReport()
    var one = CheckReport()
    (one.documents, one.bytes, one.tokens) = (1, 5, 2)
    one.splits = [.init(name: "bytes", chunks: 5)]
    one.violations = [Violation(.cost, at: 5, "x")]
    sum.merge(one, name: "a")
    sum.merge(one, name: "b")
    #expect(sum.documents == 2 && sum.bytes == 10 && sum.tokens == 4)
    #expect(sum.splits == [.init(name: "bytes", chunks: 10)])
    #expect(sum.findings.map(\.document) == ["a", "b"] && !sum.isOK)
  }
}
