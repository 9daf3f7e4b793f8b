import Foundation

@testable import StreamStore

/// A log whose entries are settled by the test, one after the other.
final class HeldLog: SourceLog, @unchecked Sendable {
  // Safe: every `var` is touched only between `lock` and `unlock` of `lock`.
  private let lock = NSLock()
  private var waiting: [(entry: SourceEntry, offset: Int, receipt: CommitReceipt)] = []
  private var stored: [UInt8] = []
  private var isFull = false

  /// The number of entries that wait to be settled.
  var waitingCount: Int { locked { waiting.count } }

  func commit(_ entry: SourceEntry, at offset: Int) throws(SourceLogError) -> CommitReceipt? {
    let receipt = CommitReceipt()
    guard hold(entry, offset, receipt) else { throw .unavailable }
    return receipt
  }

  private func hold(_ entry: SourceEntry, _ offset: Int, _ receipt: CommitReceipt) -> Bool {
    locked {
      if !isFull { waiting.append((entry, offset, receipt)) }
      return !isFull
    }
  }

  func read(_ range: Range<Int>) async throws(SourceLogError) -> [UInt8] { locked { Array(stored[range]) } }

  func remove() async throws(SourceLogError) -> Removal { .removed(with: []) }

  /// Has the log take no more entries, or take them again.
  func setFull(_ isFull: Bool) { locked { self.isFull = isFull } }

  /// Settles the entry that has waited longest: as an engine does, it is refused where its offset is not where the
  /// source ends.
  func settle(_ outcome: CommitReceipt.Outcome) {
    let (receipt, actual) = locked { () -> (CommitReceipt, CommitReceipt.Outcome) in
      let (entry, offset, receipt) = waiting.removeFirst()
      guard outcome == .stored, offset == stored.count else { return (receipt, .refused) }
      stored += entry.bytes
      return (receipt, .stored)
    }
    receipt.settle(actual)
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
}

/// An engine of one held log.
struct HeldEngine: SourceLogEngine {
  let log = HeldLog()
  var totals: StoredTotals { StoredTotals() }
  var isLasting: Bool { false }
  var isAvailable: Bool { true }

  func load(_ path: StreamPath) async throws(SourceLogError) -> StoredStream? { nil }

  func makeLog(_ source: NewSource) -> any SourceLog { log }

  func expiredPaths(at moment: Timestamp, limit: Int) async throws(SourceLogError) -> [StreamPath] { [] }
}
