import BlockDiff
import Markup

// Appending: judged and given to the log under the lock, shown once it is stored (Decision 0002).
extension BlockStream {
  /// An append that has been given to the log and is not yet shown.
  final class InFlight: @unchecked Sendable {
    // Safe: `result` is touched only within the stream's lock; the rest never changes.
    let receipt: CommitReceipt
    fileprivate let request: AppendRequest
    fileprivate let change: SourceState.Change
    /// There once it is shown or has failed.
    fileprivate var result: Result<Appended, StreamError>?

    fileprivate init(_ request: AppendRequest, _ receipt: CommitReceipt, _ change: SourceState.Change) {
      self.request = request
      self.receipt = receipt
      self.change = change
    }
  }

  /// How far an append has come.
  private enum Progress {
    /// It is shown, or had been before.
    case done(Appended, woken: [Reader])
    /// It is on its way.
    case accepted(InFlight)
    /// It is not to be stored, and that rests on others that are on their way, of which `after` is the last.
    case judged(Result<Int?, StreamError>, after: CommitReceipt)
    /// The blocks have to be read first.
    case needsBlocks
  }

  /// Appends bytes and gives the diff that they make, once they are stored. The readers are woken.
  ///
  /// - Complexity: O(bytes + open blocks + diff), and O(source) where the blocks had been dropped.
  package func append(_ request: AppendRequest) async throws(StreamError) -> Appended {
    while true {
      switch try begin(request) {
      case .done(let appended, let woken):
        for reader in woken { reader.wake() }
        trimParsed()
        return appended
      case .accepted(let entry):
        _ = await entry.receipt.settled()
        return try result(of: entry)
      case .judged(let verdict, let receipt):
        // Where one of those failed, this is about a state that never was.
        guard await receipt.settled() == .stored else { continue }
        return try await repeated(request, last: try verdict.get())
      case .needsBlocks: try await load()
      }
    }
  }

  private func begin(_ request: AppendRequest) throws(StreamError) -> Progress {
    try locked { () throws(StreamError) -> Progress in
      guard presence == .present else { throw absence }
      let verdict: Verdict
      do throws(StreamError) {
        verdict = try admit(request)
      } catch {
        guard let last = inFlight.last else { throw error }
        return .judged(.failure(error), after: last.receipt)
      }
      if case .duplicate(let last) = verdict, let before = inFlight.last {
        return .judged(.success(last), after: before.receipt)
      }
      // While the blocks are read from the source, it stays as it is.
      if isLoading { return .needsBlocks }
      if request.wantsDiff, use() == nil { return .needsBlocks }
      if case .duplicate(let last) = verdict {
        return .done(duplicate(of: request, last: last, parsed), woken: [])
      }
      let entry = SourceEntry(
        bytes: request.bytes, closes: request.closes, producer: request.producer, sequence: request.sequence,
        usedAt: useNow())
      let receipt = try commit(entry)
      let change = accepted.accept(entry)
      if let receipt {
        let entry = InFlight(request, receipt, change)
        inFlight.append(entry)
        return .accepted(entry)
      }
      precondition(inFlight.isEmpty, "a log stores entries in their order")
      return .done(show(request, parsed), woken: readers)
    }
  }

  private func commit(_ entry: SourceEntry) throws(StreamError) -> CommitReceipt? {
    try budget.reserve(entry.bytes.count)
    do throws(SourceLogError) {
      return try log.commit(entry, at: accepted.length)
    } catch {
      budget.release(entry.bytes.count)
      throw StreamError(error)
    }
  }

  // MARK: - What is stored

  /// What became of an append whose receipt is settled.
  private func result(of entry: InFlight) throws(StreamError) -> Appended {
    showStored()
    // Settled receipts are dealt with from the first one on, and this is one of them.
    guard let result = locked({ entry.result }) else { preconditionFailure("entries are stored in order") }
    return try result.get()
  }

  /// Shows all that has been stored, in order, whichever task comes first: that of one append may run before that
  /// of an earlier one. Wakes the readers.
  func showStored() {
    let woken = locked { () -> [Reader] in
      var hasShown = false
      while let first = inFlight.first, let outcome = first.receipt.outcome {
        switch outcome {
        case .stored:
          inFlight.removeFirst()
          first.result = .success(show(first.request, parsed))
          hasShown = true
        case .refused: failAll()
        }
      }
      return hasShown ? readers : []
    }
    for reader in woken { reader.wake() }
    trimParsed()
  }

  /// Takes back all that is on its way: the first has failed, and the log refuses those after it.
  private func failAll() {
    for entry in inFlight.reversed() {
      accepted.takeBack(entry.change)
      budget.release(entry.request.bytes.count)
      entry.result = .failure(.storageUnavailable)
    }
    // Nor are the times that they would have stored.
    if case .idle = lifetime { lastUse.takeBack() }
    inFlight = []
  }

  /// Parses an append, where there are blocks, and writes the diff that it makes.
  private func show(_ request: AppendRequest, _ parsed: ParsedSource?) -> Appended {
    let before = isNew ? nil : parsed?.parser.position
    if !request.isCreation || request.closes || !request.bytes.isEmpty { isNew = false }
    let begin = shown.tail.position.value
    parsed?.append(request.bytes, closes: request.closes)
    shown.tail = lineage.token(at: ByteOffset(begin + request.bytes.count))
    shown.isFinished = request.closes
    if !readers.isEmpty { recentBytes.append(request.bytes, at: begin) }
    countParsed()
    guard request.wantsDiff, let parsed else {
      precondition(!request.wantsDiff, "blocks stay while something is on its way that needs them")
      recent = nil
      return Appended(diff: [], status: shown, producer: request.producer)
    }
    var writer = JSONWriter()
    let diff = parsed.parser.writeDiff(
      since: before, inlines: &parsed.inlines, as: request.inline, in: envelope, to: &writer)
    let json = writer.finish()
    recent = readers.isEmpty ? nil : BlockChanges(diff, request.inline, json: json, status: shown)
    return Appended(diff: json, status: shown, producer: request.producer)
  }

  // MARK: - Duplicates

  /// The answer to an append that had been stored before, with what was on its way when it came.
  private func repeated(_ request: AppendRequest, last: Int?) async throws(StreamError) -> Appended {
    showStored()
    guard request.wantsDiff else { return locked { duplicate(of: request, last: last, nil) } }
    while true {
      let appended = locked { use().map { duplicate(of: request, last: last, $0) } }
      if let appended { return appended }
      try await load()
    }
  }

  /// The answer to an append that had been stored before: no ops.
  private func duplicate(of request: AppendRequest, last: Int?, _ parsed: ParsedSource?) -> Appended {
    var writer = JSONWriter()
    if request.wantsDiff, let parsed {
      _ = parsed.parser.writeDiff(
        since: parsed.parser.position, inlines: &parsed.inlines, as: .none, in: envelope, to: &writer)
    }
    var producer = request.producer
    if let last { producer?.sequence = last }
    return Appended(diff: writer.bytes, status: shown, isDuplicate: true, producer: producer)
  }

  // MARK: - Verdicts

  /// What is to be done with an append that may go on.
  private enum Verdict {
    case append
    /// `last` is the producer's highest sequence number, where there is a producer.
    case duplicate(last: Int?)
  }

  /// Judges an append by what has been accepted, in the order that the protocol recommends: closure, type,
  /// producer, sequence, offset.
  private func admit(_ request: AppendRequest) throws(StreamError) -> Verdict {
    let tail = lineage.token(at: ByteOffset(accepted.length))
    if accepted.isClosed {
      // What closed the stream may come again, and so may a wish to close it.
      if let producer = request.producer {
        if request.producer == accepted.writers.closer { return .duplicate(last: producer.sequence) }
      } else if request.bytes.isEmpty && request.closes {
        return .duplicate(last: nil)
      }
      throw .closed(tail: tail)
    }
    guard !request.bytes.isEmpty || request.closes || request.isCreation else { throw .emptyAppend }
    try configuration.check(request.configuration, hasContent: !request.bytes.isEmpty)
    if let producer = request.producer {
      switch try accepted.writers.verdict(on: producer) {
      case .append: break
      case .duplicate(let last): return .duplicate(last: last)
      }
    }
    if let sequence = request.sequence { try accepted.writers.check(sequence: sequence) }
    if let expected = request.expectedOffset, expected != tail { throw .expectedOffset(tail: tail) }
    guard isMarkup || !request.wantsDiff else {
      throw .notMarkup(type: configuration.mediaType)
    }
    guard request.bytes.count <= budget.maxStreamBytes - accepted.length else {
      throw .streamFull(limit: budget.maxStreamBytes)
    }
    return .append
  }
}
