import BlockDiff
import Foundation

/// A source log in the process's memory, gone when the process ends.
///
/// The bytes lie in segments, so that a growing stream is not copied again and again and wastes at most one
/// segment. A fork has only its own bytes, and reads the others from the log that it branches off.
final class MemorySourceLog: SourceLog, @unchecked Sendable {
  // Safe: every `var` is touched only between `lock` and `unlock` of its log's `lock`, but for those of `Forks`,
  // which are touched only with the engine's.

  private static let segmentBytes = 64 << 10

  private let lock = NSLock()
  /// All but the last hold `segmentBytes`.
  private var segments: [[UInt8]] = []
  private let source: NewSource
  private let parent: MemorySourceLog?
  private let begin: Int
  /// One lock for all of an engine's logs: what becomes of one depends on others.
  private let forksLock: NSLock
  private var forks = Forks()

  /// What is known of the forks, and whether the log is there for nothing else.
  private struct Forks {
    var count = 0
    var isCreated = false
    var isKept = false
    var isGone = false
    var byteCount = 0
  }

  init(_ source: NewSource, forksLock: NSLock) {
    self.source = source
    self.forksLock = forksLock
    begin = source.fork?.offset ?? 0
    parent = source.fork.map {
      guard let parent = $0.source as? MemorySourceLog else {
        preconditionFailure("a fork is of its source's engine")
      }
      return parent
    }
  }

  func commit(_ entry: SourceEntry, at offset: Int) throws(SourceLogError) -> CommitReceipt? {
    try enter(entry.bytes.count)
    lock.lock()
    defer { lock.unlock() }
    var start = 0
    while start < entry.bytes.count {
      if segments.last?.count ?? Self.segmentBytes == Self.segmentBytes { segments.append([]) }
      let last = segments.count - 1
      let end = min(entry.bytes.count, start + Self.segmentBytes - segments[last].count)
      segments[last].append(contentsOf: entry.bytes[start..<end])
      start = end
    }
    return nil
  }

  /// Counts an entry; the first makes the log a fork of its parent.
  private func enter(_ count: Int) throws(SourceLogError) {
    forksLock.lock()
    defer { forksLock.unlock() }
    if !forks.isCreated, let parent {
      guard !parent.forks.isKept, !parent.forks.isGone else { throw .unavailable }
      parent.forks.count += 1
    }
    forks.isCreated = true
    forks.byteCount += count
  }

  func read(_ range: Range<Int>) async throws(SourceLogError) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    // From the fork to the oldest of its sources, and back.
    var logs: [(log: MemorySourceLog, range: Range<Int>)] = []
    var rest = range
    var next: MemorySourceLog? = self
    while let log = next, !rest.isEmpty {
      let own = max(rest.lowerBound, log.begin)..<max(rest.upperBound, log.begin)
      if !own.isEmpty { logs.append((log, own)) }
      rest = rest.clamped(to: 0..<log.begin)
      next = log.parent
    }
    for (log, range) in logs.reversed() { log.append(range, to: &result) }
    return result
  }

  /// Appends own bytes; `range` counts those of the fork's source, too.
  private func append(_ range: Range<Int>, to result: inout [UInt8]) {
    lock.lock()
    defer { lock.unlock() }
    var start = range.lowerBound - begin
    let end = range.upperBound - begin
    while start < end {
      let segment = start / Self.segmentBytes
      let first = start - segment * Self.segmentBytes
      let count = min(Self.segmentBytes - first, end - start)
      result.append(contentsOf: segments[segment][first..<first + count])
      start += count
    }
  }

  func remove() async throws(SourceLogError) -> Removal { removeNow() }

  private func removeNow() -> Removal {
    forksLock.lock()
    defer { forksLock.unlock() }
    if forks.count > 0 {
      forks.isKept = true
      return .kept
    }
    forks.isGone = true
    var removed: [Removal.KeptSource] = []
    var next = parent
    while let log = next {
      log.forks.count -= 1
      guard log.forks.isKept, log.forks.count == 0 else { break }
      log.forks.isGone = true
      removed.append(
        .init(
          path: log.source.path, incarnation: log.source.incarnation, byteCount: log.forks.byteCount))
      next = log.parent
    }
    return .removed(with: removed)
  }
}

/// Keeps every source in memory.
package struct MemorySourceLogEngine: SourceLogEngine {
  private let forksLock = NSLock()

  package init() {}

  package var totals: StoredTotals { StoredTotals() }
  package var isLasting: Bool { false }
  package var isAvailable: Bool { true }

  package func load(_ path: StreamPath) async throws(SourceLogError) -> StoredStream? { nil }

  package func makeLog(_ source: NewSource) -> any SourceLog {
    MemorySourceLog(source, forksLock: forksLock)
  }

  package func expiredPaths(
    at moment: Timestamp, limit: Int
  ) async throws(SourceLogError) -> [StreamPath] { [] }
}
