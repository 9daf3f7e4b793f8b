import Digest
import Testing

@Suite struct SHA256Tests {
  @Test func digestsOfTheStandardsExamples() {
    // FIPS 180-4, examples "abc" and the empty message.
    #expect(
      String(decoding: SHA256.hexDigest(of: Array("abc".utf8)), as: UTF8.self)
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      String(decoding: SHA256.hexDigest(of: []), as: UTF8.self)
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }
}
