/// A checksum of 64 bits over numbers and bytes. It tells a row that was written from one that a disk, or a torn
/// page, made of it; SQLite itself has checksums only in its write-ahead log.
struct Checksum {
  private var state: UInt64 = 0x6D6F_6F72_696E_6731

  /// The checksum as SQLite stores it.
  var value: Int { Int(truncatingIfNeeded: state ^ state >> 29) }

  @inline(__always)
  private mutating func mix(_ word: UInt64) {
    // Odd multipliers are bijections: two different words never give one state.
    state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 32
  }

  mutating func add(_ number: Int) { mix(UInt64(truncatingIfNeeded: number)) }

  mutating func add(_ number: Int?) {
    add(number == nil ? 0 : 1)
    add(number ?? 0)
  }

  /// Adds bytes and how many they are.
  mutating func add(_ bytes: [UInt8]) {
    add(bytes.count)
    unsafe bytes.withUnsafeBytes { bytes in
      var place = 0
      while place + 8 <= bytes.count {
        // In bounds by the condition above.
        mix(unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        place += 8
      }
      var last: UInt64 = 0
      while place < bytes.count {
        last = unsafe last << 8 | UInt64(bytes[place])
        place += 1
      }
      mix(last)
    }
  }

  mutating func add(_ bytes: [UInt8]?) {
    add(bytes == nil ? 0 : 1)
    add(bytes ?? [])
  }

  /// The checksum of a piece of a source.
  static func of(stream: Int, start: Int, bytes: [UInt8]) -> Int {
    var checksum = Checksum()
    checksum.add(stream)
    checksum.add(start)
    checksum.add(bytes)
    return checksum.value
  }
}
