import BlockDiff
import Foundation
import HTTPServer
import Markup
import TestSupport
import Testing

/// The executable, as it is run.
struct CommandTests {
  struct Outcome: Sendable {
    /// `nil` if a signal ended it.
    var status: Int32?
    var output: [UInt8]
    var error: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [[UInt8]] { output.split(separator: 0x0A).map { Array($0) } }
  }

  /// The executable that was built beside the tests.
  private static let executable: URL? = {
    let tests = Bundle.main.executableURL?.deletingLastPathComponent()
    #if DEBUG
      let built = RepositoryFiles.root.appendingPathComponent(".build/debug")
    #else
      let built = RepositoryFiles.root.appendingPathComponent(".build/release")
    #endif
    return [tests, built].compactMap { $0?.appendingPathComponent("mooring") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  private static func start(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(
      #require(executable, "mooring is not built"), arguments, environment: ["PATH": "/usr/bin:/bin"])
  }

  /// Runs a command to its end.
  private func run(_ arguments: [String], input: String = "") async throws -> Outcome {
    try await blocking {
      let process = try Self.start(arguments)
      try process.input.write(contentsOf: Data(input.utf8))
      try process.input.close()
      let output = try process.output.readToEnd() ?? Data()
      let error = try process.error.readToEnd() ?? Data()
      return Outcome(
        status: process.wait().status, output: Array(output), error: String(decoding: error, as: UTF8.self))
    }.get()
  }

  /// A file that is there while `body` runs.
  private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("mooring-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await body(file.path)
  }

  @Test func benchPrintsARowForEachSizeAndChunk() async throws {
    let arguments = ["bench", "list", "table", "--sizes", "1K,2000", "--chunks", "20,whole", "--rounds", "1"]
    let rows = try await run(arguments + ["--json", "--layers", "blocks,diffs"]).lines.map {
      try JSONReader.value(of: $0)
    }
    #expect(
      rows.compactMap { $0["document"]?.string } == Array(repeating: "list", count: 4)
        + Array(repeating: "table", count: 4))
    #expect(rows.prefix(4).map { $0["bytes"]?.integer } == [1024, 1024, 2000, 2000])
    #expect(rows.prefix(4).map { $0["appends"]?.integer } == [52, 1, 100, 1])
    #expect(rows.allSatisfy { $0["diffs"]?["megabytesPerSecond"] != nil && $0["html"] == nil })
    #expect(try await run(arguments).lines.count == 9)
    let hostile = ["bench", "hostile", "--sizes", "1K", "--chunks", "20", "--rounds", "1"]
    #expect(try await run(hostile).lines.count == 8)
    #expect(try await run(["bench", "lists"]).status == 64)
    #expect(try await run(["bench", "--chunks", "0"]).status == 64)
  }

  @Test func parsesAFileOrStandardInput() async throws {
    let text = "# A\n\n- b"
    let piped = try await run(["parse"], input: text)
    #expect(piped.status == 0 && piped.error.isEmpty)
    let document = try BlockDocument(snapshot: piped.output)
    #expect(document.isFinished && document.blocks.count == 4)
    #expect(try await run(["parse", "-"], input: text).output == piped.output)
    try await withFile(text) { path in
      let read = try await run(["parse", path])
      #expect(read.output == piped.output)
    }
    let mdast = try await run(["parse", "--shape", "mdast", "--dialect=gfm"], input: text)
    #expect(try JSONReader.value(of: mdast.output)["root"]?["type"]?.string == "root")
  }

  @Test func readsADialectsFileAndWhatItExtends() async throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("mooring-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = { (name: String) in directory.appendingPathComponent(name + ".yaml").path }
    try "name: base\nextends: chat\nextensions: { directives: true }\n".write(
      toFile: file("base"), atomically: false, encoding: .utf8)
    try "name: mine\nextends: base\nkeyAttributes: [ref]\n".write(
      toFile: file("mine"), atomically: false, encoding: .utf8)
    let parsed = try await run(["parse", "--dialect", file("mine")], input: "::card{ref=a}\n")
    #expect(parsed.status == 0 && parsed.text.contains("\"id\":\"card:a\""))
    let missing = try await run(["parse", "--dialect", file("none")])
    #expect(missing.status != 0 && missing.error.contains("none.yaml: cannot be read: No such file"))
    let refused = try await run(["check", "--dialect", "nope"])
    #expect(refused.status == 64 && refused.error.contains("chat, gfm, commonmark, or a dialect's file"))
  }

  @Test(arguments: ["bytes", "lines", "tokens", "random:7", "3", "1000"])
  func streamsDiffsThatReplayToTheParse(split: String) async throws {
    let text = "# A\n\nSome *text* here.\n\n- b\n- c\n\n| d |\n|---|\n| e |\n"
    let streamed = try await run(["stream", "--split", split], input: text)
    #expect(streamed.status == 0 && streamed.error.isEmpty)
    var document = BlockDocument()
    for line in streamed.lines { try document.apply(diff: line) }
    #expect(try BlockDocument(snapshot: await run(["parse"], input: text).output) == document)
    if split == "bytes" { #expect(streamed.lines.count == text.utf8.count + 1) }
  }

  @Test func checksDocumentsAndLines() async throws {
    let piped = try await run(["check", "--seed", "5"], input: "# A\n\n- b")
    #expect(piped.status == 0 && piped.error.isEmpty && piped.lines.count == 1)
    let report = try JSONReader.value(of: piped.output)
    #expect(report["ok"] == .boolean(true))
    #expect(report["prefixes"] == .integer(9))
    #expect(report["splits"]?["random:5"] != nil)
    try await withFile("{\"text\":\"a\"}\n{\"text\":\"b\\n---\\n\"}\n") { path in
      let lines = try await run(["check", path, path, "--jsonl", "text", "--splits", "lines"])
      #expect(try JSONReader.value(of: lines.output)["documents"] == .integer(4))
      let wrong = try await run(["check", path, "--jsonl", "body"])
      #expect(wrong.status == 65 && wrong.error.contains("line 1 has no text in its field body"))
    }
  }

  @Test func loadsAServerOfItsOwnAndComparesRuns() async throws {
    let name = FileManager.default.temporaryDirectory.appendingPathComponent("mooring-\(UUID().uuidString)")
      .path
    let (saved, page) = (name + ".json", name + ".html")
    defer { for path in [saved, page] { try? FileManager.default.removeItem(atPath: path) } }
    let options = ["--streams", "4", "--rate", "50", "--seconds", "0.4"]
    let first = try await run(["load", "--save", saved, "--html", page] + options)
    #expect(first.status == 0, "\(first.error)")
    let report = try JSONReader.value(of: first.output)
    #expect(report["appends"]?["count"]?.integer == 80 && report["appends"]?["errors"]?.integer == 0)
    #expect(report["readers"]?["wrong"]?.integer == 0)
    #expect(report["server"]?["rssBytes"]?.integer ?? 0 > 1 << 20)
    // A progress line is only for terminals.
    #expect(!first.error.contains("\r") && first.error.contains("appends"))
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("</html>"))
    let second = try await run(["load", "--baseline", saved, "--mode", "engine"] + options)
    #expect(second.status == 0 && second.error.contains("deviation"), "\(second.error)")
    #expect(second.error.contains("The runs differ in mode."))
  }

  @Test func itsOwnServerEndsWithAKilledLoadTest() async throws {
    let parent = try Self.start([
      "load", "--streams", "1", "--readers", "0", "--rate", "1", "--seconds", "600",
    ])
    func children() -> [Int32] {
      let pid = parent.identifier
      let list = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
      return list.flatMap { task in
        let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/children", encoding: .utf8)
        return (text ?? "").split(separator: " ").compactMap { Int32($0) }
      }
    }
    var server: Int32?
    while parent.isRunning, server == nil {
      server = children().first
      try await Task.sleep(for: .milliseconds(1))
    }
    let child = try #require(server)
    parent.signal(SIGKILL)
    let deadline = ContinuousClock.now + .seconds(60)
    while Self.isAlive(child), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
    #expect(!Self.isAlive(child))
    #expect(parent.wait() == .killed(signal: SIGKILL))
  }

  /// Whether a process runs: one that nobody waits for yet is none.
  private static func isAlive(_ pid: Int32) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let end = stat.lastIndex(of: ")")
    else { return false }
    return !stat[end...].hasPrefix(") Z")
  }

  @Test func findsTheHighestRateUnderABound() async throws {
    // Within a minute every rate is too high for this bound, or the search ends at the highest.
    let outcome = try await run([
      "load", "--find-limit", "--p99", "60000", "--streams", "2", "--readers", "0", "--rate", "40000",
      "--seconds", "0.1", "--mode", "engine",
    ])
    #expect(outcome.status == 0, "\(outcome.error)")
    let limit = try JSONReader.value(of: outcome.output)
    #expect(limit["steps"]?.array?.isEmpty == false && limit["p99Ms"] == .fraction(60_000))
    #expect(limit["limit"] == .fraction(100_000))
  }

  @Test(
    arguments: [
      ([], 64, "there are serve, parse, stream, "),
      (["sevre"], 64, "\"sevre\""),
      (["config"], 64, "check, show"),
      (["parse", "--shap", "x"], 64, "there is no option --shap; there are --dialect, --shape, --inline"),
      (["parse", "--shape", "pdf"], 64, "--shape: \"pdf\" is not accepted; accepted: flat, tree, mdast"),
      (["parse", "--dialect", "x"], 64, "accepted: chat, gfm, commonmark"),
      (["parse", "--shape"], 64, "--shape needs a value"),
      (["parse", "--shape", "flat", "--shape=tree"], 64, "--shape is given twice"),
      (["parse", "-x"], 64, "there is no option -x"),
      (["parse", "a", "b"], 64, "takes one file"),
      (["stream", "--split", "0"], 64, "accepted: bytes, lines, tokens, random:SEED, or a number"),
      (["stream", "--split", "random:"], 64, "accepted: bytes"),
      (["stream", "--delay", "-1"], 64, "--delay"),
      (["check", "--splits", "lines,words"], 64, "a list of all, bytes, lines"),
      (["check", "--prefixes", "some"], 64, "accepted: all, sampled"),
      (["check", "--seed", "-1"], 64, "--seed"),
      (["check", "a", "/nowhere/at/all"], 74, "cannot be read"),
      (["serve", "x"], 64, "takes no file"),
      (["load", "--rate", "0"], 64, "--rate: \"0\" is not accepted; accepted: 0.01 to 100000"),
      (["load", "--chunk-bytes", "9-3"], 64, "accepted: MIN-MAX, from 1 to 65536"),
      (["load", "--find-limit=5"], 64, "--find-limit takes no value"),
      (["load", "a", "b"], 64, "takes one URL"),
      (["load", "ftp://127.0.0.1"], 64, "accepted: http://HOST:PORT"),
      (["load", "http://127.0.0.1:1", "--mode", "engine"], 64, "no URL"),
      (["load", "--pid", "1"], 64, "--pid needs the URL"),
      (["load", "--baseline", "/nowhere/at/all"], 74, "cannot be read"),
      (["load", "--save", "/nowhere/at/all"], 74, "cannot be written"),
      (["parse", "/nowhere/at/all"], 74, "/nowhere/at/all: cannot be read"),
      (["config", "check"], 64, "needs a FILE"),
      (["config", "check", "/nowhere/at/all"], 78, "/nowhere/at/all"),
      (["serve", "--listen", "nonsense"], 78, "HOST:PORT"),
      (["serve", "--storage", "tape"], 78, "storage.engine"),
      (["serve", "--config", "/nowhere/at/all"], 78, "/nowhere/at/all"),
      (["serve", "--listen", "192.0.2.1:0"], 78, "auth.allowUnauthenticatedNetwork"),
    ] as [([String], Int32, String)])
  func saysWhatIsWrongAndWithWhichStatus(arguments: [String], status: Int32, message: String) async throws {
    let outcome = try await run(arguments)
    #expect(outcome.status == status)
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: [
    ["--help"], ["serve", "--help"], ["parse", "--help"], ["stream", "--help"], ["check", "--help"],
    ["load", "--help"], ["config", "--help"],
    ["config", "check", "--help"], ["config", "show", "--help"],
  ])
  func helpsWithEveryCommand(arguments: [String]) async throws {
    let outcome = try await run(arguments)
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    #expect(outcome.text.contains("mooring"))
  }

  @Test func checksAndShowsTheConfiguration() async throws {
    try await withFile("listen:\n  port: 70000\nstreams:\n  maxCont: 3\n") { path in
      let wrong = try await run(["config", "check", path])
      #expect(wrong.status == 78)
      #expect(wrong.error.contains("\(path):2") && wrong.error.contains("70000"))
      #expect(wrong.error.contains("did you mean streams.maxCount?"))
    }
    try await withFile("listen:\n  port: 7000\n") { path in
      #expect(try await run(["config", "check", path]).status == 0)
      let shown = try await run(["config", "show", "--config", path, "--listen", "127.0.0.1:1"])
      #expect(shown.status == 0)
      #expect(shown.text.contains("command line --listen"))
    }
  }

  /// Starts a server at a free port, which ends with this process at the latest.
  private static func serve(
    _ options: [String] = ["--storage", "memory"]
  ) throws -> (ChildProcess, port: UInt16) {
    let process = try start(["serve", "--listen", "127.0.0.1:0", "--until-eof"] + options)
    var first = ""
    while !first.hasSuffix("\n") {
      let byte = try #require(try process.output.read(upToCount: 1))
      try #require(!byte.isEmpty, "the server says nothing")
      first += String(decoding: byte, as: UTF8.self)
    }
    let prefix = "mooring listening on http://127.0.0.1:"
    #expect(first.hasPrefix(prefix))
    return (process, try #require(UInt16(first.dropFirst(prefix.count).dropLast())))
  }

  @Test func whatWasAcknowledgedIsThereAfterAKill() async throws {
    try await withFile("") { path in
      defer {
        for end in ["-wal", "-shm", "-lock"] { try? FileManager.default.removeItem(atPath: path + end) }
      }
      try await blocking {
        let (first, port) = try Self.serve(["--storage", "sqlite:\(path)"])
        defer { first.signal(SIGTERM) }
        let answer = try Client(port: port).post("/v1/blocks/a", "# A\n\nb")
        #expect(answer.status == 200)

        // Another server on the same file is told so, and touches nothing.
        let second = try Self.start(["serve", "--listen", "127.0.0.1:0", "--storage=sqlite:\(path)"])
        let text = String(decoding: try second.error.readToEnd() ?? Data(), as: UTF8.self)
        #expect(second.wait() == .exited(status: 74))
        #expect(text.contains("\(path): in use by another server, process \(first.identifier)"))

        first.signal(SIGKILL)
        #expect(first.wait() == .killed(signal: SIGKILL))
        let (third, newPort) = try Self.serve(["--storage", "sqlite:\(path)"])
        defer { third.signal(SIGTERM) }
        let found = try Client(port: newPort).get("/v1/blocks/a")
        #expect(found["Stream-Next-Offset"] == answer["Stream-Next-Offset"])
        #expect(try BlockDocument(snapshot: found.content).blocks.count == 2)
        third.signal(SIGTERM)
        #expect(third.wait() == .exited(status: 0))
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "closed in order")
      }.get()
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func servesUntilASignal(signal: Int32) async throws {
    try await blocking {
      let (process, port) = try Self.serve()
      defer { process.signal(SIGTERM) }
      let client = try Client(port: port)
      #expect(try client.post("/v1/blocks/a", "# A").status == 200)
      let events = try EventReader(Client(port: port), "/v1/blocks/a")
      #expect(try events.next()?.name == "snapshot")
      process.signal(signal)
      #expect(try events.next() == nil)
      #expect(process.wait() == .exited(status: 0))
    }.get()
  }

  @Test func saysThatItsPortIsTaken() async throws {
    try await TestService.run { test in
      let process = try Self.start([
        "serve", "--storage", "memory", "--listen", "127.0.0.1:\(test.server.address.port)",
      ])
      let text = String(decoding: try process.error.readToEnd() ?? Data(), as: UTF8.self)
      #expect(process.wait() == .exited(status: 74))
      #expect(text.contains("cannot listen at 127.0.0.1"))
    }
  }
}
