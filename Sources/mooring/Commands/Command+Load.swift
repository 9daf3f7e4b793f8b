import BlockDiff
import Foundation
import HTTPServer
import LoadTest
import StreamStore

extension Command {
  /// `mooring load`.
  static let load = Command(
    words: ["load"], summary: "Drives a server as chat clients would, by the clock, and reports latencies",
    operand: "[URL]",
    notes: """
      Without a URL it starts a server of its own: in memory, at a free port, in a process of its own. The report on
      standard output is JSON; a table goes to standard error. The status is 1 if what a reader got is not what the
      stream holds.
      """,
    options: [
      Option("--streams", "N", "Chats at a time; 200 by default"),
      Option("--readers", "N", "Readers of each stream; 2 by default"),
      Option("--rate", "R", "Chunks a second in each stream; 30 by default"),
      Option("--seconds", "S", "For how long; 20 by default, 5 for each rate with --find-limit"),
      Option("--chunk-bytes", "MIN-MAX", "Bytes of a chunk; 1-24 by default"),
      Option("--seed", "N", "What documents and times are drawn from; 1 by default"),
      Option("--mode", "http|engine", "Over sockets (default), or the streams in process"),
      Option("--verify", "true|false", "Whether readers' diffs are replayed; true by default"),
      Option("--threads", "N", "Threads that send and read; by default half of the cores"),
      Option("--pid", "PID", "The server's process, where it runs on this machine"),
      Option("--find-limit", "Looks for the highest rate whose p99 stays under --p99"),
      Option("--p99", "MS", "The bound for --find-limit, of appends and deliveries; 10 by default"),
      Option("--save", "FILE", "Writes the figures, to compare with later"),
      Option("--baseline", "FILE", "Compares with figures that were saved, and says how much noise there is"),
      Option("--html", "FILE", "Writes a page with charts"),
    ]
  ) { arguments in
    let options = try loadOptions(arguments)
    let bound = Double(try arguments.number("--p99", in: 1...60_000) ?? 10)
    let baseline = try arguments["--baseline"].map(savedRun)
    let files = try ["--save", "--html"].map { try arguments[$0].map(OutputFile.init) }
    // A connection for each chat and each reader.
    _ = DescriptorLimit.raise()
    let session = try LoadSession(arguments, options)
    defer { session.end() }
    let outcome: LoadOutcome
    if arguments["--find-limit"] != nil {
      outcome = try await session.findLimit(options, under: bound)
    } else {
      outcome = try await session.run(options)
      var writer = JSONWriter()
      outcome.report.write(to: &writer)
      Output.write(writer.bytes + [0x0A])
    }
    Output.error(outcome.summary.trimmingCharacters(in: .newlines))
    let run = SavedRun(options: outcome.options, metrics: outcome.metrics)
    let comparison = baseline.map { Comparison(run, with: $0) }
    if let comparison { Output.error("\n" + comparison.text.trimmingCharacters(in: .newlines)) }
    try files[0]?.write(run.json(report: outcome.report))
    try files[1]?.write(Array(LoadPage(outcome, heading: session.name, comparison: comparison).html.utf8))
    if !outcome.report.isVerified { throw CommandError.wrongReaders(outcome.report.readers.wrong) }
  }

  private static func loadOptions(_ arguments: Arguments) throws -> LoadOptions {
    var options = LoadOptions()
    let limits = LoadOptions.Limits()
    if let streams = try arguments.number("--streams", in: limits.streams) { options.streams = streams }
    if let readers = try arguments.number("--readers", in: limits.readers) { options.readers = readers }
    if let rate = try arguments.decimal("--rate", in: limits.rate) { options.rate = rate }
    if arguments["--find-limit"] != nil { options.seconds = 5 }
    if let seconds = try arguments.decimal("--seconds", in: limits.seconds) { options.seconds = seconds }
    if let seed = try arguments.number("--seed", in: 0...Int.max) { options.seed = UInt64(seed) }
    if let mode = try arguments.word("--mode", of: LoadOptions.Mode.allCases.map(\.rawValue)) {
      options.mode = LoadOptions.Mode(rawValue: mode) ?? .http
    }
    if let verify = try arguments.word("--verify", of: ["true", "false"]) {
      options.verify = verify == "true"
    }
    if let text = arguments["--chunk-bytes"] {
      let bounds = text.split(separator: "-").compactMap { Int($0) }
      guard bounds.count == 2, bounds[0] <= bounds[1], limits.chunkBytes.contains(bounds[0]),
        limits.chunkBytes.contains(bounds[1])
      else {
        throw arguments.refused(
          "--chunk-bytes", text,
          accepted: "MIN-MAX, from \(limits.chunkBytes.lowerBound) to \(limits.chunkBytes.upperBound)")
      }
      options.chunkBytes = bounds[0]...bounds[1]
    }
    return options
  }

  private static func savedRun(_ path: String) throws -> SavedRun {
    guard let run = SavedRun(json: try Input.bytes(of: [path])) else {
      throw CommandError.input(path: path, reason: "holds no run that mooring load --save wrote")
    }
    return run
  }
}

/// A file that a command writes: opened before the work begins, so that nothing is done in vain, and changed only
/// when there is something to write.
private struct OutputFile {
  private let path: String
  private let handle: FileHandle

  init(_ path: String) throws {
    self.path = path
    let exists = FileManager.default.fileExists(atPath: path)
    guard exists || FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw CommandError.file(path: path, reason: "cannot be written") }
    self.handle = handle
  }

  func write(_ bytes: [UInt8]) throws {
    do {
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: Data(bytes))
      try handle.close()
    } catch {
      throw CommandError.file(path: path, reason: "cannot be written")
    }
  }
}
