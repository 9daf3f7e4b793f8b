import StreamStore

/// The source of one stream in a database.
final class SQLiteSourceLog: SourceLog, @unchecked Sendable {
  // Safe: every `var` is touched only on the committer's thread, after the log has been made; the rest never
  // changes.

  let path: [UInt8]
  let incarnation: Int
  private let committer: Committer
  private let readers: ReaderPool

  /// How the stream was created.
  var configuration: StoredConfiguration
  /// What the database has; `nil` before the first entry.
  private(set) var stored: SourceRow?
  /// What it has when the open transaction has been committed.
  var staged: SourceRow?
  /// Pieces that are smaller than one may be; those of a stream that was loaded count as two.
  var smallChunks: Int
  var isRemoved = false
  /// Whether the open transaction changes the log.
  var isChanged = false

  /// The JSON of a configuration, or its row's number.
  enum StoredConfiguration {
    case bytes([UInt8])
    case row(Int)
  }

  /// The log of a stream that has no row yet.
  init(
    path: [UInt8], incarnation: Int, configuration: [UInt8], committer: Committer, readers: ReaderPool
  ) {
    self.path = path
    self.incarnation = incarnation
    self.configuration = .bytes(configuration)
    self.committer = committer
    self.readers = readers
    smallChunks = 0
  }

  /// The log of a stream that has one.
  init(
    path: [UInt8], incarnation: Int, configurationRow: Int, stored: SourceRow, committer: Committer,
    readers: ReaderPool
  ) {
    self.path = path
    self.incarnation = incarnation
    configuration = .row(configurationRow)
    self.committer = committer
    self.readers = readers
    self.stored = stored
    staged = stored
    smallChunks = 2
  }

  /// The open transaction has been committed.
  func keep() {
    stored = staged
    isChanged = false
  }

  /// The open transaction has been rolled back.
  func takeBack() {
    staged = stored
    isRemoved = false
    isChanged = false
  }

  func commit(_ entry: SourceEntry, at offset: Int) throws(SourceLogError) -> CommitReceipt? {
    let receipt = CommitReceipt()
    guard committer.enqueue(.append(self, entry, at: offset, receipt)) else { throw .unavailable }
    return receipt
  }

  func read(_ range: Range<Int>) async throws(SourceLogError) -> [UInt8] {
    if range.isEmpty { return [] }
    let incarnation = incarnation
    return try await readers.perform { reader throws(SQLiteError) in
      try reader.read(range, ofStream: incarnation)
    }
  }

  func remove() async throws(SourceLogError) {
    let receipt = CommitReceipt()
    guard committer.enqueue(.remove(self, receipt)) else { throw .unavailable }
    guard await receipt.settled() == .stored else { throw .unavailable }
  }
}
