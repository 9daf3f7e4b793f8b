import BlockDiff
import Foundation
import LoadTest
import StreamStore

/// What `mooring load` drives, for as long as it drives it.
final class LoadSession {
  /// What is driven, as the report names it.
  let name: String
  private let target: LoadTarget
  private let server: OwnServer?
  private let threads: Int
  private let hasTerminal = isatty(STDERR_FILENO) == 1
  private var runs = 0

  /// Starts a server if the command names none.
  init(_ arguments: Arguments, _ options: LoadOptions) throws {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    threads = try arguments.number("--threads", in: 1...256) ?? max(1, cores / 2)
    let pid = try arguments.number("--pid", in: 1...Int(Int32.max))
    if let url = arguments.operands.first {
      guard options.mode == .http else {
        throw CommandError.usage("--mode engine drives the streams in process, and no URL", help: "load")
      }
      (name, server) = (url, nil)
      target = .server(try Self.server(url, pid.map { .other(pid: Int32($0)) } ?? .unknown))
      return
    }
    if pid != nil { throw CommandError.usage("--pid needs the URL of its server", help: "load") }
    if options.mode == .engine {
      (name, server, target) = ("The streams in process", nil, .store(StreamStore()))
      return
    }
    let own = try OwnServer(connections: options.streams * (options.readers + 1))
    (name, server) = ("Its own server", own)
    do {
      target = .server(try Self.server(own.url, .other(pid: own.pid)))
    } catch {
      own.stop()
      throw error
    }
  }

  private static func server(_ url: String, _ process: ServerProcess) throws -> LoadTarget.Server {
    do throws(LoadError) {
      return try LoadTarget.Server(url: url, process: process)
    } catch {
      switch error {
      case .malformedURL: throw CommandError.usage("\(error)", help: "load")
      case .unreachable, .system: throw CommandError.server("\(error)")
      }
    }
  }

  /// Ends the server, if it is this one's own.
  func end() { server?.stop() }

  /// Runs one load test; on a terminal it shows how far it is.
  func run(_ options: LoadOptions) async throws -> LoadOutcome {
    runs += 1
    let run = LoadRun(
      options, target: target, name: "\(getpid())-\(runs)-\(UInt32.random(in: 0 ... .max))", threads: threads)
    let hasTerminal = hasTerminal
    do {
      return try await withThrowingTaskGroup(of: LoadOutcome?.self) { tasks in
        tasks.addTask { try await run.run() }
        tasks.addTask {
          while hasTerminal, (try? await Task.sleep(for: .milliseconds(250))) != nil {
            Output.progress(Self.line(run.progress))
          }
          return nil
        }
        defer { tasks.cancelAll() }
        for try await outcome in tasks {
          guard let outcome else { continue }
          if hasTerminal { Output.progress("") }
          return outcome
        }
        throw CommandError.server("the run gave no report")
      }
    } catch let error as LoadError {
      throw CommandError.server("\(error)")
    }
  }

  private static func line(_ progress: LoadRun.Progress) -> String {
    let seconds = max(progress.elapsedSeconds, 0.001)
    return """
      \(Int(progress.share * 100)) %, \(Int(seconds)) s: \(Int(Double(progress.answered) / seconds)) appends/s, \
      \(Int(Double(progress.deliveries) / seconds)) deliveries/s, p99 \((progress.p99Milliseconds * 100).rounded() / 100) ms, \
      \(progress.scheduled - progress.answered - progress.errors) waiting, \(progress.errors) errors
      """
  }

  /// Looks for the highest rate that holds, and prints it with the rates that were tried.
  ///
  /// - Returns: what the highest rate gave; the last one's where none held.
  func findLimit(_ options: LoadOptions, under bound: Double) async throws -> LoadOutcome {
    var search = RateSearch(from: options.rate, upTo: LoadOptions.Limits().rate.upperBound)
    var best: LoadOutcome?
    var last: LoadOutcome?
    var steps: [(rate: Double, outcome: LoadOutcome, holds: Bool)] = []
    while let rate = search.next {
      var step = options
      step.rate = rate
      let outcome = try await run(step)
      let report = outcome.report
      let holds =
        report.appends.errors == 0 && report.isVerified && report.appends.latency.p99 <= bound
        && report.deliveries.latency.p99 <= bound
      search.record(holds: holds)
      steps.append((rate, outcome, holds))
      Output.error(
        "\(rate) a stream, \(Int(report.appends.perSecond)) appends/s: p99 \(report.appends.latency.p99) ms, deliveries \(report.deliveries.latency.p99) ms\(holds ? "" : ", too slow")"
      )
      last = outcome
      if holds, search.best == rate { best = outcome }
      if !report.isVerified { break }
    }
    guard let result = best ?? last else { throw CommandError.server("no rate was tried") }
    var writer = JSONWriter()
    writer.write(#"{"p99Ms":"#)
    writer.write(bound, decimals: 3)
    writer.write(#","limit":"#)
    if let rate = search.best { writer.write(rate, decimals: 3) } else { writer.write("null") }
    writer.write(#","steps":["#)
    for (place, step) in steps.enumerated() {
      writer.write(place == 0 ? #"{"rate":"# : #",{"rate":"#)
      writer.write(step.rate, decimals: 3)
      writer.write(#","holds":"#)
      writer.write(step.holds)
      writer.write(#","report":"#)
      step.outcome.report.write(to: &writer)
      writer.write("}")
    }
    writer.write("]}\n")
    Output.write(writer.bytes)
    return result
  }
}

/// A server that a command starts for itself: this executable, in another process, so that what it takes can be told
/// from what the command takes.
private final class OwnServer {
  let url: String
  private let process: Process
  /// What the server lives for: this end of the pipe goes with this process, also where that is killed.
  private let lifeline = Pipe()

  var pid: Int32 { process.processIdentifier }

  /// Starts it; it accepts connections when this returns.
  init(connections: Int) throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["serve", "--listen", "127.0.0.1:0", "--storage", "memory", "--until-eof"]
    process.standardInput = lifeline
    var environment = ProcessInfo.processInfo.environment
    environment["MOORING_HTTP_MAX_CONNECTIONS"] = "\(max(10_000, connections + 100))"
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    do { try process.run() } catch { throw CommandError.server("the server does not start: \(error)") }
    var line: [UInt8] = []
    while line.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
      line += byte
    }
    let text = String(decoding: line.dropLast(), as: UTF8.self)
    let prefix = "mooring listening on "
    guard text.hasPrefix(prefix) else {
      process.terminate()
      throw CommandError.server("the server does not start")
    }
    url = String(text.dropFirst(prefix.count))
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
