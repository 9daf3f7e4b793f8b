/// The source of one stream as an engine keeps it: its bytes, whether it is closed, and who wrote.
///
/// Used by one stream only. The engine stores entries in the order in which they were given to it.
package protocol SourceLog: AnyObject, Sendable {
  /// Begins to store all that the entry says, or nothing of it, after the first `offset` bytes. Never waits.
  ///
  /// `offset` counts what is on its way, too. Where an entry fails, those that were given before its failure was
  /// known fail with it, because their offset is not where the source ends.
  ///
  /// - Returns: what tells once the entry is as durable as the engine promises; `nil` if it already is.
  /// - Throws: where as much is on its way as may be.
  func commit(_ entry: SourceEntry, at offset: Int) throws(SourceLogError) -> CommitReceipt?

  /// The bytes in `range`, all of which have been stored.
  ///
  /// - Complexity: O(`range.count`).
  func read(_ range: Range<Int>) async throws(SourceLogError) -> [UInt8]

  /// Removes the stream, after what is on its way. Nothing is given to the log after it.
  func remove() async throws(SourceLogError)
}

/// Keeps the logs of all streams: memory, or a database.
package protocol SourceLogEngine: Sendable {
  /// What was there when the engine was opened.
  var totals: StoredTotals { get }

  /// Whether a stream can be loaded again, so that an idle one need not stay in memory.
  var isLasting: Bool { get }

  /// The stream that is stored at a path, if there is one.
  func load(_ path: StreamPath) async throws(SourceLogError) -> StoredStream?

  /// The log of a stream that its first entry creates. `incarnation` tells it from earlier ones of the same path
  /// and is above all of them.
  ///
  /// - Parameter configuration: what `StreamConfiguration.encoded` gives.
  func makeLog(path: StreamPath, incarnation: UInt64, configuration: [UInt8]) -> any SourceLog
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

  package init(
    bytes: [UInt8] = [], closes: Bool = false, producer: ProducerStamp? = nil, sequence: [UInt8]? = nil
  ) {
    self.bytes = bytes
    self.closes = closes
    self.producer = producer
    self.sequence = sequence
  }
}

/// Why a log cannot be used.
package enum SourceLogError: Error, Equatable, Sendable {
  /// The engine does not take it, for now: its queue is full, or its disk is, or fails.
  case unavailable
  /// What is stored is not what was written.
  case damaged
}
