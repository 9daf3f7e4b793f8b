import StreamStore

/// A connection that only reads. Used on one of the readers' threads.
final class Reader {
  /// A stream as it is stored.
  struct Found: Sendable {
    var row: FoundRow
    var configuration: [UInt8] = []
    var producers: [ProducerStamp] = []
    /// The streams that it was forked from, the nearest first.
    var sources: [FoundRow] = []
  }

  /// The most streams that one was forked from which can be so; more are damage, such as a ring.
  private static let maxSources = 1000

  private let begin, end: Statement
  private let findStream, findIncarnation, findBefore, findAfter, countStreams: Statement
  private let findConfiguration, findProducers, findChunks, findExpired: Statement

  init(path: String) throws(SQLiteError) {
    let connection = try Connection(path: path)
    try connection.run(
      "PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -4096;"
    )
    begin = try connection.prepare("BEGIN")
    end = try connection.prepare("COMMIT")
    let columns = SourceRow.columns
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
    findExpired = try connection.prepare(
      "SELECT path FROM streams WHERE deadline <= ?1 ORDER BY deadline LIMIT ?2")
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
    guard found.row.path == path else { throw .damagedRow }
    found.configuration = try configuration(found.row.configuration)
    found.producers = try producers(of: found.row.incarnation)
    var child = found.row.row
    while let parent = child.parent {
      // A fork's source is there as long as the fork is.
      guard found.sources.count < Self.maxSources, let source = try row(findIncarnation, .integer(parent)),
        source.row.length >= child.begin
      else { throw .damagedRow }
      found.sources.append(source)
      child = source.row
    }
    return found
  }

  private func stream(_ statement: Statement, _ key: Statement.Value) throws(SQLiteError) -> Found? {
    try row(statement, key).map { Found(row: $0) }
  }

  private func row(_ statement: Statement, _ key: Statement.Value) throws(SQLiteError) -> FoundRow? {
    defer { statement.reset() }
    try statement.query(key)
    guard try statement.step() else { return nil }
    return try FoundRow(statement)
  }

  /// The paths of streams whose time was over at a moment.
  func expiredPaths(at moment: Int, limit: Int) throws(SQLiteError) -> [[UInt8]] {
    defer { findExpired.reset() }
    try findExpired.query(.integer(moment), .integer(limit))
    var paths: [[UInt8]] = []
    while try findExpired.step() { paths.append(findExpired.bytes(0)) }
    return paths
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
    let found = try row(findIncarnation, .integer(statement.integer(0)))
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

  /// A range of a stream's source; each part of it is of one of `streams`.
  ///
  /// - Throws: `.damagedRow` where a piece is missing or is not what was written.
  func read(_ range: Range<Int>, of streams: [SourcePart]) throws(SQLiteError) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    for part in streams {
      let wanted = range.clamped(to: part.range)
      if !wanted.isEmpty { try read(wanted, ofStream: part.stream, to: &result) }
    }
    guard result.count == range.count else { throw .damagedRow }
    return result
  }

  private func read(
    _ range: Range<Int>, ofStream stream: Int, to result: inout [UInt8]
  ) throws(SQLiteError) {
    defer { findChunks.reset() }
    try findChunks.query(.integer(stream), .integer(range.lowerBound), .integer(range.upperBound))
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
  }
}

/// A part of a source, and whose pieces hold it.
struct SourcePart: Sendable {
  var stream: Int
  var range: Range<Int>
}
