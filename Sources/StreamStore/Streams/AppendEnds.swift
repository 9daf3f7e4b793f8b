/// Where a stream's appends ended since its blocks are in memory: for checks that replay them as they came.
///
/// An append takes a byte or two here. Once that is 64 KiB, no more are remembered.
struct AppendEnds: Sendable {
  private static let maxBytes = 64 << 10

  /// The distances from one end to the next, seven bits a byte, the last byte of each without its high bit.
  private var distances: [UInt8] = []
  private var last = 0

  /// Remembers an end that is not before the last one.
  mutating func add(_ end: Int) {
    guard distances.count < Self.maxBytes, end > last else { return }
    var rest = end - last
    while rest >= 0x80 {
      distances.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    distances.append(UInt8(rest))
    last = end
  }

  /// The ends, in order.
  var offsets: [Int] {
    var offsets: [Int] = []
    var (end, distance, shift) = (0, 0, 0)
    for byte in distances {
      distance |= Int(byte & 0x7F) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      end += distance
      offsets.append(end)
      (distance, shift) = (0, 0)
    }
    return offsets
  }
}
