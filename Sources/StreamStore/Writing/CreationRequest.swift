import BlockDiff
package import Markup

/// A stream that is to be there (`PUT`): what it is created with, or must have been created with.
package struct CreationRequest: Sendable {
  /// The first bytes.
  package var bytes: [UInt8] = []
  /// Whether they are the last ones, too.
  package var closes = false
  package var configuration = StreamConfiguration.Request()
  /// The content type of a stream for which the request names none.
  package var defaultContentType = "application/octet-stream"
  /// When the stream ends; `nil` where nothing is said, which a fork takes from its source, and which else is never.
  package var lifetime: Lifetime?
  /// What the stream is forked from.
  package var fork: Fork?

  /// Where a fork begins.
  package struct Fork: Sendable {
    package var source: BlockStream
    /// A position of the source; `nil` for its tail.
    package var offset: ByteOffset?

    package init(source: BlockStream, offset: ByteOffset? = nil) {
      self.source = source
      self.offset = offset
    }
  }

  package init() {}
}

/// What became of a request to create a stream.
package struct Created: Sendable {
  package var stream: BlockStream
  /// Whether it is new, or else was there as it is asked for.
  package var isNew: Bool

  package init(stream: BlockStream, isNew: Bool) {
    self.stream = stream
    self.isNew = isNew
  }
}

extension BlockStream {
  /// Refuses a request to create a stream that is not as this one is. What a fork takes from its source need not be
  /// said again.
  ///
  /// - Parameter source: the path of the stream that the request forks.
  /// - Parameter offset: where; `nil` where the request does not say it.
  package func check(
    _ request: CreationRequest, source: StreamPath?, offset: ByteOffset?
  ) throws(StreamError) {
    guard source == forkedFrom else { throw .streamDiffers(.source) }
    if source != nil, let offset, offset != lineage.begin { throw .streamDiffers(.forkOffset) }
    var asked = request.configuration
    if source == nil { asked.contentType = asked.contentType ?? request.defaultContentType }
    try configuration.check(asked, hasContent: true)
    if request.lifetime ?? (source == nil ? .unlimited : lifetime) != lifetime {
      throw .streamDiffers(.lifetime)
    }
    guard request.closes == status.isFinished else { throw .streamDiffers(.closure) }
  }
}
