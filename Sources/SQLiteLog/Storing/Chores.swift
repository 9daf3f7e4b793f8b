/// What is done when nothing else is to be done, in slices that hold nobody up for long: the pieces of closed
/// streams are put together, and those of removed ones deleted. What is left survives a restart.
struct Chores {
  /// The most that a slice reads, or deletes.
  private static let maxBytes = 1 << 20
  private static let maxRows = 1024

  private let connection: Connection
  private let find, end: Statement
  private let sizes, read, delete, insert: Statement
  private let deleteChunks, deleteProducers: Statement
  /// How far the stream that is being compacted has come.
  private var compacting: (stream: Int, position: Int)?

  init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    find = try connection.prepare("SELECT stream, kind FROM chores ORDER BY stream LIMIT 1")
    end = try connection.prepare("DELETE FROM chores WHERE stream = ?1")
    sizes = try connection.prepare(
      "SELECT start, length(bytes) FROM chunks WHERE stream = ?1 AND start >= ?2 ORDER BY start LIMIT ?3")
    read = try connection.prepare(
      "SELECT start, checksum, bytes FROM chunks WHERE stream = ?1 AND start >= ?2 AND start < ?3 ORDER BY start"
    )
    delete = try connection.prepare("DELETE FROM chunks WHERE stream = ?1 AND start >= ?2 AND start < ?3")
    insert = try connection.prepare(
      "INSERT INTO chunks (stream, start, checksum, bytes) VALUES (?1, ?2, ?3, ?4)")
    deleteChunks = try connection.prepare(
      """
      DELETE FROM chunks WHERE stream = ?1 AND start IN
        (SELECT start FROM chunks WHERE stream = ?1 ORDER BY start LIMIT ?2)
      """)
    deleteProducers = try connection.prepare(
      """
      DELETE FROM producers WHERE stream = ?1 AND id IN
        (SELECT id FROM producers WHERE stream = ?1 ORDER BY id LIMIT ?2)
      """)
  }

  /// Does a slice within the open transaction. Whether there is more to do.
  mutating func doSlice() throws(SQLiteError) -> Bool {
    var rows = Self.maxRows
    var bytes = Self.maxBytes
    while rows > 0, bytes > 0 {
      guard let (stream, kind) = try first() else { return false }
      switch kind {
      case .compact:
        if try compactOrLeave(stream, rows: &rows, bytes: &bytes) { try finish(stream) }
      case .remove:
        let limit = min(rows, bytes / Writer.maxChunkBytes + 1)
        try deleteChunks.run(.integer(stream), .integer(limit))
        var count = connection.changes
        if count < limit {
          try deleteProducers.run(.integer(stream), .integer(limit))
          count += connection.changes
        }
        if count < limit { try finish(stream) }
        rows -= count + 1
        bytes -= count * Writer.maxChunkBytes
      }
    }
    return true
  }

  /// Compacts, but leaves a stream that is damaged as it is: readers are told, and nothing is gained here.
  private mutating func compactOrLeave(
    _ stream: Int, rows: inout Int, bytes: inout Int
  ) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      return try compact(stream, rows: &rows, bytes: &bytes)
    } catch {
      guard error == .damagedRow else { throw error }
      return true
    }
  }

  private mutating func finish(_ stream: Int) throws(SQLiteError) {
    if compacting?.stream == stream { compacting = nil }
    try end.run(.integer(stream))
  }

  private func first() throws(SQLiteError) -> (Int, ChoreKind)? {
    defer { find.reset() }
    try find.query()
    guard try find.step() else { return nil }
    guard let kind = ChoreKind(rawValue: find.integer(1)) else { throw .damagedRow }
    return (find.integer(0), kind)
  }

  /// Puts pieces together, from where the last slice ended. Whether the stream is done.
  ///
  /// Neighbours become one piece as long as that holds no more than one may, so that doing it again changes
  /// nothing.
  private mutating func compact(
    _ stream: Int, rows: inout Int, bytes: inout Int
  ) throws(SQLiteError) -> Bool {
    let start = compacting?.stream == stream ? compacting?.position ?? 0 : 0
    let pieces = try pieces(of: stream, from: start)
    var index = 0
    while index < pieces.count, rows > 0, bytes > 0 {
      var end = index
      var size = 0
      while end < pieces.count, size + pieces[end].count <= Writer.maxChunkBytes || end == index {
        size += pieces[end].count
        end += 1
      }
      if end - index > 1 {
        try merge(stream, pieces[index].start..<(pieces[index].start + size))
        bytes -= size
      }
      // The next slice may find more for the last piece.
      let isOpen = end == pieces.count && pieces.count == Self.maxRows && end - index > 1
      compacting = (stream, pieces[index].start + (isOpen ? 0 : size))
      rows -= end - index
      index = end
    }
    rows -= 1
    return index == pieces.count && pieces.count < Self.maxRows
  }

  private func pieces(of stream: Int, from start: Int) throws(SQLiteError) -> [(start: Int, count: Int)] {
    defer { sizes.reset() }
    try sizes.query(.integer(stream), .integer(start), .integer(Self.maxRows))
    var pieces: [(start: Int, count: Int)] = []
    while try sizes.step() { pieces.append((sizes.integer(0), sizes.integer(1))) }
    return pieces
  }

  private func merge(_ stream: Int, _ range: Range<Int>) throws(SQLiteError) {
    let merged = try source(of: stream, range)
    try delete.run(.integer(stream), .integer(range.lowerBound), .integer(range.upperBound))
    try insert.run(
      .integer(stream), .integer(range.lowerBound),
      .integer(Checksum.of(stream: stream, start: range.lowerBound, bytes: merged)), .bytes(merged))
  }

  private func source(of stream: Int, _ range: Range<Int>) throws(SQLiteError) -> [UInt8] {
    defer { read.reset() }
    var merged: [UInt8] = []
    merged.reserveCapacity(range.count)
    try read.query(.integer(stream), .integer(range.lowerBound), .integer(range.upperBound))
    while try read.step() {
      let piece = read.bytes(2)
      let start = range.lowerBound + merged.count
      // Nothing is made of a piece that is not what was written.
      guard read.integer(0) == start,
        read.integer(1) == Checksum.of(stream: stream, start: start, bytes: piece)
      else { throw .damagedRow }
      merged += piece
    }
    guard merged.count == range.count else { throw .damagedRow }
    return merged
  }
}
