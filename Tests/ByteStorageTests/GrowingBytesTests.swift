import ByteStorage
import Foundation
import Testing

struct GrowingBytesTests {
  /// Every operation drawn at random, on two values that are made from each other now and then, beside arrays.
  @Test(arguments: 0..<20)
  func isAnArray(seed: UInt64) {
    var random = Generator(state: seed)
    var bytes = [GrowingBytes(), GrowingBytes()]
    var arrays: [[UInt8]] = [[], []]
    for _ in 0..<2000 {
      let place = Int.random(in: 0...1, using: &random)
      let some = (0..<Int.random(in: 0...300, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1, 2:
        bytes[place].append(some.span)
        arrays[place] += some
      case 3:
        bytes[place].append(7)
        arrays[place].append(7)
      case 4:
        let count = Int.random(in: 0...arrays[place].count, using: &random)
        bytes[place].truncate(to: max(count, arrays[place].count - 500))
        arrays[place].removeLast(min(arrays[place].count - count, 500))
      case 5:
        bytes[1 - place] = bytes[place]
        arrays[1 - place] = arrays[place]
      case 6: bytes[place].trim()
      case 7:
        bytes[place].makeRoom(some.count + 3)
        let count = bytes[place].count
        var room = bytes[place].room
        // More than counts.
        for index in 0..<some.count + 3 { room[count + index] = UInt8(truncatingIfNeeded: index) }
        bytes[place].setCount(count + some.count)
        arrays[place] += some
      case 8:
        let first: UInt8? = some.count % 3 == 0 ? nil : 9
        bytes[place].append(some.span, after: first)
        arrays[place] += (first.map { [$0] } ?? []) + some
      default: bytes[place].reserve(some.count)
      }
      for place in 0...1 {
        #expect(bytes[place].count == arrays[place].count && bytes[place].capacity >= bytes[place].count)
        #expect(bytes[place][0...] == arrays[place])
      }
      #expect((bytes[0] == bytes[1]) == (arrays[0] == arrays[1]))
      #expect(bytes[0].starts(with: bytes[1]) == arrays[0].starts(with: arrays[1]))
    }
  }

  @Test func takesNoMoreThanItNeeds() {
    var bytes = GrowingBytes()
    #expect(bytes.capacity == 0)
    bytes.reserve(1000)
    #expect(bytes.capacity == 1000)
    bytes.append(contentsOf: 0..<100)
    bytes.trim()
    #expect(bytes.capacity == 100 && bytes[98] == 98)
    for _ in 0..<1 << 20 { bytes.append(1) }
    #expect(bytes.capacity <= bytes.count * 5 / 4)
    bytes.truncate(to: 0)
    bytes.trim()
    #expect(bytes.capacity == 0)
  }

  /// Of nothing, which has no address, to nothing, which has no memory.
  @Test func nothingCanBeAppended() {
    var bytes = GrowingBytes()
    bytes.append([UInt8]().span)
    bytes.append(contentsOf: [])
    #expect(bytes.count == 0 && bytes.capacity == 0 && bytes.span.isEmpty && bytes == GrowingBytes())
    bytes.append(addingCapacity: 3) { $0.append(5) }
    #expect(bytes[0...] == [5] && GrowingBytes([UInt8]().span) == GrowingBytes())
  }

  /// Memory that is large enough for huge pages keeps what is in it as it grows and moves.
  @Test func growsBeyondHugePages() {
    var bytes = GrowingBytes()
    let piece = (0..<100_003).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for _ in 0..<170 { bytes.append(piece.span) }
    #expect(bytes.count == 170 * piece.count && bytes.capacity > 16 << 20)
    for place in [0, 43, 169] { #expect(bytes[place * piece.count..<(place + 1) * piece.count] == piece) }
    bytes.truncate(to: piece.count)
    bytes.trim()
    #expect(bytes.capacity == piece.count && bytes[0...] == piece)
  }

  /// Two mappings, of which only one is in huge pages, could not be mapped elsewhere as they grow, but had to be copied.
  @Test(.enabled(if: !isSanitized, "a sanitizer has its own allocator"))
  func isOneMappingWhereItIsLarge() throws {
    var bytes = GrowingBytes()
    bytes.reserve(9 << 20)
    bytes.append(1)
    let begin = unsafe bytes.span.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    let ranges = maps.split(separator: "\n").map { line in
      line.prefix { $0 != " " }.split(separator: "-").map { Int($0, radix: 16) ?? 0 }
    }
    #expect(ranges.contains { $0[0] <= begin && begin + bytes.capacity <= $0[1] })
  }

  /// Whether the tests run with a sanitizer.
  private static var isSanitized: Bool {
    unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  }

  @Test func aCopyStaysAsItIs() {
    var bytes = GrowingBytes([1, 2, 3].span)
    let copy = bytes
    bytes.append(4)
    #expect(copy[0...] == [1, 2, 3] && bytes[1...] == [2, 3, 4])
    bytes.truncate(to: 1)
    bytes.append(9)
    #expect(copy[0...] == [1, 2, 3] && bytes[0...] == [1, 9])
  }
}

/// SplitMix64.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
