import HTTPServer
import Testing

@Suite struct DescriptorLimitTests {
  @Test func raisesOnce() throws {
    let first = try #require(DescriptorLimit.raise())
    #expect(first > 0)
    #expect(DescriptorLimit.raise() == first)
  }
}
