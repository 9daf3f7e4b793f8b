import ByteStorage

extension BlockTable {
  /// Gives back the room that the buffers keep for more.
  ///
  /// - Complexity: O(blocks + text) where there is such room.
  mutating func trim() {
    rows.trim()
    text.trim()
    strings.trim()
    changes.trim()
    growth.trim()
  }
}

extension Array {
  /// Gives back the room for more elements where it is worth a copy.
  mutating func trim() {
    guard capacity - count > count / 16 + 16 else { return }
    var exact: [Element] = []
    exact.reserveCapacity(count)
    exact.append(contentsOf: self)
    self = exact
  }
}
