/// Checks many documents at once, on as many tasks as asked for.
package struct CheckRun: Sendable {
  /// A document with a name to find it by.
  package struct Document: Sendable {
    package var name: String
    package var source: [UInt8]
    package var parse: ParseOptions
    /// The offsets at which the chunks ended in which it came, where that is known.
    package var recordedEnds: [Int]?

    package init(name: String, source: [UInt8], parse: ParseOptions, recordedEnds: [Int]? = nil) {
      self.name = name
      self.source = source
      self.parse = parse
      self.recordedEnds = recordedEnds
    }
  }

  /// How far a run is.
  package struct Progress: Sendable, Equatable, CustomStringConvertible {
    package var documents: Int
    package var documentCount: Int
    package var bytes: Int
    package var byteCount: Int
    package var violations: Int

    package var description: String {
      let percent = byteCount == 0 ? 100 : bytes * 100 / byteCount
      return "\(documents) of \(documentCount) documents, \(percent) % of the bytes, \(violations) violations"
    }
  }

  package var documents: [Document]
  package var options: CheckOptions
  /// The number of documents checked at a time.
  package var workers: Int

  package init(_ documents: [Document], options: CheckOptions = CheckOptions(), workers: Int) {
    precondition(workers > 0, "a run needs a worker")
    self.documents = documents
    self.options = options
    self.workers = workers
  }

  /// Checks all documents, the largest first, so that no worker is left alone with one at the end.
  ///
  /// - Parameters:
  ///   - onFinding: called with each violation as it is found.
  ///   - onProgress: called after each document.
  /// - Throws: only `CheckStop.cancelled`.
  package func run(
    onFinding: (CheckReport.Finding) -> Void = { _ in }, onProgress: (Progress) -> Void = { _ in }
  ) async throws(CheckStop) -> CheckReport {
    var progress = Progress(
      documents: 0, documentCount: documents.count, bytes: 0,
      byteCount: documents.reduce(0) { $0 + $1.source.count }, violations: 0)
    let order = documents.indices.sorted { documents[$0].source.count > documents[$1].source.count }
    var reports = [CheckReport?](repeating: nil, count: documents.count)
    let isComplete = await withTaskGroup(of: (Int, CheckReport?).self) { group in
      var next = 0
      func add() {
        guard next < order.count else { return }
        let place = order[next]
        next += 1
        group.addTask { (place, try? Self.report(documents[place], options)) }
      }
      for _ in 0..<workers { add() }
      while let (place, report) = await group.next() {
        guard let report else {
          group.cancelAll()
          return false
        }
        reports[place] = report
        progress.documents += 1
        progress.bytes += report.bytes
        progress.violations += report.violations.count
        for violation in report.violations {
          onFinding(CheckReport.Finding(document: documents[place].name, violation: violation))
        }
        onProgress(progress)
        add()
      }
      return true
    }
    guard isComplete else { throw .cancelled }
    var summary = CheckReport()
    for place in documents.indices {
      if let report = reports[place] { summary.merge(report, name: documents[place].name) }
    }
    return summary
  }

  /// Checks one document.
  ///
  /// - Throws: only `CheckStop.cancelled`.
  package static func report(
    _ document: Document, _ options: CheckOptions,
    onPart: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) throws(CheckStop) -> CheckReport {
    var options = options
    if let ends = document.recordedEnds { options.splits.insert(.recorded(ends), at: 0) }
    let check = DocumentCheck(
      document.source, options: options, makeEngine: ParserEngine.factory(document.parse))
    return try check.run(onPart: onPart)
  }
}
