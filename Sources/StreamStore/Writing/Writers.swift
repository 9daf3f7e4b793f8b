/// One append of an idempotent producer (Durable Streams 1.0 §5.2.1).
package struct ProducerStamp: Sendable, Equatable {
  /// Never empty.
  package var id: [UInt8]
  /// Raised whenever the producer starts anew.
  package var epoch: Int
  /// Counts the producer's requests within an epoch, from 0.
  package var sequence: Int

  package init(id: [UInt8], epoch: Int, sequence: Int) {
    self.id = id
    self.epoch = epoch
    self.sequence = sequence
  }
}

/// What is remembered of those who append to a stream. It changes together with the source.
package struct Writers: Sendable, Equatable {
  /// The most producers remembered for one stream: each costs memory for as long as the stream lives.
  package static let maxProducers = 10_000

  /// A producer's last append.
  struct Last: Sendable, Equatable {
    var epoch: Int
    var sequence: Int
  }

  private(set) var producers: [[UInt8]: Last] = [:]
  private(set) var sequence: [UInt8]?
  private(set) var closer: ProducerStamp?

  package init() {}

  /// What an engine has stored. `producers` gives the last append of each.
  package init(producers: [ProducerStamp], sequence: [UInt8]?, closer: ProducerStamp?) {
    for stamp in producers {
      self.producers[stamp.id] = Last(epoch: stamp.epoch, sequence: stamp.sequence)
    }
    self.sequence = sequence
    self.closer = closer
  }

  /// What is to be done with an append.
  enum Verdict: Equatable {
    case append
    /// It has been appended before; `last` is the highest sequence number accepted.
    case duplicate(last: Int)
  }

  /// Judges an append of the producer. The protocol's pseudocode, plus: a producer begins with 0.
  func verdict(on stamp: ProducerStamp) throws(StreamError) -> Verdict {
    guard let last = producers[stamp.id] else {
      guard stamp.sequence == 0 else { throw .sequenceGap(expected: 0, received: stamp.sequence) }
      guard producers.count < Self.maxProducers else { throw .tooManyProducers(limit: Self.maxProducers) }
      return .append
    }
    if stamp.epoch < last.epoch { throw .staleEpoch(current: last.epoch) }
    if stamp.epoch > last.epoch {
      guard stamp.sequence == 0 else { throw .epochStart(received: stamp.sequence) }
      return .append
    }
    if stamp.sequence <= last.sequence { return .duplicate(last: last.sequence) }
    guard stamp.sequence == last.sequence + 1 else {
      throw .sequenceGap(expected: last.sequence + 1, received: stamp.sequence)
    }
    return .append
  }

  /// Refuses a `Stream-Seq` that does not rise.
  func check(sequence new: [UInt8]) throws(StreamError) {
    guard let sequence, !sequence.lexicographicallyPrecedes(new) else { return }
    throw .sequenceRegressed(last: String(decoding: sequence, as: UTF8.self))
  }

  /// What has to be known to forget an append again.
  struct Change: Sendable {
    fileprivate var producer: (id: [UInt8], last: Last?)?
    fileprivate var sequence: [UInt8]?
    fileprivate var closer: ProducerStamp?
  }

  /// Remembers an append that was accepted.
  @discardableResult
  mutating func record(_ entry: SourceEntry) -> Change {
    var change = Change(sequence: sequence, closer: closer)
    if let stamp = entry.producer {
      let last = producers.updateValue(
        Last(epoch: stamp.epoch, sequence: stamp.sequence), forKey: stamp.id)
      change.producer = (stamp.id, last)
      if entry.closes { closer = stamp }
    }
    if let sequence = entry.sequence { self.sequence = sequence }
    return change
  }

  /// Forgets the last append that was remembered and has not been forgotten.
  mutating func takeBack(_ change: Change) {
    if let (id, last) = change.producer { producers[id] = last }
    sequence = change.sequence
    closer = change.closer
  }
}
