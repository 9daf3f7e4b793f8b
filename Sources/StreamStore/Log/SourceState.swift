/// Where a source stands: its length, whether it is closed, and who wrote.
package struct SourceState: Sendable, Equatable {
  /// The number of bytes.
  package var length: Int
  /// Whether no more can be appended.
  package var isClosed: Bool
  /// What is remembered of those who appended.
  package var writers: Writers

  package init(length: Int = 0, isClosed: Bool = false, writers: Writers = Writers()) {
    self.length = length
    self.isClosed = isClosed
    self.writers = writers
  }

  /// What has to be known to take an entry back.
  struct Change: Sendable {
    fileprivate var bytes: Int
    fileprivate var closes: Bool
    fileprivate var writers: Writers.Change?
  }

  /// Goes on to where the source stands with the entry.
  mutating func accept(_ entry: SourceEntry) -> Change {
    length += entry.bytes.count
    if entry.closes { isClosed = true }
    var change = Change(bytes: entry.bytes.count, closes: entry.closes)
    if entry.producer != nil || entry.sequence != nil { change.writers = writers.record(entry) }
    return change
  }

  /// Goes back to where the source stood before the last entry that has not been taken back.
  mutating func takeBack(_ change: Change) {
    length -= change.bytes
    if change.closes { isClosed = false }
    if let change = change.writers { writers.takeBack(change) }
  }
}
