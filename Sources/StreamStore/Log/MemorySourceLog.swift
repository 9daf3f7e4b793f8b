import Foundation

/// A source log in the process's memory, gone when the process ends.
///
/// The bytes lie in segments, so that a growing stream is not copied again and again and wastes at most one
/// segment.
final class MemorySourceLog: SourceLog, @unchecked Sendable {
  // Safe: `segments` is touched only between `lock` and `unlock` of `lock`.

  private static let segmentBytes = 64 << 10

  private let lock = NSLock()
  /// All but the last hold `segmentBytes`.
  private var segments: [[UInt8]] = [[]]

  func commit(_ entry: SourceEntry, at offset: Int) throws(SourceLogError) -> CommitReceipt? {
    lock.lock()
    defer { lock.unlock() }
    var start = 0
    while start < entry.bytes.count {
      if segments[segments.count - 1].count == Self.segmentBytes { segments.append([]) }
      let last = segments.count - 1
      let end = min(entry.bytes.count, start + Self.segmentBytes - segments[last].count)
      segments[last].append(contentsOf: entry.bytes[start..<end])
      start = end
    }
    return nil
  }

  func read(_ range: Range<Int>) async throws(SourceLogError) -> [UInt8] { bytes(in: range) }

  private func bytes(in range: Range<Int>) -> [UInt8] {
    lock.lock()
    defer { lock.unlock() }
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var start = range.lowerBound
    while start < range.upperBound {
      let segment = start / Self.segmentBytes
      let first = start - segment * Self.segmentBytes
      let count = min(Self.segmentBytes - first, range.upperBound - start)
      result.append(contentsOf: segments[segment][first..<first + count])
      start += count
    }
    return result
  }

  func remove() async throws(SourceLogError) {}
}

/// Keeps every source in memory.
package struct MemorySourceLogEngine: SourceLogEngine {
  package init() {}

  package var totals: StoredTotals { StoredTotals() }
  package var isLasting: Bool { false }

  package func load(_ path: StreamPath) async throws(SourceLogError) -> StoredStream? { nil }

  package func makeLog(path: StreamPath, incarnation: UInt64, configuration: [UInt8]) -> any SourceLog {
    MemorySourceLog()
  }
}
