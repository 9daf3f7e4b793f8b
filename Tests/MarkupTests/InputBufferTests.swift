import Checker
import Testing

@testable import Markup

/// The scan for stops, 16 bytes at a time, against one that looks at each character.
@Suite struct InputBufferTests {
  private static let stops = [
    TextStops(), TextStops(hasSpans: false), TextStops("|\\"), TextStops("\\$", hasSpans: false),
    TextStops(" #\t"),
  ]

  @Test(arguments: [1, 7, 64])
  func findsTheFirstStopFromEveryOffset(_ chunk: Int) {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<60 {
      let bytes = Self.bytes(&generator)
      var input = InputBuffer()
      var begin = 0
      while begin < bytes.count {
        let end = min(begin + chunk, bytes.count)
        input.append(bytes.span, begin..<end)
        begin = end
      }
      for stops in Self.stops {
        for set in [stops.own, stops.withTags] {
          for offset in 0...input.available where offset == input.available || bytes[offset] & 0xC0 != 0x80 {
            let expected = Self.plainEnd(bytes, from: offset, to: input.available, set)
            #expect(input.plainEnd(from: offset, set) == expected, "\(bytes), from \(offset)")
          }
        }
      }
    }
  }

  /// Runs of a class, 16 bytes at a time, are those that are found byte by byte.
  @Test(arguments: [ByteClass.backtick, .tilde, .info, .infoWithoutBacktick], 1...8 as ClosedRange<UInt64>)
  func findsTheEndOfARun(_ byteClass: ByteClass, _ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    #expect(byteClass.isLong)
    for _ in 0..<100 {
      let fill: UInt8 = byteClass == .backtick ? 0x60 : 0x7E
      let bytes = (0..<Int(generator.next() % 80)).map { _ in
        let byte = UInt8(generator.next() % 0x100)
        return generator.next() % 12 == 0 ? byte : fill
      }
      var input = InputBuffer()
      input.append(bytes.span, 0..<bytes.count)
      for offset in 0...input.available {
        #expect(
          input.runEnd(from: offset, others: { byteClass.others(of: $0) })
            == input.runEnd(from: offset) { byteClass.plainlyContains($0) })
      }
    }
  }

  @Test(arguments: [
    ("abc", 3..<6, true), ("ab", 6..<8, true), ("abc", 6..<9, false), ("abc", 3..<5, false),
    ("", 9..<9, true),
  ])
  func holdsBytes(_ other: String, _ range: Range<Int>, _ isHeld: Bool) {
    var input = InputBuffer(from: 3)
    input.append(Array("abcabd".utf8).span, 0..<6)
    let isFound = input.holds(Array(other.utf8).span, at: range)
    #expect(isFound == isHeld)
  }

  @Test func keepsOffsetsWhenBytesAreDropped() {
    var input = InputBuffer()
    let bytes = Array("0123456789".utf8)
    input.append(bytes.span, 0..<10)
    #expect(input.drop(before: 3, roomKept: 100) == 0 && input.begin == 0)
    #expect(input.drop(before: 6, roomKept: 100) == 4 && input.begin == 6)
    #expect(input[6] == bytes[6] && Array(input[7..<10]) == Array(bytes[7..<10]))
    #expect(input.drop(before: 10, roomKept: 0) == 0 && input.total == 10)
    input.append(bytes.span, 0..<1)
    #expect(input[10] == bytes[0] && input.available == 11)
  }

  /// Bytes that were dropped are written over: those that are there stay what they are.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func holdsWhatCameAndWasNotDropped(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var input = InputBuffer()
    var all: [UInt8] = []
    for turn in 0..<200 {
      let count = turn % 50 == 0 ? 300 : Int(generator.next() % 30)
      let new = (0..<count).map { _ in UInt8(generator.next() % 0x80) }
      input.append(new.span, 0..<count)
      all += new
      let dropped = input.begin + Int(generator.next() % UInt64(all.count - input.begin + 1))
      let room = input.footprint
      _ = input.drop(before: dropped, roomKept: 1_000)
      #expect(input.begin <= dropped && input.total == all.count && input.footprint == room)
      #expect(Array(input[input.begin..<input.total]) == Array(all[input.begin...]))
    }
  }

  /// Mostly words, with stops, control bytes, characters of every length and what is no character.
  private static func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
    let pieces =
      [
        "a", "word", "sixteen letters.", " ", "\t", "\n", "\r", "\0", "|", "\\", "<", "`", "$", "#", "\u{7F}",
        "é", "日本語", "日本語の文章です。", "ภาษาไทย", "한국어", "😀",
      ].map { Array($0.utf8) } + [
        [0x80], [0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xF0, 0x9F], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
      ]
    return (0..<Int(generator.next() % 12)).flatMap { _ in
      pieces[Int(generator.next() % UInt64(pieces.count))]
    }
  }

  private static func plainEnd(_ bytes: [UInt8], from begin: Int, to end: Int, _ stops: StopSet) -> Int {
    var index = begin
    while index < end {
      let (length, isValid) = UTF8Text.sequence(in: bytes, at: index)
      if !isValid || bytes[index] < 0x80 && stops.contains(bytes[index]) { break }
      index += length
    }
    return index
  }
}
