import CSQLite

/// One connection to a database. Used by one thread at a time.
@safe final class Connection {
  private let handle: OpaquePointer

  /// Opens the file, and creates it where there is none.
  init(path: String) throws(SQLiteError) {
    var opened: OpaquePointer?
    // No mutexes: a connection is never used by two threads at once.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      _ = unsafe sqlite3_close_v2(opened)
      throw SQLiteError(code: code)
    }
    unsafe handle = opened
    _ = unsafe sqlite3_busy_timeout(opened, Self.busyMilliseconds)
  }

  /// How long another process, such as a backup, may hold the database before a statement fails.
  private static let busyMilliseconds: Int32 = 5000

  deinit {
    // Waits by itself for statements that are finalised later.
    _ = unsafe sqlite3_close_v2(handle)
  }

  /// Compiles one statement.
  func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else { throw SQLiteError(code: code) }
    return unsafe Statement(statement, of: self)
  }

  /// Runs statements that give no rows, or whose rows do not matter.
  func run(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code: code) }
  }

  /// The first column of a statement's only row.
  func number(_ sql: String) throws(SQLiteError) -> Int {
    let statement = try prepare(sql)
    guard try statement.step() else { throw .damagedRow }
    return statement.integer(0)
  }

  /// Whether a transaction is open: an error may have rolled it back.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(unsafe sqlite3_changes64(handle)) }
}
