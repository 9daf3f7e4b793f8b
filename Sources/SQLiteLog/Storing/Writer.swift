import StreamStore

/// The connection that writes. Used on the committer's thread.
final class Writer {
  /// The most bytes of one row of `chunks`: a range that is read needs no more than its ends beyond it.
  static let maxChunkBytes = 64 << 10
  /// Configurations whose rows are known without looking: as many as streams are made with, mostly.
  private static let maxKnownConfigurations = 256

  let connection: Connection
  /// Whether there is something to be done when nothing else is.
  var hasChores: Bool
  private var totals: StoredTotals
  private var configurations: [[UInt8]: Int] = [:]
  /// The logs that the open transaction changes.
  private var changed: [SQLiteSourceLog] = []

  private let begin, commit, rollback: Statement
  private let updateStore: Statement
  private let findConfiguration, insertConfiguration: Statement
  private let insertStream, updateStream, deleteStream: Statement
  private let findStream, findForks: Statement
  private let insertChunk: Statement
  private let updateProducer: Statement
  private let insertChore: Statement
  private var chores: Chores

  /// Takes over a connection to a database whose tables are there.
  init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    totals = try Self.totals(connection)
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    rollback = try connection.prepare("ROLLBACK")
    updateStore = try connection.prepare(
      "UPDATE store SET streams = ?1, bytes = ?2, last_incarnation = ?3 WHERE id = 1")
    findConfiguration = try connection.prepare("SELECT id FROM configurations WHERE json = ?1")
    insertConfiguration = try connection.prepare(
      "INSERT INTO configurations (json) VALUES (?1)")
    insertStream = try connection.prepare(
      """
      INSERT INTO streams (\(SourceRow.columns))
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
      """)
    updateStream = try connection.prepare(
      """
      UPDATE streams SET checksum = ?2, length = ?3, is_closed = ?4, sequence = ?5, closer_id = ?6,
        closer_epoch = ?7, closer_sequence = ?8, parent = ?9, begin = ?10, is_kept = ?11, idle_seconds = ?12,
        expires_at = ?13, used_at = ?14, deadline = ?15 WHERE incarnation = ?1
      """)
    findStream = try connection.prepare("SELECT \(SourceRow.columns) FROM streams WHERE incarnation = ?1")
    findForks = try connection.prepare("SELECT 1 FROM streams WHERE parent = ?1 LIMIT 1")
    deleteStream = try connection.prepare("DELETE FROM streams WHERE incarnation = ?1")
    insertChunk = try connection.prepare(
      "INSERT INTO chunks (stream, start, checksum, bytes) VALUES (?1, ?2, ?3, ?4)")
    updateProducer = try connection.prepare(
      """
      INSERT INTO producers (stream, id, epoch, sequence, checksum) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (stream, id) DO UPDATE SET epoch = ?3, sequence = ?4, checksum = ?5
      """)
    insertChore = try connection.prepare("INSERT OR REPLACE INTO chores (stream, kind) VALUES (?1, ?2)")
    chores = try Chores(connection)
    hasChores = try connection.number("SELECT EXISTS (SELECT 1 FROM chores)") != 0
  }

  /// What the database holds.
  static func totals(_ connection: Connection) throws(SQLiteError) -> StoredTotals {
    let statement = try connection.prepare(
      "SELECT streams, bytes, last_incarnation FROM store WHERE id = 1")
    guard try statement.step() else { throw .damagedRow }
    var totals = StoredTotals()
    totals.streams = statement.integer(0)
    totals.bytes = statement.integer(1)
    guard let last = UInt64(exactly: statement.integer(2)) else { throw .damagedRow }
    totals.lastIncarnation = last
    return totals
  }

  // MARK: - Transactions

  /// Stores a batch in one transaction, all of it or nothing. Entries that belong behind ones that failed are
  /// refused, and are no part of it.
  func store(_ batch: ArraySlice<Committer.Job>) throws(SQLiteError) -> [CommitReceipt.Outcome] {
    let before = totals
    var hasNewChores = false
    var outcomes: [CommitReceipt.Outcome] = []
    outcomes.reserveCapacity(batch.count)
    do throws(SQLiteError) {
      try begin.run()
      for job in batch {
        switch job {
        case .append(let log, let entry, let offset, _):
          let isTaken = try isInOrder(entry, at: offset, log)
          outcomes.append(isTaken ? .stored : .refused)
          if isTaken { try append(entry, to: log) }
        case .remove(let log, _):
          outcomes.append(.stored)
          try remove(log)
        }
      }
      for log in changed {
        let chore = try writeRow(of: log)
        if chore { hasNewChores = true }
      }
      if totals != before {
        try updateStore.run(
          .integer(totals.streams), .integer(totals.bytes), .integer(Int(totals.lastIncarnation)))
      }
      try commit.run()
    } catch {
      totals = before
      // A configuration's row may be gone with the transaction.
      configurations.removeAll()
      endTransaction { $0.takeBack() }
      if connection.isInTransaction {
        // Where this fails, the connection is not used again: the next BEGIN fails.
        try? rollback.run()
      }
      throw error
    }
    endTransaction { $0.keep() }
    if hasNewChores { hasChores = true }
    return outcomes
  }

  private func endTransaction(_ end: (SQLiteSourceLog) -> Void) {
    for log in changed { end(log) }
    changed.removeAll(keepingCapacity: true)
  }

  private func note(_ log: SQLiteSourceLog) {
    guard !log.isChanged else { return }
    log.isChanged = true
    changed.append(log)
  }

  /// Whether an entry belongs where its source ends; a fork's first, whether what it is forked from is there.
  private func isInOrder(
    _ entry: SourceEntry, at offset: Int, _ log: SQLiteSourceLog
  ) throws(SQLiteError) -> Bool {
    let row = log.staged ?? log.initial
    guard !log.isRemoved, !row.isKept, row.length == offset else { return false }
    // Closed streams are used, too.
    if row.isClosed { return entry.bytes.isEmpty && !entry.closes }
    guard log.staged == nil, let parent = row.parent else { return true }
    return try find(parent).map { !$0.row.isKept } ?? false
  }

  private func find(_ incarnation: Int) throws(SQLiteError) -> FoundRow? {
    defer { findStream.reset() }
    try findStream.query(.integer(incarnation))
    guard try findStream.step() else { return nil }
    return try FoundRow(findStream)
  }

  private func hasForks(_ incarnation: Int) throws(SQLiteError) -> Bool {
    defer { findForks.reset() }
    try findForks.query(.integer(incarnation))
    return try findForks.step()
  }

  private func append(_ entry: SourceEntry, to log: SQLiteSourceLog) throws(SQLiteError) {
    note(log)
    let isFirst = log.staged == nil
    if isFirst {
      totals.streams += 1
      totals.lastIncarnation = max(totals.lastIncarnation, UInt64(log.incarnation))
    }
    var row = log.staged ?? log.initial
    try insertChunks(entry.bytes, at: row.length, log)
    if let stamp = entry.producer {
      try updateProducer.run(
        .integer(log.incarnation), .bytes(stamp.id), .integer(stamp.epoch), .integer(stamp.sequence),
        .integer(SourceRow.checksum(ofProducer: stamp, stream: log.incarnation)))
    }
    row.accept(entry)
    totals.bytes += entry.bytes.count
    log.staged = row
    // At once, so that a removal of what it is forked from sees it in the same transaction.
    if isFirst, row.parent != nil { _ = try writeRow(of: log) }
  }

  private func insertChunks(
    _ bytes: [UInt8], at offset: Int, _ log: SQLiteSourceLog
  ) throws(SQLiteError) {
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Self.maxChunkBytes)
      let piece = end - start == bytes.count ? bytes : Array(bytes[start..<end])
      try insertChunk.run(
        .integer(log.incarnation), .integer(offset + start),
        .integer(Checksum.of(stream: log.incarnation, start: offset + start, bytes: piece)), .bytes(piece))
      if piece.count < Self.maxChunkBytes { log.smallChunks += 1 }
      start = end
    }
  }

  private func remove(_ log: SQLiteSourceLog) throws(SQLiteError) {
    log.removal = .removed(with: [])
    guard var row = log.staged, !log.isRemoved else { return }
    note(log)
    if try hasForks(log.incarnation) {
      row.isKept = true
      log.staged = row
      log.removal = .kept
      // At once, as below: a fork that the transaction removes next may be the last.
      _ = try writeRow(of: log)
      return
    }
    log.isRemoved = true
    totals.streams -= 1
    totals.bytes -= row.ownBytes
    // At once, so that the path is free for the next stream of the transaction.
    try deleteStream.run(.integer(log.incarnation))
    log.removal = .removed(with: try removeKept(row.parent))
  }

  /// Removes a stream that was kept for its forks, if the last of them is gone, and then those before it.
  private func removeKept(_ stream: Int?) throws(SQLiteError) -> [Removal.KeptSource] {
    var removed: [Removal.KeptSource] = []
    var next = stream
    while let incarnation = next, let found = try find(incarnation), found.row.isKept,
      try !hasForks(incarnation)
    {
      guard let path = StreamPath(found.path[...]) else { throw .damagedRow }
      totals.streams -= 1
      totals.bytes -= found.row.ownBytes
      try deleteStream.run(.integer(incarnation))
      try insertChore.run(.integer(incarnation), .integer(ChoreKind.remove.rawValue))
      for log in changed where log.incarnation == incarnation { log.isRemoved = true }
      removed.append(
        .init(path: path, incarnation: UInt64(incarnation), byteCount: found.row.ownBytes))
      next = found.row.parent
    }
    return removed
  }

  /// Writes a stream's row, once for all of its entries in the transaction. Whether a chore came of them.
  private func writeRow(of log: SQLiteSourceLog) throws(SQLiteError) -> Bool {
    guard !log.isRemoved else {
      try insertChore.run(.integer(log.incarnation), .integer(ChoreKind.remove.rawValue))
      return true
    }
    guard let row = log.staged else { return false }
    let configuration = try configurationRow(of: log)
    log.configuration = .row(configuration)
    let checksum = row.checksum(
      incarnation: log.incarnation, path: log.path, configuration: configuration)
    if log.hasRow {
      try updateStream.run([.integer(log.incarnation), .integer(checksum)] + row.values)
      guard connection.changes == 1 else { throw .damagedRow }
    } else {
      try insertStream.run(
        [.integer(log.incarnation), .bytes(log.path), .integer(configuration), .integer(checksum)]
          + row.values)
      log.hasRow = true
    }
    guard row.isClosed, log.smallChunks > 1 else { return false }
    try insertChore.run(.integer(log.incarnation), .integer(ChoreKind.compact.rawValue))
    return true
  }

  private func configurationRow(of log: SQLiteSourceLog) throws(SQLiteError) -> Int {
    let json: [UInt8]
    switch log.configuration {
    case .row(let number): return number
    case .bytes(let bytes): json = bytes
    }
    if let known = configurations[json] { return known }
    defer { findConfiguration.reset() }
    try findConfiguration.query(.bytes(json))
    if !(try findConfiguration.step()) {
      try insertConfiguration.run(.bytes(json))
      findConfiguration.reset()
      try findConfiguration.query(.bytes(json))
      guard try findConfiguration.step() else { throw .damagedRow }
    }
    if configurations.count >= Self.maxKnownConfigurations { configurations.removeAll() }
    let number = findConfiguration.integer(0)
    configurations[json] = number
    return number
  }

  // MARK: - Chores

  /// Does a slice of what is left to do, in a transaction of its own.
  func doChores() throws(SQLiteError) {
    do throws(SQLiteError) {
      try begin.run()
      hasChores = try chores.doSlice()
      try commit.run()
    } catch {
      if connection.isInTransaction { try? rollback.run() }
      throw error
    }
  }
}
