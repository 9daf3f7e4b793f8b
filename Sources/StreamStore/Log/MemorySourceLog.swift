/// A source log in the process's memory, gone when the process ends.
///
/// The bytes lie in segments, so that a growing stream is not copied again and again and wastes at most one
/// segment.
final class MemorySourceLog: SourceLog {
  private static let segmentBytes = 64 << 10

  /// All but the last hold `segmentBytes`.
  private var segments: [[UInt8]] = [[]]
  private(set) var length = 0
  private(set) var isClosed = false
  private(set) var writers = Writers()

  func commit(_ entry: SourceEntry) throws(SourceLogError) {
    var start = 0
    while start < entry.bytes.count {
      if segments[segments.count - 1].count == Self.segmentBytes { segments.append([]) }
      let last = segments.count - 1
      let end = min(entry.bytes.count, start + Self.segmentBytes - segments[last].count)
      segments[last].append(contentsOf: entry.bytes[start..<end])
      start = end
    }
    length += entry.bytes.count
    if entry.closes { isClosed = true }
    if entry.producer != nil || entry.sequence != nil { writers.record(entry) }
  }

  func read(_ range: Range<Int>) throws(SourceLogError) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= length, "a range lies within the log")
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
}

/// Keeps every source in memory.
package struct MemorySourceLogEngine: SourceLogEngine {
  package init() {}

  package func makeLog(
    path: StreamPath, incarnation: UInt64, configuration: StreamConfiguration
  ) throws(SourceLogError) -> any SourceLog {
    MemorySourceLog()
  }
}
