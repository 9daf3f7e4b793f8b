import Testing

@testable import StreamStore

struct StreamPathTests {
  @Test(arguments: [
    "a", "a/b", "A-Z.a_z~0/9", "...", "a/...", ".a", "a.", String(repeating: "x", count: 512),
  ])
  func takesSegmentsOfAllowedBytes(text: String) {
    #expect(StreamPath(text)?.description == text)
  }

  @Test(arguments: [
    "", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a b", "a%20b", "ä", "a+b", "a?b",
    String(repeating: "x", count: 513),
  ])
  func refusesEverythingElse(text: String) {
    #expect(StreamPath(text) == nil)
  }

  @Test func isEqualToItsCopyWhereverItLies() throws {
    let buffer = Array("POST /v1/blocks/answers/one two".utf8)
    let slice = try #require(StreamPath(buffer[16..<27]))
    let whole = try #require(StreamPath("answers/one"))
    #expect(slice == whole)
    #expect(slice.hashValue == whole.hashValue)
    #expect(slice.owned == whole)
    #expect(Set([slice, whole]).count == 1)
  }
}
