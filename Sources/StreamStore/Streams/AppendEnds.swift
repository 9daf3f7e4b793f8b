import ByteStorage

/// Where a stream's appends ended since its blocks are in memory: for checks that replay them as they came.
///
/// An append takes a byte or two here. Once that is 64 KiB, no more are remembered.
struct AppendEnds: Sendable {
  private static let maxBytes = 64 << 10

  /// The distances from one end to the next, in LEB128.
  private var distances: [UInt8] = []
  private var last = 0

  /// Remembers an end that is not before the last one.
  mutating func add(_ end: Int) {
    guard distances.count < Self.maxBytes, end > last else { return }
    distances.append(leb128: end - last)
    last = end
  }

  /// The ends, in order.
  var offsets: [Int] {
    var offsets: [Int] = []
    var (end, place) = (0, 0)
    while place < distances.count {
      end += distances.span.leb128(at: &place)
      offsets.append(end)
    }
    return offsets
  }
}
