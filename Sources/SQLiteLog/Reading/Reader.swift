import StreamStore

/// A connection that only reads. Used on one of the readers' threads.
final class Reader {
  /// A stream as it is stored.
  struct Found: Sendable {
    var incarnation: Int
    var path: [UInt8]
    var configurationRow: Int
    var configuration: [UInt8] = []
    var row: SourceRow
    var producers: [ProducerStamp] = []
  }

  private let begin, end: Statement
  private let findStream, findIncarnation, findBefore, findAfter, countStreams: Statement
  private let findConfiguration, findProducers, findChunks: Statement

  init(path: String) throws(SQLiteError) {
    let connection = try Connection(path: path)
    try connection.run(
      "PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -4096;"
    )
    begin = try connection.prepare("BEGIN")
    end = try connection.prepare("COMMIT")
    let columns = """
      incarnation, path, configuration, length, is_closed, sequence, closer_id, closer_epoch, closer_sequence,
      checksum
      """
    findStream = try connection.prepare("SELECT \(columns) FROM streams WHERE path = ?1")
    findIncarnation = try connection.prepare("SELECT \(columns) FROM streams WHERE incarnation = ?1")
    // Both are answered from the index of paths alone.
    findBefore = try connection.prepare(
      "SELECT incarnation, path FROM streams WHERE path < ?1 ORDER BY path DESC LIMIT 1")
    findAfter = try connection.prepare(
      "SELECT incarnation, path FROM streams WHERE path > ?1 ORDER BY path LIMIT 1")
    countStreams = try connection.prepare("SELECT streams FROM store WHERE id = 1")
    findConfiguration = try connection.prepare("SELECT json FROM configurations WHERE id = ?1")
    findProducers = try connection.prepare(
      "SELECT id, epoch, sequence, checksum FROM producers WHERE stream = ?1")
    findChunks = try connection.prepare(
      """
      SELECT start, checksum, bytes FROM chunks WHERE stream = ?1 AND start < ?3 AND start >=
        (SELECT max(start) FROM chunks WHERE stream = ?1 AND start <= ?2) ORDER BY start
      """)
  }

  /// The stream at a path, all of it from one state of the database.
  func find(_ path: [UInt8]) throws(SQLiteError) -> Found? {
    try begin.run()
    // A transaction that only reads has nothing that its end could lose.
    defer { try? end.run() }
    guard var found = try stream(findStream, .bytes(path)) else {
      try confirmAbsence(of: path)
      return nil
    }
    guard found.path == path else { throw .damagedRow }
    found.configuration = try configuration(found.configurationRow)
    found.producers = try producers(of: found.incarnation)
    return found
  }

  private func stream(_ statement: Statement, _ key: Statement.Value) throws(SQLiteError) -> Found? {
    defer { statement.reset() }
    try statement.query(key)
    guard try statement.step() else { return nil }
    var row = SourceRow()
    row.length = statement.integer(3)
    row.isClosed = statement.integer(4) != 0
    if !statement.isNull(5) { row.sequence = statement.bytes(5) }
    if !statement.isNull(6) {
      row.closer = ProducerStamp(
        id: statement.bytes(6), epoch: statement.integer(7), sequence: statement.integer(8))
    }
    let (incarnation, path, configuration) = (
      statement.integer(0), statement.bytes(1), statement.integer(2)
    )
    let checksum = row.checksum(incarnation: incarnation, path: path, configuration: configuration)
    guard incarnation > 0, row.length >= 0, checksum == statement.integer(9) else { throw .damagedRow }
    return Found(incarnation: incarnation, path: path, configurationRow: configuration, row: row)
  }

  /// Makes sure that a path is not missing only because the page of the index where it belongs is not what was
  /// written: its neighbours there have to be paths of streams.
  private func confirmAbsence(of path: [UInt8]) throws(SQLiteError) {
    let hasBefore = try confirmNeighbour(findBefore, path)
    let hasAfter = try confirmNeighbour(findAfter, path)
    if hasBefore || hasAfter { return }
    defer { countStreams.reset() }
    try countStreams.query()
    guard try countStreams.step(), countStreams.integer(0) == 0 else { throw .damagedRow }
  }

  private func confirmNeighbour(_ statement: Statement, _ path: [UInt8]) throws(SQLiteError) -> Bool {
    defer { statement.reset() }
    try statement.query(.bytes(path))
    guard try statement.step() else { return false }
    let found = try stream(findIncarnation, .integer(statement.integer(0)))
    guard found?.path == statement.bytes(1) else { throw .damagedRow }
    return true
  }

  private func configuration(_ number: Int) throws(SQLiteError) -> [UInt8] {
    defer { findConfiguration.reset() }
    try findConfiguration.query(.integer(number))
    guard try findConfiguration.step() else { throw .damagedRow }
    return findConfiguration.bytes(0)
  }

  private func producers(of stream: Int) throws(SQLiteError) -> [ProducerStamp] {
    defer { findProducers.reset() }
    try findProducers.query(.integer(stream))
    var producers: [ProducerStamp] = []
    while try findProducers.step() {
      let stamp = ProducerStamp(
        id: findProducers.bytes(0), epoch: findProducers.integer(1), sequence: findProducers.integer(2))
      guard SourceRow.checksum(ofProducer: stamp, stream: stream) == findProducers.integer(3) else {
        throw .damagedRow
      }
      producers.append(stamp)
    }
    return producers
  }

  /// A range of a stream's source, which is not empty.
  ///
  /// - Throws: `.damagedRow` where a piece is missing or is not what was written.
  func read(_ range: Range<Int>, ofStream stream: Int) throws(SQLiteError) -> [UInt8] {
    defer { findChunks.reset() }
    try findChunks.query(.integer(stream), .integer(range.lowerBound), .integer(range.upperBound))
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var position: Int?
    while try findChunks.step() {
      let start = findChunks.integer(0)
      let piece = findChunks.bytes(2)
      guard !piece.isEmpty, start == position ?? start,
        findChunks.integer(1) == Checksum.of(stream: stream, start: start, bytes: piece)
      else { throw .damagedRow }
      position = start + piece.count
      let wanted = range.clamped(to: start..<start + piece.count)
      result += piece[wanted.lowerBound - start..<wanted.upperBound - start]
    }
    guard result.count == range.count else { throw .damagedRow }
    return result
  }
}
