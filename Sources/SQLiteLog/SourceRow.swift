import StreamStore

/// A stream's row: where its source stands, without its producers.
struct SourceRow {
  /// The number of bytes, those of the stream that it was forked from included.
  var length = 0
  var isClosed = false
  var sequence: [UInt8]?
  var closer: ProducerStamp?
  /// The incarnation of the stream that it was forked from.
  var parent: Int?
  /// Where it was forked: its own pieces begin there.
  var begin = 0
  /// Whether it has been removed and is there only for its forks.
  var isKept = false
  var lifetime = Lifetime.unlimited
  var usedAt: Timestamp?

  /// The row of a stream of which nothing is stored.
  init(_ lifetime: Lifetime = .unlimited, parent: Int? = nil, begin: Int = 0) {
    self.lifetime = lifetime
    self.parent = parent
    self.begin = begin
    length = begin
  }

  /// The bytes that are the stream's own.
  var ownBytes: Int { length - begin }

  /// Goes on to where the source stands with the entry.
  mutating func accept(_ entry: SourceEntry) {
    length += entry.bytes.count
    if let sequence = entry.sequence { self.sequence = sequence }
    if let moment = entry.usedAt { usedAt = moment }
    guard entry.closes else { return }
    isClosed = true
    if let producer = entry.producer { closer = producer }
  }

  /// The moment at which the stream's time is over for certain: what was not stored of its use counted, too. `nil`
  /// for never, and where it is kept all the same.
  var deadline: Int? {
    guard !isKept, let end = lifetime.end(afterUse: usedAt ?? .distantPast) else { return nil }
    return end.milliseconds + lifetime.untoldMilliseconds
  }

  /// The row's checksum, over all of its columns.
  func checksum(incarnation: Int, path: [UInt8], configuration: Int) -> Int {
    var checksum = Checksum()
    checksum.add(incarnation)
    checksum.add(path)
    checksum.add(configuration)
    checksum.add(length)
    checksum.add(isClosed ? 1 : 0)
    checksum.add(sequence)
    checksum.add(closer?.id)
    checksum.add(closer?.epoch)
    checksum.add(closer?.sequence)
    // Rows of the schema's first version have none of these, and no place for them in their checksums.
    if parent != nil || begin != 0 || isKept || lifetime != .unlimited || usedAt != nil {
      checksum.add(parent)
      checksum.add(begin)
      checksum.add(isKept ? 1 : 0)
      checksum.add(idleSeconds)
      checksum.add(expiresAt)
      checksum.add(usedAt?.milliseconds)
    }
    return checksum.value
  }

  /// The checksum of a producer's row.
  static func checksum(ofProducer stamp: ProducerStamp, stream: Int) -> Int {
    var checksum = Checksum()
    checksum.add(stream)
    checksum.add(stamp.id)
    checksum.add(stamp.epoch)
    checksum.add(stamp.sequence)
    return checksum.value
  }
}

// MARK: - Columns

extension SourceRow {
  /// The columns of a stream's row that `init(_:)` reads, in its order; after them come those of `values`.
  static let columns = """
    incarnation, path, configuration, checksum, length, is_closed, sequence, closer_id, closer_epoch,
    closer_sequence, parent, begin, is_kept, idle_seconds, expires_at, used_at, deadline
    """

  var idleSeconds: Int? { if case .idle(let seconds) = lifetime { seconds } else { nil } }
  var expiresAt: Int? { if case .until(let end) = lifetime { end.milliseconds } else { nil } }

  /// The values of the columns from `length` on.
  var values: [Statement.Value] {
    [
      .integer(length), .integer(isClosed ? 1 : 0), .bytesOrNull(sequence), .bytesOrNull(closer?.id),
      .integerOrNull(closer?.epoch), .integerOrNull(closer?.sequence), .integerOrNull(parent),
      .integer(begin), .integer(isKept ? 1 : 0), .integerOrNull(idleSeconds), .integerOrNull(expiresAt),
      .integerOrNull(usedAt?.milliseconds), .integerOrNull(deadline),
    ]
  }

  /// Reads the columns from `length` on of a statement's current row.
  init(_ statement: Statement) {
    length = statement.integer(4)
    isClosed = statement.integer(5) != 0
    if !statement.isNull(6) { sequence = statement.bytes(6) }
    if !statement.isNull(7) {
      closer = ProducerStamp(
        id: statement.bytes(7), epoch: statement.integer(8), sequence: statement.integer(9))
    }
    if !statement.isNull(10) { parent = statement.integer(10) }
    begin = statement.integer(11)
    isKept = statement.integer(12) != 0
    if !statement.isNull(13) { lifetime = .idle(seconds: statement.integer(13)) }
    if !statement.isNull(14) { lifetime = .until(Timestamp(milliseconds: statement.integer(14))) }
    if !statement.isNull(15) { usedAt = Timestamp(milliseconds: statement.integer(15)) }
  }
}

/// A stream's row with what tells it from others, checked.
struct FoundRow: Sendable {
  var incarnation: Int
  var path: [UInt8]
  /// The row of its configuration.
  var configuration: Int
  var row: SourceRow

  /// Reads the current row of a statement that gives `SourceRow.columns`.
  init(_ statement: Statement) throws(SQLiteError) {
    incarnation = statement.integer(0)
    path = statement.bytes(1)
    configuration = statement.integer(2)
    row = SourceRow(statement)
    let checksum = row.checksum(incarnation: incarnation, path: path, configuration: configuration)
    guard incarnation > 0, row.begin >= 0, row.length >= row.begin, row.parent ?? 0 < incarnation,
      checksum == statement.integer(3)
    else { throw .damagedRow }
  }
}

/// What is left to do about a stream's rows when nothing else is to be done.
enum ChoreKind: Int {
  /// The stream is closed: many small pieces become few large ones.
  case compact = 1
  /// The stream is gone: so are its pieces and producers.
  case remove = 2
}
