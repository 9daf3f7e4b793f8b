import BlockDiff
import Markup
import Testing

@Suite struct OffsetTokenTests {
  @Test(
    arguments: [
      (0, 0), (1, 34), (9_999_999_999_999_999, ByteOffset.limit + 1), (1_732_000_000_000_001, 123_456),
    ] as [(UInt64, Int)])
  func readsWhatItWrites(_ incarnation: UInt64, _ position: Int) {
    let token = OffsetToken(incarnation: incarnation, position: ByteOffset(position))
    #expect(token.description.utf8.count == 33)
    #expect(OffsetToken(token.description.utf8) == token)
  }

  @Test func isZeroPadded() {
    #expect(
      OffsetToken(incarnation: 1, position: ByteOffset(34)).description
        == "0000000000000001_0000000000000034")
  }

  @Test func sortsAsText() {
    let tokens = [(1, 9), (1, 10), (2, 0), (10, 5)].map {
      OffsetToken(incarnation: $0.0, position: ByteOffset($0.1))
    }
    #expect(tokens == tokens.sorted())
    #expect(tokens.map(\.description) == tokens.map(\.description).sorted())
  }

  @Test(arguments: [
    "", "-1", "now", "0000000000000001", "0000000000000001_000000000000003", "1_34",
    "0000000000000001_00000000000000034", "0000000000000001-0000000000000034",
    "000000000000000x_0000000000000034", "0000000000000001_9999999999999999",
    " 000000000000001_0000000000000034", "+000000000000001_0000000000000034",
  ])
  func refusesEverythingElse(_ token: String) {
    #expect(OffsetToken(token.utf8) == nil)
  }
}
