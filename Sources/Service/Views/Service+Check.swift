import BlockDiff
import Checker
import Configuration
import HTTPServer
import Markup
import StreamStore

// POST /v1/check: a prefix-replay check of a document or a stream (api.md §6), off the event loops.
extension Service {
  private static let checkForms = ["application/json", "text/event-stream"]

  /// Answers a check. It ends early if its reader leaves.
  func check(_ exchange: Exchange) async throws {
    guard settings.checks.maxConcurrent > 0 else { throw ServiceError.noResource(path: "/v1/check") }
    let request = exchange.request
    let query = try Query(request, known: ["splits", "seed", "prefixes", "dialect", "stream"])
    guard let form = Accept.best(of: Self.checkForms, request.fields) else {
      throw ServiceError.notAcceptable(offered: Self.checkForms)
    }
    var asked = try Self.checkOptions(query)
    let document = try await checkedDocument(exchange, query, &asked)
    let options = asked
    try checks.enter()
    defer { checks.leave() }
    let progress = CheckProgress()
    let signal = exchange.makeSignal()
    try await withThrowingTaskGroup(of: Void.self) { group in
      // Threads of its own, behind all others: an event loop must not wait for it.
      group.addTask(executorPreference: checks.executor) {
        let start = ContinuousClock.now
        let report = try? CheckRun.report(document, options) { done, count in
          progress.report(done, of: count)
          signal.wake()
        }
        guard var report else { return }
        report.elapsedMilliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        var writer = JSONWriter()
        report.write(to: &writer, countsDocuments: false)
        progress.finish(writer.bytes)
        signal.wake()
      }
      defer { group.cancelAll() }
      if form == 0 {
        try await sendReport(exchange, progress, signal)
      } else {
        try await sendProgress(exchange, progress, signal)
      }
    }
  }

  private static func checkOptions(_ query: Query) throws(ServiceError) -> CheckOptions {
    let seed = UInt64(try query.number("seed", in: 0...Int.max, unit: "seed") ?? 1)
    var options = CheckOptions(seed: seed)
    if let list = query["splits"] {
      // A stream's own appends are known later.
      let names = list.split(separator: ",", omittingEmptySubsequences: false).filter { $0 != recorded }
      let splits = names.isEmpty ? [] : CheckOptions.splits(named: names.joined(separator: ","), seed: seed)
      guard let splits, query["stream"] != nil || !Self.hasRecorded(list) else {
        throw .invalidValue(
          name: "splits", value: list,
          accepted: "a list of all, bytes, lines, tokens, random, random:SEED, and for a stream recorded")
      }
      options.splits = splits
    }
    if let prefixes = try query.word("prefixes", of: CheckOptions.Prefixes.allCases.map(\.rawValue)) {
      options.prefixes = CheckOptions.Prefixes(rawValue: prefixes) ?? .all
    }
    return options
  }

  private static let recorded = "recorded"

  private static func hasRecorded(_ list: String) -> Bool {
    list.split(separator: ",").contains { $0 == recorded }
  }

  /// The document in the body, or the source of the stream that the query names.
  ///
  /// - Parameter options: gets the stream's own appends as a split, where they are asked for or nothing else is.
  private func checkedDocument(
    _ exchange: Exchange, _ query: Query, _ options: inout CheckOptions
  ) async throws -> CheckRun.Document {
    let limit = settings.checks.maxBytes
    if let name = query["stream"] {
      guard let path = StreamPath(name) else { throw ServiceError.malformedPath(name) }
      guard query["dialect"] == nil else { throw ServiceError.conflictingParameters("dialect", "stream") }
      let stream = try await markup(at: path)
      let status = stream.status
      guard status.tail.position.value <= limit else {
        throw ServiceError.request(.contentTooLarge(limit: limit))
      }
      let source = try await stream.source(upTo: status.tail.position).bytes
      let list = query["splits"] ?? Self.recorded
      if Self.hasRecorded(list) || list.split(separator: ",").contains("all") {
        options.splits.append(.recorded(stream.appendEnds))
      }
      let parse = ParseOptions(stream.configuration.dialect, options: stream.configuration.options)
      return CheckRun.Document(name: name, source: source, parse: parse)
    }
    let dialect =
      if let name = query["dialect"] {
        try AppendFields.dialect("dialect", name, of: dialects)
      } else {
        store.options.defaultDialect
      }
    let source = try await exchange.collectContent(limit: limit)
    return CheckRun.Document(name: "document", source: source, parse: ParseOptions(dialect))
  }

  private func sendReport(_ exchange: Exchange, _ progress: CheckProgress, _ signal: Signal) async throws {
    while true {
      switch await exchange.wait(
        for: signal, until: exchange.now.advanced(by: settings.blocks.heartbeatInterval))
      {
      case .peerClosed: return
      case .draining: throw ServiceError.draining
      case .signalled, .deadlinePassed: break
      }
      if let report = progress.state.report {
        return try await exchange.send(.ok, fields: Answer.json, content: report)
      }
    }
  }

  private func sendProgress(_ exchange: Exchange, _ progress: CheckProgress, _ signal: Signal) async throws {
    try await exchange.startStream(.ok, fields: Answer.events)
    var shown = 0
    while true {
      let wakeup = await exchange.wait(
        for: signal, until: exchange.now.advanced(by: settings.blocks.heartbeatInterval))
      if wakeup == .peerClosed || wakeup == .draining { return }
      var events = EventWriter()
      let state = progress.state
      if state.done > shown {
        shown = state.done
        var writer = JSONWriter()
        writer.write(#"{"done":"# as JSONFragment)
        writer.write(state.done)
        writer.write(#","of":"# as JSONFragment)
        writer.write(state.count)
        writer.write("}" as JSONFragment)
        events.write(.progress, data: writer.bytes)
      } else if wakeup == .deadlinePassed {
        events.writeHeartbeat()
      }
      if let report = state.report { events.write(.report, data: report) }
      if !events.bytes.isEmpty { try await exchange.write(events.bytes) }
      if state.report != nil { return try await exchange.finish() }
    }
  }
}
