import BlockDiff
import Checker
import Foundation
import Markup

extension Command {
  /// `mooring check`.
  static let check = Command(
    words: ["check"], summary: "Replays documents prefix by prefix and checks every promise",
    operand: "[FILE…]", takesManyOperands: true,
    notes: """
      Prints each violation as a JSON line as it is found, with the shortest source and chunks that still show
      it, and in the end the report over all documents. The status is 1 if there are violations.
      """,
    options: [
      Option("--jsonl", "FIELD", "The files hold a JSON object a line; the document is in this field"),
      Option("--splits", "LIST", "all (default), or some of bytes, lines, tokens, random, random:SEED"),
      Option("--prefixes", "all|sampled", "Which prefixes are parsed whole: all of up to 16 KiB by default"),
      .dialect, Option("--seed", "N", "What random splits begin with; 1 by default"),
    ]
  ) { arguments in
    let seed = UInt64(try arguments.number("--seed", in: 0...Int.max) ?? 1)
    var options = CheckOptions(seed: seed)
    if let list = arguments["--splits"] {
      guard let splits = CheckOptions.splits(named: list, seed: seed) else {
        throw arguments.refused(
          "--splits", list, accepted: "a list of all, bytes, lines, tokens, random, random:SEED")
      }
      options.splits = splits
    }
    let prefixes = try arguments.word("--prefixes", of: CheckOptions.Prefixes.allCases.map(\.rawValue))
    if let prefixes { options.prefixes = CheckOptions.Prefixes(rawValue: prefixes) ?? .all }
    let parse = ParseOptions(try arguments.dialect())
    let documents = try Input.documents(of: arguments.operands, field: arguments["--jsonl"], parse)
    let report = try await checked(documents, options)
    if !report.isOK { throw CommandError.violations(report.findings.count) }
  }

  /// Checks on all cores, and prints what comes of it.
  private static func checked(
    _ documents: [CheckRun.Document], _ options: CheckOptions
  ) async throws -> CheckReport {
    let workers = ProcessInfo.processInfo.activeProcessorCount
    let hasTerminal = isatty(STDERR_FILENO) == 1
    let start = ContinuousClock.now
    var shown = start - .seconds(1)
    var report = try await CheckRun(documents, options: options, workers: workers).run(
      onFinding: { finding in
        var writer = JSONWriter()
        finding.write(to: &writer)
        Output.write(writer.bytes + [0x0A])
      },
      onProgress: { progress in
        // Ten lines a second are enough to see that it moves.
        guard hasTerminal, ContinuousClock.now - shown >= .milliseconds(100) else { return }
        shown = ContinuousClock.now
        Output.progress("\(progress)")
      })
    if hasTerminal { Output.progress("") }
    report.elapsedMilliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
    var writer = JSONWriter()
    report.write(to: &writer, countsDocuments: true)
    Output.write(writer.bytes + [0x0A])
    return report
  }
}

extension Input {
  /// The documents of files: each a document, or with `field` one a line.
  static func documents(
    of operands: [String], field: String?, _ parse: ParseOptions
  ) throws -> [CheckRun.Document] {
    var documents: [CheckRun.Document] = []
    for path in operands.isEmpty ? ["-"] : operands {
      let bytes = try Input.bytes(of: [path])
      guard let field else {
        documents.append(CheckRun.Document(name: path, source: bytes, parse: parse))
        continue
      }
      do throws(DocumentLineError) {
        documents += try CheckRun.documents(ofLines: bytes, field: field, file: path, parse: parse)
      } catch {
        throw CommandError.input(path: path, reason: "\(error)")
      }
    }
    return documents
  }
}
