/// Counts how often each template key has been used (identity.md §2.3).
///
/// The keys themselves are in the table; here stand their hashes, so that a stream of a million components with
/// different keys takes a few words each.
struct TemplateRepeats: Sendable {
  /// The first name of each hash value.
  private var first: [Int: UInt32] = [:]
  private var entries: [Entry] = []

  private struct Entry: Sendable {
    var count: UInt32
    /// The next name with the same hash value, or `UInt32.max`.
    var next: UInt32
  }

  init() {}

  /// The uses that a table's blocks make.
  init(of table: BlockTable) {
    for name in table.names { add(Self.hash(table.strings[name.range]), count: 0) }
    // Of the blocks of one name the last has the highest count.
    for row in table.rows where row.keyKind == .template {
      entries[Int(row.keyValue)].count = row.keyCount
    }
  }

  /// Counts one more use of `name`: its index among the table's names, and the number of uses with this one.
  mutating func count(_ name: [UInt8], in table: inout BlockTable) -> (name: UInt32, count: UInt32) {
    let hash = Self.hash(name)
    var index = first[hash] ?? .max
    while index != .max {
      if table.strings[table.names[Int(index)].range].elementsEqual(name) {
        entries[Int(index)].count += 1
        return (index, entries[Int(index)].count)
      }
      index = entries[Int(index)].next
    }
    table.names.growByQuarter()
    table.names.append(CompactRange(table.intern(name)))
    add(hash, count: 1)
    return (UInt32(entries.count - 1), 1)
  }

  /// Adds the next name.
  private mutating func add(_ hash: Int, count: UInt32) {
    entries.growByQuarter()
    entries.append(Entry(count: count, next: first[hash] ?? .max))
    first[hash] = UInt32(entries.count - 1)
  }

  private static func hash(_ name: some Sequence<UInt8>) -> Int {
    var hasher = Hasher()
    for byte in name { hasher.combine(byte) }
    return hasher.finalize()
  }

  /// The bytes that it takes.
  var footprint: Int {
    entries.capacity * MemoryLayout<Entry>.stride + first.capacity
      * (MemoryLayout<Int>.size + MemoryLayout<UInt32>.size)
  }
}
