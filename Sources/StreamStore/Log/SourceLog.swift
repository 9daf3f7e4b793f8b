/// The source of one stream: its bytes, whether it is closed, and who wrote. All that is ever stored.
///
/// Used by one stream only, within its lock.
package protocol SourceLog: AnyObject {
  /// The number of bytes.
  var length: Int { get }
  /// Whether no more can be appended.
  var isClosed: Bool { get }
  /// What is remembered of those who appended.
  var writers: Writers { get }

  /// Appends all that the entry says, or nothing. On return it is as durable as the engine promises.
  func commit(_ entry: SourceEntry) throws(SourceLogError)

  /// The bytes in `range`, which lies within `length`.
  ///
  /// - Complexity: O(`range.count`).
  func read(_ range: Range<Int>) throws(SourceLogError) -> [UInt8]
}

/// Makes the logs of an engine: memory, or a database.
package protocol SourceLogEngine: Sendable {
  /// The log of a stream that is being created. `incarnation` tells it from earlier ones of the same path.
  func makeLog(
    path: StreamPath, incarnation: UInt64, configuration: StreamConfiguration
  ) throws(SourceLogError) -> any SourceLog
}

/// What one append stores, all of it or nothing.
package struct SourceEntry: Sendable {
  package var bytes: [UInt8]
  package var closes: Bool
  package var producer: ProducerStamp?
  package var sequence: [UInt8]?
}

/// Why a log cannot be used.
package enum SourceLogError: Error, Equatable, Sendable {
  /// The engine does not answer, for now.
  case unavailable
}
