package import BlockDiff
import Foundation
import Markup

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
  /// Whether it has blocks.
  package let isMarkup: Bool
  /// Which of the streams that had this path, and which it was forked from.
  package let lineage: Lineage
  /// The path of the stream that it was forked from. That path is no other stream's while this one is there.
  package let forkedFrom: StreamPath?
  /// That stream, while it is in memory: its blocks spare the fork some parsing.
  let origin: Origin
  /// How many streams it was forked from, one from the other.
  let forkDepth: Int
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
  var parsedCost = 0
  /// Those who wait for the blocks that another is reading from the source.
  var loadWaiters: [CheckedContinuation<Void, Never>]?
  var readers: [Reader] = []
  private var lastReader = 0
  /// The last diff, for the readers that stand at the same position.
  var recent: BlockChanges?
  /// The last bytes, while there are readers.
  var recentBytes = RecentBytes()
  var lastSweep = 0
  var lastNumber = 0
  /// When the stream was last read or written, and what of that is stored.
  var lastUse: LastUse
  /// Whether nothing has been shown since the stream was created: its first diff begins with nothing at all, and
  /// opens what is open from the start.
  var isNew: Bool
  var presence: Presence

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
  /// - Parameters:
  ///   - source: the stream that it was forked from, if that is in memory.
  ///   - lastUse: when it was used last, at the latest.
  init(
    path: StreamPath, configuration: StreamConfiguration, stored: StoredStream, source: BlockStream?,
    lastUse: Timestamp, budget: StoreBudget
  ) {
    self.path = path.owned
    self.configuration = configuration
    isMarkup = configuration.isMarkup
    lineage = Lineage(incarnation: stored.incarnation, ancestors: stored.ancestors)
    forkedFrom = stored.forkedFrom
    origin = Origin(stream: source)
    forkDepth = stored.forkDepth
    lifetime = stored.lifetime
    log = stored.log
    self.budget = budget
    accepted = stored.state
    isNew = stored.state.length == 0 && !stored.state.isClosed
    presence = stored.isKept ? .kept : .present
    self.lastUse = LastUse(lastUse, stored: stored.lastUse)
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
    isMarkup = configuration.isMarkup
    let own = Lineage(incarnation: incarnation)
    lineage = fork.map { $0.source.lineage.fork(at: $0.offset, incarnation: incarnation) } ?? own
    forkedFrom = fork?.source.path
    origin = Origin(stream: fork?.source)
    forkDepth = fork.map { $0.source.forkDepth + 1 } ?? 0
    self.lifetime = lifetime
    self.log = log
    self.budget = budget
    accepted = SourceState(length: fork?.offset.value ?? 0)
    isNew = accepted.length == 0
    presence = .present
    lastUse = LastUse(budget.now, stored: budget.now)
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
  func locked<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
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
      if case .idle = lifetime { lastUse.note(budget.now) }
    }
  }

  /// The number of subscriptions.
  package var readerCount: Int { locked { readers.count } }
}
