import Foundation
import StreamStore

/// The one thread that writes: it takes all that waits, stores it in one transaction, and tells everybody whose
/// entry was in it (group commit). While the disk flushes, the next transaction's entries gather.
final class Committer: @unchecked Sendable {
  // Safe: `queue` and what belongs to it is touched only with `condition` locked; the rest only
  // on the thread.

  /// What is to be stored.
  enum Job {
    case append(SQLiteSourceLog, SourceEntry, at: Int, CommitReceipt)
    case remove(SQLiteSourceLog, CommitReceipt)

    /// What it takes of the queue's bound.
    var bytes: Int {
      if case .append(_, let entry, _, _) = self { entry.bytes.count } else { 0 }
    }

    var receipt: CommitReceipt {
      switch self {
      case .append(_, _, _, let receipt), .remove(_, let receipt): receipt
      }
    }
  }

  /// Entries that may wait: above it, appends are refused at once.
  private static let maxWaiting = 20_000
  /// Bytes that may wait, besides those of the first entry.
  private static let maxWaitingBytes = 128 << 20
  /// What one transaction takes at most, so that nobody waits for the flush of a great many.
  private static let maxBatch = 2048
  private static let maxBatchBytes = 16 << 20
  /// The longest that a batch waits for those who were in the last one, as a part of what that took. Writers that
  /// have just been answered come again within microseconds: without this, the first of them gets a flush of its
  /// own and the others wait for it, so that every other transaction is nearly empty.
  private static let gatheringPart = 8
  private static let longestGathering = Duration.milliseconds(1)
  /// Transactions between two slices of chores where appends never cease.
  private static let batchesPerChore = 64

  private let makeWriter: @Sendable () throws(SQLiteError) -> Writer
  private let condition = NSCondition()
  private var queue: [Job] = []
  private var waitingBytes = 0
  private var isClosing = false
  private var hasEnded = false
  private var hasFailed = false
  /// The number of waiting jobs at which the thread is to be woken.
  private var wanted = 1
  private var writer: Writer?
  private var chores = ChoreState.done
  private var lastCount = 0
  private var lastDuration = Duration.zero

  /// A committer whose thread runs until `close()`. A writer that fails is made anew.
  init(_ first: sending Writer, makeWriter: @escaping @Sendable () throws(SQLiteError) -> Writer) {
    writer = first
    self.makeWriter = makeWriter
    let thread = Thread { [self] in run() }
    thread.name = "committer"
    thread.start()
  }

  /// Takes a job. False where as much waits as may, or the committer is closing.
  func enqueue(_ job: Job) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard !isClosing, queue.count < Self.maxWaiting, waitingBytes < Self.maxWaitingBytes else { return false }
    queue.append(job)
    waitingBytes += job.bytes
    if queue.count == wanted { condition.signal() }
    return true
  }

  /// Whether the last transaction was committed.
  var isAvailable: Bool {
    condition.lock()
    defer { condition.unlock() }
    return !hasFailed
  }

  private func note(hasFailed: Bool) {
    condition.lock()
    defer { condition.unlock() }
    self.hasFailed = hasFailed
  }

  /// Stores what waits, takes no more, and closes the database. Blocks until that is done.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosing = true
    condition.broadcast()
    while !hasEnded { condition.wait() }
  }

  // MARK: - Thread

  /// What is done about chores.
  private enum ChoreState {
    /// They are done when nothing waits.
    case done
    /// There was no room for them.
    case waiting
    /// They failed: until the next start, so that they keep nobody from storing.
    case left
  }

  private enum Work {
    case batch([Job])
    case chores
    case end
  }

  private func run() {
    var batches = 0
    while true {
      switch next() {
      case .batch(let batch):
        lastCount = batch.count
        lastDuration = ContinuousClock().measure { store(batch[...]) }
        batches += 1
        if batches.isMultiple(of: Self.batchesPerChore) { doChores() }
      case .chores: doChores()
      case .end:
        writer = nil
        condition.lock()
        hasEnded = true
        condition.broadcast()
        condition.unlock()
        return
      }
    }
  }

  private func next() -> Work {
    condition.lock()
    defer { condition.unlock() }
    wanted = 1
    while queue.isEmpty {
      if isClosing { return .end }
      if chores == .done, writer?.hasChores == true { return .chores }
      condition.wait()
    }
    gather()
    var count = 0
    var bytes = 0
    while count < min(queue.count, Self.maxBatch), bytes < Self.maxBatchBytes {
      bytes += queue[count].bytes
      count += 1
    }
    waitingBytes -= bytes
    if count == queue.count {
      defer { queue = [] }
      return .batch(queue)
    }
    defer { queue.removeFirst(count) }
    return .batch(Array(queue[..<count]))
  }

  /// Waits a little for as many jobs as the last batch had.
  private func gather() {
    guard queue.count < lastCount, !isClosing else { return }
    wanted = lastCount
    let longest = min(lastDuration / Self.gatheringPart, Self.longestGathering)
    let end = Date(timeIntervalSinceNow: longest / .seconds(1))
    while queue.count < wanted, !isClosing, condition.wait(until: end) {}
  }

  /// Stores all of a batch in one transaction. Where there is no room for all of it, each is tried by itself, so
  /// that one large entry does not take the others with it.
  private func store(_ batch: ArraySlice<Job>) {
    do throws(SQLiteError) {
      let writer = try readyWriter()
      let outcomes = try writer.store(batch)
      note(hasFailed: false)
      for (job, outcome) in zip(batch, outcomes) { job.receipt.settle(outcome) }
      if chores == .waiting {
        chores = .done
        writer.hasChores = true
      }
    } catch {
      if case .full = error {
        guard batch.count == 1 else {
          for index in batch.indices { store(batch[index...index]) }
          return
        }
      } else {
        // What the connection thinks of the file may be wrong.
        writer = nil
      }
      note(hasFailed: true)
      for job in batch { job.receipt.settle(.refused) }
    }
  }

  private func readyWriter() throws(SQLiteError) -> Writer {
    if let writer { return writer }
    let writer = try makeWriter()
    self.writer = writer
    return writer
  }

  private func doChores() {
    guard chores == .done else { return }
    do throws(SQLiteError) {
      try readyWriter().doChores()
    } catch {
      if case .full = error {
        // Until something has been stored again.
        writer?.hasChores = false
        chores = .waiting
      } else {
        chores = .left
        writer = nil
      }
    }
  }
}
