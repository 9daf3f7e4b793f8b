package import BlockDiff

/// Why a request on a stream is refused. A refused append changes nothing.
package enum StreamError: Error, Equatable, Sendable {
  // MARK: What there is

  /// There is no stream at the path, and the request may not create one.
  case noStream(path: String)
  /// The stream has been deleted, and what its forks have of it is kept.
  case deleted(path: String)
  /// The stream has no block with the ID.
  case noBlock(id: String)
  /// The token is of another stream that had this path, or of a position that this one has not reached.
  /// `current` is the position that a reader can go on from.
  case offsetGone(current: OffsetToken)

  /// The stream's source is read into no blocks.
  case notMarkup(type: String)

  // MARK: Appends

  /// The stream is finished; its source ends at `tail`.
  case closed(tail: OffsetToken)
  /// There are no bytes, and the request does not finish the stream.
  case emptyAppend
  /// The stream was created with another content type.
  case contentTypeDiffers(existing: String, requested: String)
  /// The stream was created with another value of the field.
  case configurationDiffers(field: ConfigurationField, existing: String, requested: String)
  /// A component that is to be open from the start is none in the stream's dialect.
  case unknownComponent(name: String, dialect: String)
  /// Front matter and components that are open from the start do not go together.
  case openWithFrontMatter
  /// The source's end is not where the request expects it.
  case expectedOffset(tail: OffsetToken)
  /// A newer epoch of the producer has written.
  case staleEpoch(current: Int)
  /// A producer's new epoch begins with a sequence number other than 0.
  case epochStart(received: Int)
  /// The producer left sequence numbers out.
  case sequenceGap(expected: Int, received: Int)
  /// `Stream-Seq` is not above that of the last append.
  case sequenceRegressed(last: String)

  // MARK: Creation

  /// The path is that of a deleted stream whose forks are still there.
  case pathInUse(path: String)
  /// There is a stream at the path, and it is not as the request asks.
  case streamDiffers(ConfigurationDifference)
  /// The stream that is to be forked is deleted, and there only for the forks that it has.
  case forkOfDeleted(path: String)
  /// The fork would begin where its source does not reach.
  case forkBeyondTail(tail: OffsetToken)
  /// A stream would be a fork of a fork of a fork, and so on, more than `limit` times.
  case forkTooDeep(limit: Int)

  // MARK: Limits

  /// The stream would hold more than `limit` bytes.
  case streamFull(limit: Int)
  /// All streams together would hold more than `limit` bytes.
  case storeFull(limit: Int)
  /// There are as many streams as there may be.
  case tooManyStreams(limit: Int)
  /// As many producers as there may be have written to the stream.
  case tooManyProducers(limit: Int)
  /// The source log cannot be read or written, for now.
  case storageUnavailable
  /// What the source log holds of the stream is not what was written.
  case storageDamaged
}

/// In what a stream is not as a request to create it asks.
package enum ConfigurationDifference: String, Equatable, Sendable {
  case lifetime, closure, source, forkOffset
}

/// What a stream is created with, besides its content type.
package enum ConfigurationField: String, Equatable, Sendable {
  case dialect, open, frontMatter
}
