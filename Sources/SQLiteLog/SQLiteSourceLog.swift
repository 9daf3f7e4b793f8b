import StreamStore

/// The source of one stream in a database.
final class SQLiteSourceLog: SourceLog, @unchecked Sendable {
  // Safe: every `var` is touched only on the committer's thread, after the log has been made, and `removal` by whom
  // the removal's receipt has told that it is there; the rest never changes.

  let path: [UInt8]
  let incarnation: Int
  private let committer: Committer
  private let readers: ReaderPool

  /// Whose pieces hold the source, from its start on; the last part, the stream's own, has no end.
  let parts: [SourcePart]

  /// How the stream was created.
  var configuration: StoredConfiguration
  /// The row before the first entry.
  let initial: SourceRow
  /// What the database has; `nil` before the first entry.
  private(set) var stored: SourceRow?
  /// What it has when the open transaction has been committed.
  var staged: SourceRow?
  /// Pieces that are smaller than one may be; those of a stream that was loaded count as two.
  var smallChunks: Int
  var isRemoved = false
  /// What the removal did, once its receipt is settled.
  var removal: Removal?
  /// Whether the open transaction has a row of the stream.
  var hasRow: Bool
  /// Whether the open transaction changes the log.
  var isChanged = false

  /// The JSON of a configuration, or its row's number.
  enum StoredConfiguration {
    case bytes([UInt8])
    case row(Int)
  }

  /// The log of a stream that has no row yet.
  init(_ source: NewSource, committer: Committer, readers: ReaderPool) {
    path = Array(source.path.bytes)
    incarnation = Int(source.incarnation)
    configuration = .bytes(source.configuration)
    self.committer = committer
    self.readers = readers
    smallChunks = 0
    hasRow = false
    guard let fork = source.fork else {
      initial = SourceRow(source.lifetime)
      parts = Self.parts(incarnation, begin: 0, of: [])
      return
    }
    guard let parent = fork.source as? SQLiteSourceLog else {
      preconditionFailure("a fork is of its source's engine")
    }
    initial = SourceRow(source.lifetime, parent: parent.incarnation, begin: fork.offset)
    parts = Self.parts(incarnation, begin: fork.offset, of: parent.parts)
  }

  /// The log of a stream that has one.
  init(_ found: Reader.Found, committer: Committer, readers: ReaderPool) {
    path = found.row.path
    incarnation = found.row.incarnation
    configuration = .row(found.row.configuration)
    self.committer = committer
    self.readers = readers
    initial = found.row.row
    stored = initial
    staged = initial
    smallChunks = 2
    hasRow = true
    var parts: [SourcePart] = []
    for source in found.sources.reversed() {
      parts = Self.parts(source.incarnation, begin: source.row.begin, of: parts)
    }
    self.parts = Self.parts(incarnation, begin: initial.begin, of: parts)
  }

  /// The parts of a stream that branches off at `begin` from one of those parts.
  private static func parts(_ stream: Int, begin: Int, of source: [SourcePart]) -> [SourcePart] {
    var parts = source.compactMap { part -> SourcePart? in
      let range = part.range.clamped(to: 0..<begin)
      return range.isEmpty ? nil : SourcePart(stream: part.stream, range: range)
    }
    parts.append(SourcePart(stream: stream, range: begin..<Int.max))
    return parts
  }

  /// The open transaction has been committed.
  func keep() {
    stored = staged
    hasRow = stored != nil
    isChanged = false
  }

  /// The open transaction has been rolled back.
  func takeBack() {
    staged = stored
    hasRow = stored != nil
    isRemoved = false
    removal = nil
    isChanged = false
  }

  func commit(_ entry: SourceEntry, at offset: Int) throws(SourceLogError) -> CommitReceipt? {
    let receipt = CommitReceipt()
    guard committer.enqueue(.append(self, entry, at: offset, receipt)) else { throw .unavailable }
    return receipt
  }

  func read(_ range: Range<Int>) async throws(SourceLogError) -> [UInt8] {
    if range.isEmpty { return [] }
    let parts = parts
    return try await readers.perform { reader throws(SQLiteError) in try reader.read(range, of: parts) }
  }

  func remove() async throws(SourceLogError) -> Removal {
    let receipt = CommitReceipt()
    guard committer.enqueue(.remove(self, receipt)) else { throw .unavailable }
    guard await receipt.settled() == .stored, let removal else { throw .unavailable }
    return removal
  }
}
