import Foundation
import Synchronization

/// The memory that the blocks of all streams take together, and what is dropped where that is too much: the blocks
/// that were used longest ago, also of streams with readers. They are read from the source again when needed.
final class ParsedMemory: @unchecked Sendable {
  // Safe: `streams` is touched only between `lock` and `unlock` of `lock`; the rest are atomics.

  /// What blocks take beside those of a long source, and how many times a long source's bytes they take: measured
  /// (MemoryTests: up to three times the source, less on prose).
  private static let fixedCost = 4 << 10
  private static let costOfByte = 3
  /// Sources are counted in units of so many bytes, so that few appends change the sum, which all threads share.
  private static let unit = 4 << 10

  private let limit: Int
  private let total = Atomic<Int>(0)
  private let numbers = Atomic<Int>(0)
  private let isTrimming = Atomic<Bool>(false)
  private let lock = NSLock()
  /// The streams that have blocks. Whoever forgets a stream drops its blocks before.
  private var streams: [ObjectIdentifier: Entry] = [:]

  private struct Entry {
    weak var stream: BlockStream?
  }

  init(limit: Int) { self.limit = limit }

  /// What the blocks of a source of so many bytes count for.
  static func cost(ofSource byteCount: Int) -> Int {
    fixedCost + costOfByte * ((byteCount + unit - 1) / unit * unit)
  }

  /// What all blocks count for.
  var bytes: Int { total.load(ordering: .relaxed) }

  var isOver: Bool { bytes > limit }

  /// The number of a use: higher ones are later.
  func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

  /// Changes what a stream's blocks count for; 0 stands for none. Called within the stream's lock.
  func change(_ stream: BlockStream, from old: Int, to new: Int) {
    total.add(new - old, ordering: .relaxed)
    guard (old == 0) != (new == 0) else { return }
    lock.lock()
    defer { lock.unlock() }
    streams[ObjectIdentifier(stream)] = new == 0 ? nil : Entry(stream: stream)
  }

  /// Takes off what a stream counted for that is gone.
  func release(_ cost: Int, of stream: ObjectIdentifier) {
    guard cost > 0 else { return }
    total.subtract(cost, ordering: .relaxed)
    lock.lock()
    defer { lock.unlock() }
    streams[stream] = nil
  }

  /// Drops the blocks that were used longest ago until an eighth of the limit is free again, so that this is done
  /// seldom. Those of `stream`, which has just used them, stay.
  ///
  /// - Complexity: O(streams with blocks · log of their number).
  func trim(keeping stream: BlockStream) {
    guard !isTrimming.exchange(true, ordering: .acquiring) else { return }
    defer { isTrimming.store(false, ordering: .releasing) }
    let byAge = present().map { ($0, $0.lastUseNumber) }.sorted { $0.1 < $1.1 }
    for (other, _) in byAge where other !== stream {
      guard bytes > limit - limit / 8 else { return }
      _ = other.dropParsed()
    }
  }

  private func present() -> [BlockStream] {
    lock.lock()
    defer { lock.unlock() }
    streams = streams.filter { $0.value.stream != nil }
    return streams.values.compactMap(\.stream)
  }
}
