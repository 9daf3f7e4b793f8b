import BlockDiff
import Markup
package import StreamStore

/// Keeps every source in an SQLite database.
package final class SQLiteSourceLogEngine: SourceLogEngine {
  /// What an append's acknowledgement promises.
  package enum Durability: String, CaseIterable, Sendable {
    /// It survives the loss of power.
    case full
    /// It survives the end of the process; the last moments may be lost with the power.
    case relaxed
  }

  /// How the database is kept.
  package struct Options: Sendable {
    package var durability = Durability.full
    /// The most pages of the file; `nil` for as many as the disk holds.
    package var maxPages: Int?

    /// The defaults.
    package init() {}
  }

  package let totals: StoredTotals
  private let lock: FileLock
  private let committer: Committer
  private let readers: ReaderPool

  /// Opens the database at a path, and makes it where there is none. Blocks for as long as the file takes; what is
  /// in it is not looked through.
  package init(path: String, options: Options = Options()) throws(SQLiteLogError) {
    // Before SQLite looks: it would wait for another server, or work beside it.
    lock = try FileLock(databasePath: path)
    let connection = try Self.opening(path) { () throws(SQLiteError) in try Connection(path: path) }
    // Before anything is written, so that another program's file stays as it is.
    let version = try Schema.version(of: connection, path: path)
    try Self.opening(path) { () throws(SQLiteError) in
      try Self.configure(connection, options)
      try Schema.upgrade(connection, from: version)
    }
    let writer = try Self.opening(path) { () throws(SQLiteError) in try Writer(connection) }
    totals = try Self.opening(path) { () throws(SQLiteError) in try Writer.totals(connection) }
    readers = ReaderPool(path: path)
    committer = Committer(writer) { () throws(SQLiteError) in
      let connection = try Connection(path: path)
      try Self.configure(connection, options)
      return try Writer(connection)
    }
  }

  deinit { close() }

  private static func opening<Value>(
    _ path: String, _ body: () throws(SQLiteError) -> Value
  ) throws(SQLiteLogError) -> Value {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw .sqlite(error, path: path)
    }
  }

  private static func configure(_ connection: Connection, _ options: Options) throws(SQLiteError) {
    let synchronous =
      switch options.durability {
      case .full: "FULL"
      case .relaxed: "NORMAL"
      }
    try connection.run(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = \(synchronous);
      PRAGMA journal_size_limit = 67108864;
      PRAGMA cache_size = -16384;
      PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF;
      """)
    if let maxPages = options.maxPages { try connection.run("PRAGMA max_page_count = \(maxPages)") }
  }

  package var isLasting: Bool { true }
  package var isAvailable: Bool { committer.isAvailable }

  package func load(_ path: StreamPath) async throws(SourceLogError) -> StoredStream? {
    let bytes = Array(path.bytes)
    let found = try await readers.perform { reader throws(SQLiteError) in try reader.find(bytes) }
    guard let found else { return nil }
    let row = found.row.row
    let state = SourceState(
      length: row.length, isClosed: row.isClosed,
      writers: Writers(producers: found.producers, sequence: row.sequence, closer: row.closer))
    let log = SQLiteSourceLog(found, committer: committer, readers: readers)
    var stored = StoredStream(
      incarnation: UInt64(found.row.incarnation), configuration: found.configuration, state: state, log: log)
    stored.lifetime = row.lifetime
    stored.lastUse = row.usedAt ?? .distantPast
    stored.isKept = row.isKept
    if let source = found.sources.first {
      guard let path = StreamPath(source.path[...]) else { throw .damaged }
      stored.forkedFrom = path
      stored.forkDepth = found.sources.count
      stored.ancestors = Self.ancestors(found)
    }
    return stored
  }

  private static func ancestors(_ found: Reader.Found) -> [Lineage.Ancestor] {
    var lineage: Lineage?
    for row in found.sources.reversed() + [found.row] {
      let incarnation = UInt64(row.incarnation)
      lineage =
        lineage?.fork(at: ByteOffset(row.row.begin), incarnation: incarnation)
        ?? Lineage(incarnation: incarnation)
    }
    return lineage?.ancestors ?? []
  }

  package func makeLog(_ source: NewSource) -> any SourceLog {
    SQLiteSourceLog(source, committer: committer, readers: readers)
  }

  package func expiredPaths(
    at moment: Timestamp, limit: Int
  ) async throws(SourceLogError) -> [StreamPath] {
    let paths = try await readers.perform { reader throws(SQLiteError) in
      try reader.expiredPaths(at: moment.milliseconds, limit: limit)
    }
    return paths.compactMap { StreamPath($0[...]) }
  }

  /// Stores what is on its way, and closes the database. What comes later is refused. Blocks until it is done.
  package func close() {
    readers.close()
    committer.close()
    lock.release()
  }
}
