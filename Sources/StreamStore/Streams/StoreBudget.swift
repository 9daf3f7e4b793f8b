import Synchronization

/// What all streams of a store share: how many bytes they hold, what their blocks take, and the time.
final class StoreBudget: Sendable {
  let maxStreamBytes: Int
  /// The blocks in memory.
  let parsed: ParsedMemory
  private let clock: @Sendable () -> Timestamp
  private let maxTotalBytes: Int
  private let total: Atomic<Int>
  private let sweeps = Atomic<Int>(0)

  init(_ options: StreamStore.Options, totalBytes: Int) {
    total = Atomic(totalBytes)
    maxStreamBytes = options.maxStreamBytes
    maxTotalBytes = options.maxTotalBytes
    parsed = ParsedMemory(limit: options.maxParsedBytes)
    clock = options.clock
  }

  /// The wall clock.
  var now: Timestamp { clock() }

  /// The source bytes that all streams hold.
  var totalBytes: Int { total.load(ordering: .relaxed) }

  /// Counts bytes that are about to be stored.
  func reserve(_ count: Int) throws(StreamError) {
    let sum = total.add(count, ordering: .relaxed).newValue
    guard sum <= maxTotalBytes else {
      release(count)
      throw .storeFull(limit: maxTotalBytes)
    }
  }

  func release(_ count: Int) {
    total.subtract(count, ordering: .relaxed)
  }

  /// How often the store was swept: the time by which idleness is measured.
  var tick: Int { sweeps.load(ordering: .relaxed) }

  func nextTick() -> Int { sweeps.add(1, ordering: .relaxed).newValue }
}
