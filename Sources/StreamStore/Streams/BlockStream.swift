package import BlockDiff
import Foundation
package import Markup

/// One stream: its source, and the blocks that its source shows.
///
/// An append is accepted and given to the log under the stream's lock; once it is stored, it is parsed and shown,
/// under the lock again and in the order of acceptance (Decision 0002). Readers are cursors: what changed since
/// theirs is computed when they ask, so that a slow reader costs nothing. The blocks can be dropped whenever
/// nothing is on its way to the log, and are then read from the source again.
package final class BlockStream: @unchecked Sendable {
  // Safe: every `var` is touched only between `lock` and `unlock` of `lock`; the rest never changes.

  /// Called when the stream has changed; from any thread, outside the lock.
  package typealias Wake = @Sendable () -> Void
  typealias Reader = (id: Int, wake: Wake)

  package let path: StreamPath
  package let configuration: StreamConfiguration
  /// Which of the streams that had this path.
  package let incarnation: UInt64

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
  /// The blocks of what is shown; there while anything is on its way.
  var parsed: ParsedSource?
  /// Those who wait for the blocks that another is reading from the source.
  private var loadWaiters: [CheckedContinuation<Void, Never>]?
  var readers: [Reader] = []
  private var lastReader = 0
  /// The last diff, for the readers that stand at the same position.
  var recent: BlockChanges?
  private var lastUse = 0
  /// Whether nothing has been shown since the stream was created: its first diff begins with nothing at all, and
  /// opens what is open from the start.
  var isNew: Bool
  private(set) var isDiscarded = false

  /// A stream whose source stands at `state`; `nil` for one that its first append creates.
  init(
    path: StreamPath, incarnation: UInt64, configuration: StreamConfiguration,
    state stored: SourceState? = nil,
    log: any SourceLog, budget: StoreBudget
  ) {
    let state = stored ?? SourceState()
    isNew = stored == nil
    self.path = path.owned
    self.incarnation = incarnation
    self.configuration = configuration
    self.log = log
    self.budget = budget
    accepted = state
    shown = StreamStatus(
      tail: OffsetToken(incarnation: incarnation, position: ByteOffset(state.length)),
      isFinished: state.isClosed)
    envelope = Envelope(stream: path.description, incarnation: incarnation)
  }

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
      if readers.isEmpty { recent = nil }
    }
  }

  /// The number of subscriptions.
  package var readerCount: Int { locked { readers.count } }

  // MARK: - Blocks in memory

  /// The blocks, if they are in memory; that is a use of them. Within the lock.
  func use() -> ParsedSource? {
    lastUse = budget.tick
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
    guard let status = beginLoad() else { return await waitForLoad() }
    do throws(SourceLogError) {
      // While the blocks are not there nothing is accepted, so the source stays as it is.
      let source = try await log.read(0..<status.tail.position.value)
      endLoad(await ParsedSource(source, configuration, closes: status.isFinished))
    } catch {
      endLoad(nil)
      throw StreamError(error)
    }
  }

  private func beginLoad() -> StreamStatus? {
    locked {
      guard parsed == nil, loadWaiters == nil else { return nil }
      loadWaiters = []
      return shown
    }
  }

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
      defer { loadWaiters = nil }
      return loadWaiters ?? []
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Forgets the blocks if nobody has used them since the sweep `tick`. Whether that happened.
  func dropParsed(unusedSince tick: Int) -> Bool {
    locked {
      guard parsed != nil, inFlight.isEmpty, lastUse < tick else { return false }
      parsed = nil
      recent = nil
      return true
    }
  }

  /// Whether the blocks are in memory.
  package var isParsed: Bool { locked { parsed != nil } }

  /// Takes no more appends: the stream is being removed.
  func discard() { locked { isDiscarded = true } }

  /// The number of bytes that have been accepted.
  var acceptedBytes: Int { locked { accepted.length } }

  /// Whether nothing would be lost if the stream were loaded anew.
  var isIdle: Bool { locked { parsed == nil && inFlight.isEmpty && loadWaiters == nil && readers.isEmpty } }
}

/// What changed between two positions.
package struct BlockChanges: Sendable {
  /// Where the reader stood.
  package let from: ByteOffset
  /// What it shows of inline content.
  let inline: InlineOutput
  /// The diff as JSON.
  package let json: [UInt8]
  /// Whether there is anything to show; a live reader is not sent a diff without ops.
  package let isEmpty: Bool
  /// Where the stream stands after it.
  package let status: StreamStatus

  init(_ diff: Diff, _ inline: InlineOutput, json: [UInt8], status: StreamStatus) {
    from = diff.from
    self.inline = inline
    self.json = json
    isEmpty = diff.ops.isEmpty
    self.status = status
  }
}
