import BlockDiff
import Foundation
import Testing

@testable import LoadTest

struct LoadReportTests {
  private static func outcome(_ latencies: [Int64], usage: ProcessUsage? = nil) -> LoadOutcome {
    var options = LoadOptions()
    options.seconds = 10
    var measured = Measurements(length: options.length)
    for (place, latency) in latencies.enumerated() {
      let scheduled = Int64(place) * options.length / Int64(latencies.count)
      measured.appends.record(scheduled: scheduled, end: scheduled + latency)
    }
    measured.textBytes = 1_000
    measured.wireBytes = 25_000
    return LoadOutcome(
      options: options, measured: measured,
      verified: Verifier.Outcome(verified: 3, wrong: 1, faults: ["a<b: c"]),
      usage: usage, isCancelled: false)
  }

  @Test func hasTheNamesOfTheAPI() throws {
    let outcome = Self.outcome(
      (1...100).map { $0 * 1_000_000 }, usage: ProcessUsage(cpuSeconds: 1.25, residentBytes: 4_096))
    var writer = JSONWriter()
    outcome.report.write(to: &writer)
    let report = try JSONReader.value(of: writer.bytes)
    func names(_ value: JSONValue?) -> [String] {
      guard case .object(let members)? = value else { return [] }
      return members.map(\.name.description)
    }
    #expect(names(report) == ["appends", "deliveries", "readers", "bytes", "server"])
    for traffic in ["appends", "deliveries"] as [ByteString] {
      #expect(names(report[traffic]) == ["count", "errors", "perSecond", "latencyMs"])
      #expect(names(report[traffic]?["latencyMs"]) == ["p50", "p90", "p95", "p99", "max"])
    }
    #expect(names(report["readers"]) == ["count", "verified", "wrong"])
    #expect(names(report["bytes"]) == ["text", "wire"])
    #expect(names(report["server"]) == ["cpuSeconds", "rssBytes"])
    #expect(report["appends"]?["perSecond"]?.fraction == 10)
    #expect(report["appends"]?["latencyMs"]?["max"]?.fraction == 100)
    #expect(report["server"]?["cpuSeconds"]?.fraction == 1.25)
    let p50 = try #require(report["appends"]?["latencyMs"]?["p50"]?.fraction)
    #expect(p50 >= 50 && p50 < 50.5)
  }

  @Test func readsWhatItSavesAndComparesWithItsNoise() throws {
    let earlier = Self.outcome((1...4_000).map { 1_000_000 + $0 % 7 * 100_000 })
    let saved = SavedRun(options: earlier.options, metrics: earlier.metrics)
    let read = try #require(SavedRun(json: saved.json(report: earlier.report)))
    #expect(read.options == saved.options && read.metrics.map(\.name) == saved.metrics.map(\.name))
    for (one, other) in zip(read.metrics, saved.metrics) { #expect(abs(one.value - other.value) < 1e-5) }

    let same = Comparison(SavedRun(options: earlier.options, metrics: earlier.metrics), with: read)
    #expect(same.lines.count == saved.metrics.count && same.differingOptions.isEmpty)
    #expect(same.lines.allSatisfy { abs($0.inNoise ?? 0) < 0.01 })
    var slower = Self.outcome((1...4_000).map { 2_000_000 + $0 % 7 * 100_000 })
    let line = try #require(
      Comparison(SavedRun(options: slower.options, metrics: slower.metrics), with: read).lines.first {
        $0.metric.name == "append p50"
      })
    #expect(abs(try #require(line.deviation) - 0.77) < 0.05)
    #expect(try #require(line.inNoise) > 10)
    slower = Self.outcome([1])
    var options = slower.options
    options.rate = 7
    let text = Comparison(SavedRun(options: options, metrics: slower.metrics), with: read).text
    #expect(text.contains("The runs differ in rate."))
    #expect(SavedRun(json: Array("{\"version\":2}".utf8)) == nil && SavedRun(json: []) == nil)
  }

  @Test func isAPageThatLoadsNothing() {
    let outcome = Self.outcome((1...4_000).map { $0 * 10_000 })
    let html = LoadPage(outcome, heading: "a<b").html
    #expect(html.contains("a&lt;b") && html.contains("a&lt;b: c"))
    #expect(
      !html.contains("src=") && !html.contains("href=") && !html.contains("@import") && !html.contains("url(")
    )
    #expect(html.components(separatedBy: "<svg").count == 3)
    #expect(html.components(separatedBy: "<polyline").count > 3)
    #expect(!html.contains("nan") && !html.contains("inf"))
    // A run that measured nothing has a page, too.
    #expect(LoadPage(Self.outcome([]), heading: "").html.contains("</html>"))
  }

  @Test func readsWhatProcSaysOfAProcess() throws {
    let usage = try #require(
      ProcessUsage(
        stat: "12 (a ) b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0", statm: "900 25 3 1 0 5 0",
        ticksPerSecond: 100,
        pageBytes: 4_096))
    #expect(usage.cpuSeconds == 2 && usage.residentBytes == 25 * 4_096)
    #expect(ProcessUsage(stat: "12 (a", statm: "1 2", ticksPerSecond: 100, pageBytes: 1) == nil)
    let own = try #require(ProcessUsage.own)
    #expect(own.cpuSeconds > 0 && own.residentBytes > 1 << 20)
  }
}

struct LoadOptionsTests {
  private static var limits: LoadOptions.Limits {
    var limits = LoadOptions.Limits()
    limits.streams = 1...100
    limits.seconds = 0.1...60
    limits.connections = 120
    return limits
  }

  @Test func readsItsOwnJSON() throws {
    var options = LoadOptions()
    options.streams = 7
    options.rate = 12.5
    options.mode = .engine
    options.verify = false
    options.chunkBytes = 3...9
    var writer = JSONWriter()
    options.write(to: &writer)
    #expect(try LoadOptions(json: writer.bytes, limits: .init()) == options)
  }

  /// A default that is above a limit is lowered; what is asked for is refused.
  @Test func lowersDefaultsToTheLimits() throws {
    let options = try LoadOptions(json: Array("{}".utf8), limits: Self.limits)
    #expect(options.streams == 40 && options.readers == 2 && options.seconds == 20)
  }

  @Test(arguments: [
    (#"{"streams":101}"#, "streams", "1 to 100"), (#"{"streams":0}"#, "streams", "1 to 100"),
    (#"{"streams":41}"#, "streams", "at most 40"), (#"{"rate":"fast"}"#, "rate", "a number"),
    (#"{"seconds":61}"#, "seconds", "0.1 to 60"),
    (#"{"chunkBytes":[9,3]}"#, "chunkBytes", "the smaller one first"),
    (#"{"chunkBytes":4}"#, "chunkBytes", "two whole numbers"), (#"{"mode":"tcp"}"#, "mode", "http, engine"),
    (#"{"documents":"mine"}"#, "documents", "built-in"), (#"{"verify":1}"#, "verify", "true or false"),
    (#"{"seed":-1}"#, "seed", "0 to"),
  ])
  func refusesWithTheAcceptedRange(_ json: String, _ name: String, _ accepted: String) {
    let error = #expect(throws: LoadOptions.Refusal.self) {
      try LoadOptions(json: Array(json.utf8), limits: Self.limits)
    }
    guard case .invalidValue(let refused, _, let range)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refused == name && range.contains(accepted), "\(range)")
  }

  @Test func refusesWhatItDoesNotKnow() {
    #expect(throws: LoadOptions.Refusal.notAnObject) {
      try LoadOptions(json: Array("[]".utf8), limits: .init())
    }
    #expect(throws: LoadOptions.Refusal.notAnObject) {
      try LoadOptions(json: Array("{".utf8), limits: .init())
    }
    #expect(throws: LoadOptions.Refusal.self) {
      try LoadOptions(json: Array("{\"stream\":1}".utf8), limits: .init())
    }
  }

  @Test(arguments: [
    ("http://127.0.0.1:4437", "127.0.0.1", 4437), ("http://localhost/", "localhost", 80),
    ("HTTP://[::1]:80", "::1", 80), ("http://a.example:1", "a.example", 1),
  ])
  func readsURLs(_ url: String, _ host: String, _ port: UInt16) {
    let address = LoadTarget.Server.address(in: url)
    #expect(address?.host == host && address?.port == port)
  }

  @Test(arguments: [
    "https://a", "127.0.0.1:1", "http://", "http://a:0", "http://a:99999", "http://a/b", "http://::1",
  ])
  func refusesOtherURLs(_ url: String) { #expect(LoadTarget.Server.address(in: url) == nil) }
}
