import BlockDiff
import Markup
import StreamStore

/// A stream as the protocol describes it.
struct ModelStream {
  var incarnation: UInt64
  var bytes: [UInt8] = []
  /// The token of each position.
  var tokens: [OffsetToken]
  var isClosed = false
  var producers: [[UInt8]: (epoch: Int, sequence: Int)] = [:]
  var closer: ProducerStamp?
  var sequence: [UInt8]?
  /// The path and the incarnation of the stream that it was forked from, and where.
  var source: (path: String, incarnation: UInt64)?
  var forkOffset = 0
  var isKept = false
  var lifetime = Lifetime.unlimited
  /// When it was last used: at the earliest, and at the latest by what may not have been stored.
  var lastUse: ClosedRange<Int> = 0...0

  init(incarnation: UInt64) {
    self.incarnation = incarnation
    tokens = [OffsetToken(incarnation: incarnation, position: .zero)]
  }

  /// A fork of the stream.
  func fork(_ path: String, at offset: Int, incarnation: UInt64) -> ModelStream {
    var fork = ModelStream(incarnation: incarnation)
    fork.bytes = Array(bytes[..<offset])
    fork.tokens = Array(tokens[...offset])
    fork.source = (path, self.incarnation)
    fork.forkOffset = offset
    fork.lifetime = lifetime
    return fork
  }

  var tail: OffsetToken { tokens[bytes.count] }
  var ownByteCount: Int { bytes.count - forkOffset }

  /// The position that its blocks are at.
  var position: OffsetToken {
    isClosed ? OffsetToken(incarnation: incarnation, position: ByteOffset(bytes.count + 1)) : tail
  }

  /// Whether its time is over; `nil` where that depends on what was stored.
  func isExpired(at now: Int) -> Bool? {
    switch lifetime {
    case .unlimited: return false
    case .until(let end): return now >= end.milliseconds
    case .idle(let seconds):
      if now < lastUse.lowerBound + seconds * 1000 { return false }
      return now >= lastUse.upperBound + seconds * 1000 ? true : nil
    }
  }

  mutating func write(_ new: [UInt8]) {
    bytes += new
    while tokens.count <= bytes.count {
      tokens.append(OffsetToken(incarnation: incarnation, position: ByteOffset(tokens.count)))
    }
  }

  /// What an append has to give: whether it is a duplicate, or the error.
  mutating func append(_ request: AppendRequest) -> Result<Bool, StreamError> {
    if isClosed {
      if let producer = request.producer {
        if producer == closer { return .success(true) }
      } else if request.bytes.isEmpty, request.closes {
        return .success(true)
      }
      return .failure(.closed(tail: tail))
    }
    if request.bytes.isEmpty, !request.closes { return .failure(.emptyAppend) }
    if let stamp = request.producer {
      if let last = producers[stamp.id] {
        if stamp.epoch < last.epoch { return .failure(.staleEpoch(current: last.epoch)) }
        if stamp.epoch > last.epoch {
          if stamp.sequence != 0 { return .failure(.epochStart(received: stamp.sequence)) }
        } else if stamp.sequence <= last.sequence {
          return .success(true)
        } else if stamp.sequence > last.sequence + 1 {
          return .failure(.sequenceGap(expected: last.sequence + 1, received: stamp.sequence))
        }
      } else if stamp.sequence != 0 {
        return .failure(.sequenceGap(expected: 0, received: stamp.sequence))
      }
    }
    if let new = request.sequence, let sequence, !sequence.lexicographicallyPrecedes(new) {
      return .failure(.sequenceRegressed(last: String(decoding: sequence, as: UTF8.self)))
    }
    if let expected = request.expectedOffset, expected != tail {
      return .failure(.expectedOffset(tail: tail))
    }
    write(request.bytes)
    isClosed = request.closes
    if let stamp = request.producer {
      producers[stamp.id] = (stamp.epoch, stamp.sequence)
      if request.closes { closer = stamp }
    }
    if let new = request.sequence { sequence = new }
    return .success(false)
  }
}
