/// The rows of a table, in chunks: what a new row costs does not depend on how many there are, since no row is moved
/// when there are many. Copies of a list share the chunks that are full.
@usableFromInline
struct RowList: Sendable {
  /// The rows of a full chunk; a power of two. Chunks of 24 KiB are reused by the allocator as they are.
  @inlinable static var chunkRows: Int { 512 }

  /// The chunks that are full.
  @usableFromInline var full: [[Block]] = []
  /// The rows after them, fewer than a chunk has. It grows as any array, so that few rows take little.
  @usableFromInline var open: [Block] = []
  /// The index of the first row in `open`.
  @usableFromInline var openBegin = 0

  init() {}

  /// Adds a row at the end.
  @inline(__always)
  mutating func append(_ row: Block) {
    open.append(row)
    if open.count == Self.chunkRows { beginChunk() }
  }

  private mutating func beginChunk() {
    full.append(open)
    openBegin += Self.chunkRows
    open = []
    open.reserveCapacity(Self.chunkRows)
  }

  /// The first `count` rows.
  ///
  /// - Complexity: O(chunks): but for the last one they are shared.
  func prefix(_ count: Int) -> RowList {
    let fullChunks = count / Self.chunkRows
    var result = RowList()
    result.full = Array(full.prefix(fullChunks))
    result.openBegin = fullChunks * Self.chunkRows
    for row in result.openBegin..<count { result.open.append(self[row]) }
    return result
  }

  /// Gives back the room for more rows.
  mutating func trim() {
    full.trim()
    open.trim()
  }

  /// The bytes that it takes.
  var footprint: Int {
    full.capacity * MemoryLayout<[Block]>.stride
      + (full.count * Self.chunkRows + open.capacity) * MemoryLayout<Block>.stride
  }
}

extension RowList: RandomAccessCollection, MutableCollection {
  @inlinable var startIndex: Int { 0 }
  @inlinable var endIndex: Int { openBegin &+ open.count }

  @inlinable
  subscript(row: Int) -> Block {
    @inline(__always) get {
      // Mostly the last rows are asked for.
      row >= openBegin
        ? open[row &- openBegin] : full[row / Self.chunkRows][row & (Self.chunkRows &- 1)]
    }
    @inline(__always) set { change(row) { $0 = newValue } }
  }

  /// Changes a row in its place, which assigning to its fields one by one does not.
  @inlinable @inline(__always)
  mutating func change(_ row: Int, _ body: (inout Block) -> Void) {
    if row >= openBegin {
      body(&open[row &- openBegin])
    } else {
      body(&full[row / Self.chunkRows][row & (Self.chunkRows &- 1)])
    }
  }
}
