import CSQLite

/// A compiled statement, used again and again.
@safe final class Statement {
  /// A value that stands for a parameter.
  enum Value {
    case integer(Int)
    case bytes([UInt8])
    case null

    static func bytesOrNull(_ bytes: [UInt8]?) -> Value { bytes.map { .bytes($0) } ?? .null }
    static func integerOrNull(_ number: Int?) -> Value { number.map { .integer($0) } ?? .null }
  }

  private let handle: OpaquePointer
  /// Open for as long as the statement is.
  private let connection: Connection

  @unsafe init(_ handle: OpaquePointer, of connection: Connection) {
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit { _ = unsafe sqlite3_finalize(handle) }

  /// Runs the statement, which gives no rows.
  func run(_ values: Value...) throws(SQLiteError) { try run(values) }

  /// As above, of values in an array.
  func run(_ values: [Value]) throws(SQLiteError) {
    defer { reset() }
    try bind(values)
    _ = try step()
  }

  /// Begins to run the statement. Its rows are read with `step()`; then it is to be reset.
  func query(_ values: Value...) throws(SQLiteError) { try bind(values) }

  private func bind(_ values: [Value]) throws(SQLiteError) {
    for (place, value) in values.enumerated() {
      let index = Int32(place + 1)
      let code =
        switch value {
        case .integer(let number): unsafe sqlite3_bind_int64(handle, index, Int64(number))
        case .null: unsafe sqlite3_bind_null(handle, index)
        case .bytes(let bytes):
          // SQLite copies the bytes before this returns.
          unsafe bytes.withUnsafeBytes {
            unsafe mooring_bind_blob(handle, index, $0.baseAddress, Int32($0.count))
          }
        }
      guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }
  }

  /// Goes to the next row. False where there is none.
  func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw SQLiteError(code: code)
    }
  }

  /// Ends the run: rows that were not read are left, locks that they need are given back.
  func reset() {
    // What went wrong in the run was told by `step()`.
    _ = unsafe sqlite3_reset(handle)
    _ = unsafe sqlite3_clear_bindings(handle)
  }

  // MARK: - The current row

  /// A column's number; 0 where it is null.
  func integer(_ column: Int32) -> Int { Int(unsafe sqlite3_column_int64(handle, column)) }

  /// Whether a column is null.
  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// A column's bytes; none where it is null.
  func bytes(_ column: Int32) -> [UInt8] {
    let bytes = unsafe sqlite3_column_blob(handle, column)
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    guard count > 0, let bytes = unsafe bytes else { return [] }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
