import BlockDiff
import StreamStore
import Testing

/// `POST /v1/load` and its jobs, over sockets.
@Suite(.serialized) struct LoadTests {
  private static let enabled = ["load.enabled": "true"]

  /// Waits until a job is over. Its JSON.
  private static func finished(_ test: TestService, _ location: String) throws -> JSONValue {
    var job = JSONValue.null
    try test.wait("end of \(location)") {
      guard let answer = try? test.connect().get(location).json() else { return false }
      job = answer
      return answer["state"]?.string != "running" && answer["report"] != nil
    }
    return job
  }

  @Test(arguments: ["http", "engine"])
  func runsBesideTrafficAndReports(_ mode: String) async throws {
    try await TestService.run(Self.enabled) { test in
      let answer = try test.connect().post(
        "/v1/load", #"{"streams":4,"rate":50,"seconds":0.4,"mode":"\#(mode)"}"#)
      #expect(answer.status == 202)
      let started = try answer.json()
      #expect(started["state"]?.string == "running" && started["report"] == nil)
      let location = try #require(answer["Location"])
      let name = try #require(started["job"]?.string)
      #expect(location == "/v1/load/\(name)")
      // Others are served meanwhile.
      #expect(try test.connect().post("/v1/blocks/other", "text").status == 200)

      let job = try Self.finished(test, location)
      #expect(job["state"]?.string == "done")
      #expect(job["progress"] == .fraction(1))
      let report = try #require(job["report"])
      #expect(report["appends"]?["count"]?.integer == 80 && report["appends"]?["errors"]?.integer == 0)
      let readers = try #require(report["readers"])
      #expect(readers["count"]?.integer ?? 0 >= 4)
      #expect(readers["count"] == readers["verified"] && readers["wrong"]?.integer == 0)
      #expect(report["server"]?["rssBytes"]?.integer ?? 0 > 1 << 20)
      // Nothing is left of it but its report.
      try test.wait("an empty store") { test.store.count == 1 }
    }
  }

  @Test func isCancelledAndForgotten() async throws {
    try await TestService.run(Self.enabled) { test in
      let answer = try test.connect().post("/v1/load", #"{"streams":2,"seconds":100}"#)
      let location = try #require(answer["Location"])
      let second = try test.connect().post("/v1/load", "")
      #expect(second.status == 503 && second["Retry-After"] != nil && second.problem == "overloaded")
      let cancelled = try test.connect().request("DELETE", location)
      #expect(cancelled.status == 200)
      #expect(try cancelled.json()["state"]?.string == "cancelled")
      let job = try Self.finished(test, location)
      #expect(job["state"]?.string == "cancelled")
      #expect(try test.connect().request("DELETE", location).status == 204)
      #expect(try test.connect().get(location).status == 404)
      #expect(try test.connect().request("DELETE", location).status == 404)
      // There is room again.
      let third = try test.connect().post("/v1/load", #"{"streams":1,"seconds":0.1}"#)
      #expect(third.status == 202)
      _ = try Self.finished(test, try #require(third["Location"]))
    }
  }

  @Test func keepsSoManyReports() async throws {
    try await TestService.run(Self.enabled.merging(["load.maxFinished": "2"]) { $1 }) { test in
      var locations: [String] = []
      for _ in 0..<3 {
        let answer = try test.connect().post("/v1/load", #"{"streams":1,"readers":0,"seconds":0.1}"#)
        locations.append(try #require(answer["Location"]))
        _ = try Self.finished(test, locations[locations.count - 1])
      }
      let statuses = try locations.map { try test.connect().get($0).status }
      #expect(statuses == [404, 200, 200])
    }
  }

  @Test(arguments: [
    (#"{"streams":501}"#, "streams", "1 to 500"), (#"{"rate":1001}"#, "rate", "1000"),
    (#"{"seconds":121}"#, "seconds", "120"), (#"{"readers":9}"#, "readers", "0 to 8"),
    (#"{"what":1}"#, "what", ""),
  ])
  func hasLimits(_ body: String, _ parameter: String, _ accepted: String) async throws {
    try await TestService.run(Self.enabled) { test in
      let answer = try test.connect().post("/v1/load", body)
      #expect(answer.status == 400)
      let problem = try answer.json()
      #expect(problem["parameter"]?.string == ByteString(parameter))
      let range = problem["accepted"]?.string?.description ?? ""
      #expect(range.contains(accepted), "\(range)")
    }
  }

  @Test func isOffUnlessConfigured() async throws {
    try await TestService.run { test in
      let answers = [try test.connect().post("/v1/load", "{}"), try test.connect().get("/v1/load/x")]
      #expect(answers.map(\.status) == [404, 404])
    }
    try await TestService.run(Self.enabled) { test in
      let answers = [try test.connect().get("/v1/load"), try test.connect().get("/v1/load/x")]
      #expect(answers.map(\.status) == [405, 404])
      let refused = try test.connect().post("/v1/load", "[]")
      #expect(refused.problem == "malformed-request")
    }
  }
}
