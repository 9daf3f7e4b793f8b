package import BlockDiff
import Markup

/// Bytes to append, and under which conditions.
package struct AppendRequest: Sendable {
  /// The bytes; empty only where the stream is finished.
  package var bytes: [UInt8]
  /// Whether the stream is finished with them.
  package var closes: Bool
  /// Where the source must end (`Stream-Expected-Offset`).
  package var expectedOffset: OffsetToken?
  /// Which append of which producer this is (`Producer-Id`, `Producer-Epoch`, `Producer-Seq`).
  package var producer: ProducerStamp?
  /// The writer's own sequence (`Stream-Seq`), compared as bytes; it must rise. Its scope is the stream.
  package var sequence: [UInt8]?
  /// What the stream is created with, or must have been created with.
  package var configuration: StreamConfiguration.Request
  /// What the diff in the answer shows of inline content.
  package var inline = InlineOutput.none

  package init(
    bytes: [UInt8] = [], closes: Bool = false, expectedOffset: OffsetToken? = nil,
    producer: ProducerStamp? = nil, sequence: [UInt8]? = nil,
    configuration: StreamConfiguration.Request = .init()
  ) {
    self.bytes = bytes
    self.closes = closes
    self.expectedOffset = expectedOffset
    self.producer = producer
    self.sequence = sequence
    self.configuration = configuration
  }
}

/// What an append did.
package struct Appended: Sendable {
  /// The diff as JSON: from the state before to the state after. Of a duplicate, one without ops.
  package var diff: [UInt8]
  /// Where the stream stands now.
  package var status: StreamStatus
  /// Whether the producer had sent this before, so that nothing was appended.
  package var isDuplicate = false
  /// The highest sequence number accepted of the producer's epoch, where it named itself.
  package var producer: ProducerStamp?
}

/// Where a stream stands.
package struct StreamStatus: Sendable, Equatable {
  /// The end of the source.
  package var tail: OffsetToken
  package var isFinished: Bool

  /// The position of the blocks view: one after the tail once the stream is finished.
  package var position: OffsetToken {
    var result = tail
    if isFinished { result.position.value += 1 }
    return result
  }
}
