import CSQLite

/// What SQLite, or a check of what it holds, says is wrong.
package enum SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is no room: on the disk, or within the file's quota.
  case full(code: Int32)
  /// Another process holds the database.
  case busy(code: Int32)
  /// The file cannot be opened, read or written.
  case inputOutput(code: Int32)
  /// The file is no database, or not a sound one.
  case damaged(code: Int32)
  /// A row is not what was written: a checksum differs, or a row is missing.
  case damagedRow
  /// Anything else; `code` is SQLite's extended result code.
  case failed(code: Int32)

  init(code: Int32) {
    self =
      switch code & 0xFF {
      case SQLITE_FULL: .full(code: code)
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy(code: code)
      case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_NOLFS, SQLITE_AUTH:
        .inputOutput(code: code)
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_TOOBIG: .damaged(code: code)
      default: .failed(code: code)
      }
  }

  package var description: String {
    switch self {
    case .full(let code): "there is no room (SQLite \(code))"
    case .busy(let code): "another process holds it (SQLite \(code))"
    case .inputOutput(let code): "it cannot be read or written (SQLite \(code))"
    case .damaged(let code): "it is no sound SQLite database (SQLite \(code))"
    case .damagedRow: "a row is not what was written"
    case .failed(let code): "SQLite fails with \(code)"
    }
  }
}
