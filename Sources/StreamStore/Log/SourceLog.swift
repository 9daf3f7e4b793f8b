package import BlockDiff

/// The source of one stream as an engine keeps it: its bytes, whether it is closed, and who wrote.
///
/// Used by one stream only. The engine stores entries in the order in which they were given to it.
package protocol SourceLog: AnyObject, Sendable {
  /// Begins to store all that the entry says, or nothing of it, after the first `offset` bytes. Never waits.
  ///
  /// `offset` counts what is on its way, too, and what a fork has of its source. Where an entry fails, those that
  /// were given before its failure was known fail with it, because their offset is not where the source ends. The
  /// first entry of a fork fails where the log that it branches off is gone, or only kept for earlier forks.
  ///
  /// - Returns: what tells once the entry is as durable as the engine promises; `nil` if it already is.
  /// - Throws: where as much is on its way as may be.
  func commit(_ entry: SourceEntry, at offset: Int) throws(SourceLogError) -> CommitReceipt?

  /// The bytes in `range`, all of which have been stored; a fork's source has those before it branched off.
  ///
  /// - Complexity: O(`range.count`).
  func read(_ range: Range<Int>) async throws(SourceLogError) -> [UInt8]

  /// Removes the stream, after what is on its way; where it has forks, keeps what they have of it. With the last
  /// fork, what was kept for it goes, too, all in one piece. Nothing is given to the log after it.
  func remove() async throws(SourceLogError) -> Removal
}

/// What the removal of a stream did.
package enum Removal: Sendable, Equatable {
  /// The stream's forks still have its bytes: it is there, and can be loaded, but is not to be used.
  case kept
  /// The stream is gone, and with it those that were kept only for it.
  case removed(with: [KeptSource])

  /// A stream that had been kept for its forks.
  package struct KeptSource: Sendable, Equatable {
    package var path: StreamPath
    package var incarnation: UInt64
    /// The bytes that it held, without those of the stream that it had been forked from.
    package var byteCount: Int

    package init(path: StreamPath, incarnation: UInt64, byteCount: Int) {
      self.path = path
      self.incarnation = incarnation
      self.byteCount = byteCount
    }
  }
}

/// Keeps the logs of all streams: memory, or a database.
package protocol SourceLogEngine: Sendable {
  /// What was there when the engine was opened.
  var totals: StoredTotals { get }

  /// Whether a stream can be loaded again, so that an idle one need not stay in memory.
  var isLasting: Bool { get }

  /// Whether the last entry that was to be stored could be.
  var isAvailable: Bool { get }

  /// The stream that is stored at a path, if there is one.
  func load(_ path: StreamPath) async throws(SourceLogError) -> StoredStream?

  /// The log of a stream that its first entry creates.
  func makeLog(_ source: NewSource) -> any SourceLog

  /// Paths of stored streams whose time was over at a moment, as far as is stored: a stream in memory may have been
  /// used since. Not those that are kept for their forks.
  func expiredPaths(at moment: Timestamp, limit: Int) async throws(SourceLogError) -> [StreamPath]
}

/// A stream that is to be created.
package struct NewSource: Sendable {
  package var path: StreamPath
  /// Tells the stream from earlier ones of the same path, and is above all of them.
  package var incarnation: UInt64
  /// What `StreamConfiguration.encoded` gives.
  package var configuration: [UInt8]
  package var lifetime: Lifetime
  package var fork: Fork?

  /// Whose first bytes a stream begins with.
  package struct Fork: Sendable {
    /// A log of the same engine, all of whose first `offset` bytes are stored.
    package var source: any SourceLog
    package var offset: Int

    package init(source: any SourceLog, offset: Int) {
      self.source = source
      self.offset = offset
    }
  }

  package init(
    path: StreamPath, incarnation: UInt64, configuration: [UInt8], lifetime: Lifetime = .unlimited,
    fork: Fork? = nil
  ) {
    self.path = path
    self.incarnation = incarnation
    self.configuration = configuration
    self.lifetime = lifetime
    self.fork = fork
  }
}

/// How much an engine holds.
package struct StoredTotals: Sendable, Equatable {
  package var streams = 0
  /// Source bytes.
  package var bytes = 0
  /// The highest incarnation that a stream ever had, also of streams that are gone; 0 where there was none.
  package var lastIncarnation: UInt64 = 0

  package init() {}
}

/// A stream that was loaded.
package struct StoredStream: Sendable {
  package var incarnation: UInt64
  /// What `StreamConfiguration.encoded` gave.
  package var configuration: [UInt8]
  package var state: SourceState
  package var log: any SourceLog
  package var lifetime = Lifetime.unlimited
  /// When it was used last, as far as is stored.
  package var lastUse = Timestamp(milliseconds: 0)
  /// The streams that it was forked from, the oldest first.
  package var ancestors: [Lineage.Ancestor] = []
  /// The path of the stream that it was forked from.
  package var forkedFrom: StreamPath?
  /// How many streams it was forked from, one from the other; more than it has ancestors where some of them have no
  /// bytes of it.
  package var forkDepth = 0
  /// Whether it has been removed and is there only for its forks.
  package var isKept = false

  package init(
    incarnation: UInt64, configuration: [UInt8], state: SourceState, log: any SourceLog
  ) {
    self.incarnation = incarnation
    self.configuration = configuration
    self.state = state
    self.log = log
  }
}

/// What one append stores, all of it or nothing.
package struct SourceEntry: Sendable {
  package var bytes: [UInt8]
  package var closes: Bool
  package var producer: ProducerStamp?
  package var sequence: [UInt8]?
  /// When that was, where a stream's end depends on it. An entry may say nothing else, also of a closed stream.
  package var usedAt: Timestamp?

  package init(
    bytes: [UInt8] = [], closes: Bool = false, producer: ProducerStamp? = nil, sequence: [UInt8]? = nil,
    usedAt: Timestamp? = nil
  ) {
    self.bytes = bytes
    self.closes = closes
    self.producer = producer
    self.sequence = sequence
    self.usedAt = usedAt
  }
}

/// Why a log cannot be used.
package enum SourceLogError: Error, Equatable, Sendable {
  /// The engine does not take it, for now: its queue is full, or its disk is, or fails.
  case unavailable
  /// What is stored is not what was written.
  case damaged
}
