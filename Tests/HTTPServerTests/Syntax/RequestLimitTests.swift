import Testing

@testable import HTTPServer

@Suite struct RequestLimitTests {
  static func head(_ fields: String) -> String { "GET / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n" }

  static func fill(_ count: Int) -> String { String(repeating: "a", count: count) }

  /// All events of the whole text, which byte by byte must give again.
  static func events(
    _ text: String, _ limits: RequestDecoder.Limits = .init(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Decoded] {
    let whole = Decoded.events(text, limits: limits)
    let single = Decoded.events(text.utf8.map { [$0] }, limits: limits)
    #expect(whole == single, sourceLocation: sourceLocation)
    return whole
  }

  @Test func hasTheDocumentedDefaults() {
    let limits = RequestDecoder.Limits()
    #expect(limits.maxRequestLineBytes == 8192)
    #expect(limits.maxHeadBytes == 32_768)
    #expect(limits.maxFields == 128)
    #expect(limits.maxContentBytes == 8_388_608)
    #expect(limits.maxChunkExtensionBytes == 256)
  }

  @Test func limitsTheRequestLine() {
    let longest = "GET /" + Self.fill(8192 - 14) + " HTTP/1.1"
    #expect(longest.utf8.count == 8192)
    #expect(Self.events(longest + "\r\nHost: h\r\n\r\n").last == .end)
    let longer = "GET /" + Self.fill(8192 - 13) + " HTTP/1.1"
    #expect(Self.events(longer + "\r\nHost: h\r\n\r\n") == [.refused(.requestLineTooLong(limit: 8192))])
    #expect(Self.events("GET /" + Self.fill(9000)) == [.refused(.requestLineTooLong(limit: 8192))])
  }

  @Test func limitsTheHead() {
    let rest = 32_768 - Self.head("").utf8.count - "A: \r\n".utf8.count
    #expect(Self.events(Self.head("A: \(Self.fill(rest))\r\n")).last == .end)
    #expect(
      Self.events(Self.head("A: \(Self.fill(rest + 1))\r\n")) == [.refused(.headTooLarge(limit: 32_768))])
    #expect(
      Self.events("GET / HTTP/1.1\r\nA: " + Self.fill(40_000)) == [.refused(.headTooLarge(limit: 32_768))])
  }

  @Test func limitsTheFields() {
    let line = "a: b\r\n"
    #expect(Self.events(Self.head(String(repeating: line, count: 127))).last == .end)
    #expect(
      Self.events(Self.head(String(repeating: line, count: 128))) == [.refused(.tooManyFields(limit: 128))])
  }

  @Test func limitsTheTrailers() {
    let request = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    #expect(Self.events(request + String(repeating: "a: b\r\n", count: 128) + "\r\n").last == .end)
    #expect(
      Self.events(request + String(repeating: "a: b\r\n", count: 129)).last
        == .refused(.tooManyFields(limit: 128)))
    #expect(Self.events(request + "a: " + Self.fill(33_000)).last == .refused(.headTooLarge(limit: 32_768)))
  }

  @Test func limitsContentByLengthBeforeItIsRead() {
    var limits = RequestDecoder.Limits()
    limits.maxContentBytes = 10
    let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: "
    #expect(Self.events(head + "10\r\n\r\n0123456789", limits).last == .end)
    #expect(Self.events(head + "11\r\n\r\n", limits).last == .refused(.contentTooLarge(limit: 10)))
    let digits = String(repeating: "9", count: 40)
    #expect(Self.events(head + digits + "\r\n\r\n", limits).last == .refused(.contentTooLarge(limit: 10)))
  }

  @Test func limitsContentInChunks() {
    var limits = RequestDecoder.Limits()
    limits.maxContentBytes = 10
    let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(Self.events(head + "6\r\n012345\r\n4\r\n6789\r\n0\r\n\r\n", limits).last == .end)
    #expect(
      Self.events(head + "6\r\n012345\r\n5\r\n", limits).last == .refused(.contentTooLarge(limit: 10)))
    #expect(
      Self.events(head + "7FFFFFFFFFFFFFFF\r\n", limits).last == .refused(.contentTooLarge(limit: 10)))
  }

  @Test func limitsChunkExtensions() {
    let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(Self.events(head + "1;" + Self.fill(255) + "\r\nx\r\n0\r\n\r\n").last == .end)
    #expect(Self.events(head + "1;" + Self.fill(256)).last == .refused(.malformed(.chunkExtension)))
  }

  @Test func limitsTheExtensionsOfAllChunksTogether() {
    let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    let chunk = "1;" + Self.fill(255) + "\r\nx\r\n"
    #expect(Self.events(head + String(repeating: chunk, count: 64) + "0\r\n\r\n").last == .end)
    #expect(
      Self.events(head + String(repeating: chunk, count: 66)).last == .refused(.malformed(.chunkExtension)))
  }

  @Test(arguments: [
    (RequestError.malformed(.host), 400), (.requestLineTooLong(limit: 1), 414),
    (.headTooLarge(limit: 1), 431),
    (.tooManyFields(limit: 1), 431), (.contentTooLarge(limit: 1), 413), (.headTimedOut, 408),
    (.contentTimedOut, 408), (.unsupportedVersion, 505), (.expectationFailed, 417),
    (.tooManyConnections(limit: 1), 503), (.tooManyBytesInFlight(limit: 1), 503),
  ])
  func knowsTheStatusOfEachRefusal(error: RequestError, status: Int) {
    #expect(error.status.rawValue == status)
  }
}
