/// The last bytes of a source, for live readers: all of them want what has just been stored.
struct RecentBytes {
  /// Above it, they are read from the log.
  private static let maxBytes = 64 << 10

  private var start = 0
  private var bytes: [UInt8] = []

  /// Adds bytes that begin at `offset`.
  mutating func append(_ new: [UInt8], at offset: Int) {
    if new.count > Self.maxBytes / 2 {
      bytes = []
      return
    }
    if start + bytes.count != offset || bytes.count + new.count > Self.maxBytes {
      // The younger half stays: most readers are at the end, and the others not far behind.
      if start + bytes.count == offset, bytes.count > Self.maxBytes / 2 {
        let dropped = bytes.count - Self.maxBytes / 2
        bytes.removeFirst(dropped)
        start += dropped
      } else {
        bytes = []
      }
      if bytes.isEmpty { start = offset }
    }
    bytes += new
  }

  /// The bytes in a range, if all of them are here.
  func bytes(in range: Range<Int>) -> [UInt8]? {
    guard range.lowerBound >= start, range.upperBound <= start + bytes.count else { return nil }
    return Array(bytes[(range.lowerBound - start)..<(range.upperBound - start)])
  }
}
