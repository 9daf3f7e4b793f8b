import BlockDiff
import Markup

// The blocks in memory: read from the source when they are needed, dropped when nothing needs them.
extension BlockStream {
  /// The blocks, if they are in memory; that is a use of them. Within the lock.
  func use() -> ParsedSource? {
    lastSweep = budget.tick
    lastNumber = budget.parsed.nextNumber()
    // Nothing has to be read from an empty source.
    if parsed == nil, loadWaiters == nil, shown.tail.position == .zero, !shown.isFinished {
      parsed = ParsedSource(configuration)
    }
    return parsed
  }

  /// Reads the blocks from the source, or waits while another does. They may have been dropped again when it
  /// returns.
  ///
  /// - Complexity: O(source).
  func load() async throws(StreamError) {
    guard beginLoad() else { return await waitForLoad() }
    // Nothing is accepted from here on; what is on its way has no need of blocks, and ends.
    while let last = locked({ inFlight.last?.receipt }) {
      _ = await last.settled()
      showStored()
    }
    let status = status
    do throws(SourceLogError) {
      endLoad(try await parsedSource(upTo: status.tail.position.value, closes: status.isFinished))
    } catch {
      endLoad(nil)
      throw failure(error)
    }
  }

  private func parsedSource(
    upTo end: Int, closes: Bool
  ) async throws(SourceLogError) -> sending ParsedSource {
    if let parser = prefixOfSource() {
      let begin = parser.position.value
      let rest = try await log.read((begin - 1)..<end)
      if rest.first == UInt8(ascii: "\n") {
        return await ParsedSource(parser, rest, from: 1, dialect: configuration.dialect, closes: closes)
      }
    }
    return await ParsedSource(try await log.read(0..<end), configuration, closes: closes)
  }

  private func beginLoad() -> Bool {
    locked {
      guard parsed == nil, loadWaiters == nil else { return false }
      loadWaiters = []
      return true
    }
  }

  /// Whether the blocks are being read from the source. Within the lock.
  var isLoading: Bool { loadWaiters != nil }

  private func waitForLoad() async {
    await withCheckedContinuation { continuation in
      let isLoading = locked {
        loadWaiters?.append(continuation)
        return loadWaiters != nil
      }
      if !isLoading { continuation.resume() }
    }
  }

  private func endLoad(_ result: sending ParsedSource?) {
    let waiters = locked {
      parsed = result
      countParsed()
      defer { loadWaiters = nil }
      return loadWaiters ?? []
    }
    for waiter in waiters { waiter.resume() }
    trimParsed()
  }

  /// Brings what the blocks count for up to date. Within the lock.
  func countParsed() {
    let cost = parsed == nil ? 0 : ParsedMemory.cost(ofSource: shown.tail.position.value)
    guard cost != parsedCost else { return }
    budget.parsed.change(self, from: parsedCost, to: cost)
    parsedCost = cost
  }

  /// Has other streams' blocks dropped where all take more than they may. Outside the lock.
  func trimParsed() {
    if budget.parsed.isOver { budget.parsed.trim(keeping: self) }
  }

  /// When the blocks were last used, as `ParsedMemory` counts.
  var lastUseNumber: Int { locked { lastNumber } }

  /// Forgets the blocks if nobody has used them since the sweep `tick`. Whether that happened.
  func dropParsed(unusedSince tick: Int = .max) -> Bool {
    locked {
      guard parsed != nil, inFlight.isEmpty, lastSweep < tick else { return false }
      parsed = nil
      recent = nil
      countParsed()
      return true
    }
  }

  /// Gives back the room that the blocks keep for more if nobody has used them since the sweep `tick`.
  func trimParsed(unusedSince tick: Int) {
    locked {
      if lastSweep < tick { parsed?.parser.trim() }
    }
  }

  /// Whether the blocks are in memory.
  package var isParsed: Bool { locked { parsed != nil } }
}
