import ByteStorage
import Testing

@Suite struct LEB128Tests {
  @Test(arguments: [
    (0, [0]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]), (16_384, [0x80, 0x80, 1]),
    (.max, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
  ])
  func writesNumbersInAsManyBytesAsTheyNeed(_ number: Int, _ expected: [UInt8]) {
    var bytes: [UInt8] = []
    bytes.append(leb128: number)
    #expect(bytes == expected)
    bytes.append(leb128: 5)
    var place = 0
    #expect(bytes.span.leb128(at: &place) == number && place == expected.count)
    #expect(bytes.span.leb128(at: &place) == 5 && place == bytes.count)
  }
}
