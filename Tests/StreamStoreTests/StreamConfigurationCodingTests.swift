import Markup
import Testing

@testable import StreamStore

struct StreamConfigurationCodingTests {
  @Test(arguments: Dialect.shipped)
  func comesBackAsItWas(dialect: Dialect) throws {
    for configuration in [
      StreamConfiguration(dialect: dialect),
      StreamConfiguration(
        dialect: dialect, options: .init(open: ["think", "a\"b"], frontMatter: true),
        contentType: "text/plain"),
    ] {
      let encoded = configuration.encoded
      #expect(StreamConfiguration(encoded: encoded) == configuration)
      #expect(StreamConfiguration(encoded: encoded)?.encoded == encoded)
      for end in stride(from: 0, to: encoded.count, by: 7) {
        #expect(StreamConfiguration(encoded: Array(encoded[..<end])) == nil)
      }
    }
  }

  @Test(
    arguments: [
      ("text/plain", "text/plain"), ("Text/PLAIN", "text/plain"), ("text/plain;charset=utf-8", "text/plain"),
      (" application/JSON ; q=1", "application/json"), ("", ""), (";", ""), ("a/b\t", "a/b"),
    ])
  func mediaTypesAreWithoutParametersAndInSmallLetters(contentType: String, expected: String) {
    #expect(StreamConfiguration.mediaType(of: contentType) == expected)
    let configuration = StreamConfiguration(contentType: contentType)
    #expect(StreamConfiguration(encoded: configuration.encoded)?.contentType == contentType)
  }
}
