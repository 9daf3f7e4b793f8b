/// The fields of one head that decide its framing and whether the connection goes on.
struct FramingFields {
  private var hosts = 0
  private var contentLengths = 0
  private var contentLength = 0
  private var transferEncodings = 0
  private var hasClose = false
  private var hasKeepAlive = false
  private var expectations = 0
  private(set) var expectsContinue = false

  /// Takes note of one field line.
  mutating func read(_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Malformation) {
    switch name.count {
    case 4 where name.equalsIgnoringCase("host"):
      guard hosts == 0 else { throw .repeatedHost }
      guard RequestLine.isAuthority(value) else { throw .host }
      hosts = 1
    case 6 where name.equalsIgnoringCase("expect"):
      expectations += 1
      expectsContinue = value.equalsIgnoringCase("100-continue")
    case 10 where name.equalsIgnoringCase("connection"):
      readConnection(value)
    case 14 where name.equalsIgnoringCase("content-length"):
      guard contentLengths == 0 else { throw .repeatedContentLength }
      contentLengths = 1
      contentLength = try Self.decimal(value)
    case 17 where name.equalsIgnoringCase("transfer-encoding"):
      guard transferEncodings == 0, value.equalsIgnoringCase("chunked") else { throw .transferEncoding }
      transferEncodings = 1
    default:
      break
    }
  }

  /// Checks what only the whole head can show.
  func check(_ line: RequestLine) throws(RequestError) {
    if hosts == 0, line.version == .http11 { throw .malformed(.missingHost) }
    if transferEncodings > 0, contentLengths > 0 { throw .malformed(.contentLengthWithTransferEncoding) }
    // RFC 9112 §6.1: HTTP/1.0 has no transfer codings, so where such a message ends is anyone's guess.
    if transferEncodings > 0, line.version == .http10 { throw .malformed(.transferEncoding) }
    if expectations > 0, line.version == .http11, expectations > 1 || !expectsContinue {
      throw .expectationFailed
    }
  }

  /// Where the content ends (RFC 9112 §6.3).
  var framing: Request.Framing {
    if transferEncodings > 0 { return .chunked }
    return contentLengths > 0 ? .length(contentLength) : .none
  }

  /// Whether the client lets the connection go on (RFC 9112 §9.3).
  func isPersistent(_ version: Request.Version) -> Bool {
    !hasClose && (version == .http11 || hasKeepAlive)
  }

  private mutating func readConnection(_ value: Span<UInt8>) {
    var start = 0
    while start <= value.count {
      var end = value.firstIndex(of: ByteClass.comma, in: start..<value.count) ?? value.count
      let next = end + 1
      while start < end, ByteClass.isWhitespace(value[start]) { start += 1 }
      while end > start, ByteClass.isWhitespace(value[end - 1]) { end -= 1 }
      let option = value.extracting(start..<end)
      if option.equalsIgnoringCase("close") { hasClose = true }
      if option.equalsIgnoringCase("keep-alive") { hasKeepAlive = true }
      start = next
    }
  }

  /// A run of digits; a number too large for `Int` is its largest value, which every content limit refuses.
  private static func decimal(_ value: Span<UInt8>) throws(Malformation) -> Int {
    guard value.count > 0 else { throw .contentLength }
    var result = 0
    for index in 0..<value.count {
      guard ByteClass.isDigit(value[index]) else { throw .contentLength }
      let (scaled, overflow) = result.multipliedReportingOverflow(by: 10)
      let (sum, carry) = scaled.addingReportingOverflow(Int(value[index] - 0x30))
      result = overflow || carry ? Int.max : sum
      if overflow || carry {
        for rest in index..<value.count where !ByteClass.isDigit(value[rest]) { throw .contentLength }
        return Int.max
      }
    }
    return result
  }
}
