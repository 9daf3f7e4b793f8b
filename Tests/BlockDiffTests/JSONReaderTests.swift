import BlockDiff
import Testing

@Suite struct JSONReaderTests {
  private func value(_ text: String) throws(JSONError) -> JSONValue {
    try JSONReader.value(of: Array(text.utf8))
  }

  @Test func readsEveryKindOfValue() throws {
    #expect(
      try value(#" {"a":[1,-2,1.5,1e3],"b":null,"c":true,"d":false,"e":"x\u00e9\ud83d\ude00\n","f":{}} "#)
        == .object([
          JSONValue.Member(
            name: "a", value: .array([.integer(1), .integer(-2), .fraction(1.5), .fraction(1000)])),
          JSONValue.Member(name: "b", value: .null),
          JSONValue.Member(name: "c", value: .boolean(true)),
          JSONValue.Member(name: "d", value: .boolean(false)),
          JSONValue.Member(name: "e", value: .string("xé😀\n")),
          JSONValue.Member(name: "f", value: .object([])),
        ]))
  }

  @Test func comparesTextByBytes() throws {
    #expect(try value(#""\u00e9""#) != value(#""e\u0301""#))
  }

  @Test(
    arguments: [
      ("", .unexpectedEnd), ("{", .unexpectedEnd), (#"{"a":1,"a":2}"#, .repeatedName("a", offset: 7)),
      ("[1,]", .unexpectedByte(offset: 3)), ("1 2", .unexpectedByte(offset: 2)),
      (#""\x""#, .malformedEscape(offset: 1)), (#""\ud800x""#, .malformedEscape(offset: 1)),
      (#""\udc00""#, .malformedEscape(offset: 1)), ("1-", .malformedNumber(offset: 0)),
      ("tru", .unexpectedEnd), ("trux", .unexpectedByte(offset: 3)), ("\"a\n\"", .unexpectedByte(offset: 2)),
      (String(repeating: "[", count: 65), .tooDeep(offset: 64)),
    ] as [(String, JSONError)])
  func refusesWhatIsNoJSON(_ text: String, _ error: JSONError) {
    #expect(throws: error) { try value(text) }
  }
}
