package import BlockDiff
import Foundation
package import Markup

/// One stream: its source, and the blocks that its source shows.
///
/// An append is accepted and given to the log under the stream's lock; once it is stored, it is parsed and shown,
/// under the lock again and in the order of acceptance (Decision 0002). Readers are cursors: what changed since
/// theirs is computed when they ask, so that a slow reader costs nothing. The blocks can be dropped whenever
/// nothing is on its way to the log, and are then read from the source again. A stream that is no markup never has
/// any.
package final class BlockStream: @unchecked Sendable {
  // Safe: every `var` is touched only between `lock` and `unlock` of `lock`; the rest never changes.

  /// Called when the stream has changed; from any thread, outside the lock.
  package typealias Wake = @Sendable () -> Void
  typealias Reader = (id: Int, wake: Wake)

  package let path: StreamPath
  package let configuration: StreamConfiguration
  /// Which of the streams that had this path, and which it was forked from.
  package let lineage: Lineage
  /// The path of the stream that it was forked from. That path is no other stream's while this one is there.
  package let forkedFrom: StreamPath?
  /// When it ends by itself.
  package let lifetime: Lifetime

  /// What snapshots and diffs say of the stream.
  package let envelope: Envelope
  let log: any SourceLog
  let budget: StoreBudget
  private let lock = NSLock()

  /// What has been stored or is on its way: what appends are judged by.
  var accepted: SourceState
  /// What has been given to the log and not yet been shown, in the order of acceptance.
  var inFlight: [InFlight] = []
  /// What has been stored and shown: what readers see.
  var shown: StreamStatus
  /// The blocks of what is shown; there while anything is on its way whose diff was asked for.
  var parsed: ParsedSource?
  /// What the blocks count for in the memory that all streams share.
  private var parsedCost = 0
  /// Those who wait for the blocks that another is reading from the source.
  private var loadWaiters: [CheckedContinuation<Void, Never>]?
  var readers: [Reader] = []
  private var lastReader = 0
  /// The last diff, for the readers that stand at the same position.
  var recent: BlockChanges?
  /// The last bytes, while there are readers.
  var recentBytes = RecentBytes()
  private var lastSweep = 0
  private var lastNumber = 0
  /// When the stream was last read or written, and what of that is stored.
  private var lastUse: Timestamp
  private var storedUse: Timestamp
  private var useReceipt: CommitReceipt?
  /// Whether nothing has been shown since the stream was created: its first diff begins with nothing at all, and
  /// opens what is open from the start.
  var isNew: Bool
  private(set) var presence: Presence

  /// Whether the stream is there for those who ask for it.
  package enum Presence: Equatable, Sendable {
    case present
    /// It is being removed, or is gone.
    case discarded
    /// It has been removed, and what its forks have of it is kept.
    case kept
  }

  /// A stream that an engine has stored.
  ///
  /// - Parameter lastUse: when it was used last.
  init(
    path: StreamPath, configuration: StreamConfiguration, stored: StoredStream, lastUse: Timestamp,
    budget: StoreBudget
  ) {
    self.path = path.owned
    self.configuration = configuration
    lineage = Lineage(incarnation: stored.incarnation, ancestors: stored.ancestors)
    forkedFrom = stored.forkedFrom
    lifetime = stored.lifetime
    log = stored.log
    self.budget = budget
    accepted = stored.state
    isNew = false
    presence = stored.isKept ? .kept : .present
    self.lastUse = lastUse
    storedUse = lastUse
    shown = StreamStatus(
      tail: lineage.token(at: ByteOffset(stored.state.length)), isFinished: stored.state.isClosed,
      incarnation: stored.incarnation)
    envelope = Envelope(stream: path.description, lineage: lineage)
  }

  /// A stream that its first append creates; with `source`, as a fork of that at a position.
  init(
    path: StreamPath, incarnation: UInt64, configuration: StreamConfiguration,
    lifetime: Lifetime = .unlimited, fork: (source: BlockStream, offset: ByteOffset)? = nil,
    log: any SourceLog, budget: StoreBudget
  ) {
    self.path = path.owned
    self.configuration = configuration
    let own = Lineage(incarnation: incarnation)
    lineage = fork.map { $0.source.lineage.fork(at: $0.offset, incarnation: incarnation) } ?? own
    forkedFrom = fork?.source.path
    self.lifetime = lifetime
    self.log = log
    self.budget = budget
    accepted = SourceState(length: fork?.offset.value ?? 0)
    isNew = fork == nil
    presence = .present
    lastUse = budget.now
    storedUse = lastUse
    shown = StreamStatus(
      tail: lineage.token(at: ByteOffset(accepted.length)), isFinished: false, incarnation: incarnation)
    envelope = Envelope(stream: path.description, lineage: lineage)
    parsed = fork.flatMap { $0.source.copyOfParsed(at: $0.offset) }
    locked { countParsed() }
  }

  deinit { budget.parsed.release(parsedCost, of: ObjectIdentifier(self)) }

  /// Which of the streams that had this path.
  package var incarnation: UInt64 { lineage.incarnation }

  /// Runs `body` with the lock held. It does no I/O and calls nothing that a caller gave.
  func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// Where the stream stands.
  package var status: StreamStatus { locked { shown } }

  // MARK: - Readers

  /// Has `wake` called after every change from here on, until `unsubscribe`. Whoever subscribes before it
  /// catches up misses nothing.
  package func subscribe(_ wake: @escaping Wake) -> Int {
    locked {
      lastReader += 1
      readers.append((lastReader, wake))
      return lastReader
    }
  }

  /// Ends a subscription.
  package func unsubscribe(_ id: Int) {
    locked {
      readers.removeAll { $0.id == id }
      guard readers.isEmpty else { return }
      recent = nil
      recentBytes = RecentBytes()
      // It did not end while it was read; its time begins now.
      if case .idle = lifetime { lastUse = max(lastUse, budget.now) }
    }
  }

  /// The number of subscriptions.
  package var readerCount: Int { locked { readers.count } }

  // MARK: - Blocks in memory

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
      let source = try await log.read(0..<status.tail.position.value)
      endLoad(await ParsedSource(source, configuration, closes: status.isFinished))
    } catch {
      endLoad(nil)
      throw StreamError(error)
    }
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

  /// Another parser that stands where this stream's does, if that is at `offset`: what a fork begins with.
  private func copyOfParsed(at offset: ByteOffset) -> ParsedSource? {
    locked {
      guard let parsed, shown.tail.position == offset, !shown.isFinished else { return nil }
      return ParsedSource(copying: parsed)
    }
  }

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

  /// Whether the blocks are in memory.
  package var isParsed: Bool { locked { parsed != nil } }

  // MARK: - Presence

  /// Whether the stream is there for those who ask for it.
  package var isPresent: Bool { locked { presence == .present } }

  /// Takes no more appends: the stream is being removed. Live readers are woken, to find that out.
  func discard() {
    let woken = locked { () -> [Reader] in
      presence = .discarded
      return readers
    }
    for reader in woken { reader.wake() }
  }

  /// The stream has been removed, and is kept for its forks.
  func keep() {
    locked {
      presence = .kept
      parsed = nil
      recent = nil
      countParsed()
    }
  }

  /// The number of bytes that have been accepted, without those of the stream that this one was forked from.
  var ownBytes: Int { locked { accepted.length } - lineage.begin.value }

  /// Whether nothing would be lost if the stream were loaded anew. Where it was used since that was last stored,
  /// that is stored first.
  func isIdle() -> Bool {
    if case .idle = lifetime { storeUse(ifOlderThan: 0) }
    return locked {
      parsed == nil && inFlight.isEmpty && loadWaiters == nil && readers.isEmpty && storedUse == lastUse
        && useReceipt.map { $0.outcome == .stored } ?? true
    }
  }

  // MARK: - Lifetime

  /// Whether the stream's time is over. Not while somebody reads it who keeps it alive.
  var isExpired: Bool {
    switch lifetime {
    case .unlimited: false
    case .until(let end): isPresent && budget.now >= end
    case .idle:
      locked {
        guard presence == .present, readers.isEmpty, let end = lifetime.end(afterUse: lastUse) else {
          return false
        }
        return budget.now >= end
      }
    }
  }

  /// Begins the time anew after which an idle stream ends. For each request that reads.
  package func noteUse() {
    guard case .idle = lifetime else { return }
    locked { lastUse = max(lastUse, budget.now) }
    storeUse(ifOlderThan: lifetime.untoldMilliseconds)
  }

  /// The time to be stored with an entry. Within the lock.
  func useNow() -> Timestamp? {
    guard case .idle = lifetime else { return nil }
    lastUse = max(lastUse, budget.now)
    storedUse = lastUse
    return lastUse
  }

  private func storeUse(ifOlderThan milliseconds: Int) {
    locked {
      if useReceipt?.outcome == .refused { storedUse = .distantPast }
      guard presence == .present, lastUse.milliseconds - storedUse.milliseconds > milliseconds else { return }
      do throws(SourceLogError) {
        useReceipt = try log.commit(SourceEntry(usedAt: lastUse), at: accepted.length)
        storedUse = lastUse
      } catch {
        // The next use tries again.
      }
    }
  }
}

/// The last bytes of a source, for live readers: all of them want what has just been stored.
struct RecentBytes {
  /// Above it, they are read from the log.
  private static let maxBytes = 64 << 10

  private var start = 0
  private var bytes: [UInt8] = []

  /// Adds bytes that begin at `offset`.
  mutating func append(_ new: [UInt8], at offset: Int) {
    if new.count > Self.maxBytes / 2 {
      bytes = []
      return
    }
    if start + bytes.count != offset || bytes.count + new.count > Self.maxBytes {
      // The younger half stays: most readers are at the end, and the others not far behind.
      if start + bytes.count == offset, bytes.count > Self.maxBytes / 2 {
        let dropped = bytes.count - Self.maxBytes / 2
        bytes.removeFirst(dropped)
        start += dropped
      } else {
        bytes = []
      }
      if bytes.isEmpty { start = offset }
    }
    bytes += new
  }

  /// The bytes in a range, if all of them are here.
  func bytes(in range: Range<Int>) -> [UInt8]? {
    guard range.lowerBound >= start, range.upperBound <= start + bytes.count else { return nil }
    return Array(bytes[(range.lowerBound - start)..<(range.upperBound - start)])
  }
}

/// What changed between two positions.
package struct BlockChanges: Sendable {
  /// Where the reader stood.
  package let from: ByteOffset
  /// The diff as JSON.
  package let json: [UInt8]
  /// Whether there is anything to show; a live reader is not sent a diff without ops.
  package let isEmpty: Bool
  /// Where the stream stands after it.
  package let status: StreamStatus

  init(_ diff: Diff, json: [UInt8], status: StreamStatus) {
    from = diff.from
    self.json = json
    isEmpty = diff.ops.isEmpty
    self.status = status
  }
}
