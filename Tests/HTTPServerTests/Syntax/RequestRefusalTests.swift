import Testing

@testable import HTTPServer

@Suite struct RequestRefusalTests {
  struct Refused: CustomTestStringConvertible, Sendable {
    let input: String
    let error: RequestError
    var testDescription: String { String(input.debugDescription.prefix(90)) }

    init(_ input: String, _ malformation: Malformation) {
      self.input = input
      error = .malformed(malformation)
    }

    init(_ input: String, _ error: RequestError) {
      self.input = input
      self.error = error
    }

    /// A refusal of field lines that follow a good request line and `Host`.
    static func fields(_ lines: String, _ malformation: Malformation) -> Refused {
      Refused("POST / HTTP/1.1\r\nHost: h\r\n" + lines, malformation)
    }

    /// A refusal of a chunked body.
    static func chunks(_ body: String, _ malformation: Malformation) -> Refused {
      fields("Transfer-Encoding: chunked\r\n\r\n" + body, malformation)
    }
  }

  static let requestLines = [
    Refused("\u{16}\u{03}\u{01}", .method),
    Refused(" GET / HTTP/1.1\r\n", .method),
    Refused("G@T / HTTP/1.1\r\n", .method),
    Refused("GET\r\n", .requestLine),
    Refused("GET /\r\n", .requestLine),
    Refused("GET  / HTTP/1.1\r\n", .requestLine),
    Refused("GET /  HTTP/1.1\r\n", .version),
    Refused("GET / HTTP/1.1 \r\n", .version),
    Refused("GET / x HTTP/1.1\r\n", .version),
    Refused("GET\t/ HTTP/1.1\r\n", .method),
    Refused("GET / http/1.1\r\n", .version),
    Refused("GET / HTTP/1.10\r\n", .version),
    Refused("GET / HTTP/1\r\n", .version),
    Refused("GET / HTTP/2.0\r\n", .unsupportedVersion),
    Refused("PRI * HTTP/2.0\r\n", .unsupportedVersion),
    Refused("GET / HTTP/0.9\r\n", .unsupportedVersion),
    Refused("GET a HTTP/1.1\r\n", .target),
    Refused("GET * HTTP/1.1\r\n", .target),
    Refused("CONNECT h:80 HTTP/1.1\r\n", .target),
    Refused("GET ftp://h/ HTTP/1.1\r\n", .target),
    Refused("GET http:///p HTTP/1.1\r\n", .host),
    Refused("GET http://u@h/p HTTP/1.1\r\n", .host),
    Refused("GET http:// HTTP/1.1\r\n", .target),
    Refused("GET /#f HTTP/1.1\r\n", .target),
    Refused("GET /\u{7F} HTTP/1.1\r\n", .target),
    Refused("GET /\u{0} HTTP/1.1\r\n", .target),
    Refused("GET /é HTTP/1.1\r\n", .target),
    Refused("GET / HTTP/1.1\n", .bareLineFeed),
    Refused("\n", .bareLineFeed),
    Refused("GET /\r HTTP/1.1\r\n", .bareCarriageReturn),
    Refused("GET / HTTP/1.1\r\r\n", .bareCarriageReturn),
    Refused("\r\n\r\n", .requestLine),
  ]

  static let fieldLines = [
    Refused.fields("A: b\nC: d\r\n\r\n", .bareLineFeed),
    Refused.fields("\n", .bareLineFeed),
    Refused.fields("A: b\rC: d\r\n\r\n", .bareCarriageReturn),
    Refused.fields("A: b\r\r\n", .bareCarriageReturn),
    Refused.fields("\r\r\n", .bareCarriageReturn),
    Refused.fields("A: b\r\n c\r\n", .obsoleteFold),
    Refused.fields("A: b\r\n\tc\r\n", .obsoleteFold),
    Refused.fields(" \r\n", .obsoleteFold),
    Refused("GET / HTTP/1.1\r\n Host: h\r\n", .obsoleteFold),
    Refused.fields("A : b\r\n", .whitespaceBeforeColon),
    Refused.fields("A\t: b\r\n", .whitespaceBeforeColon),
    Refused.fields("A b: c\r\n", .fieldName),
    Refused.fields(": b\r\n", .fieldName),
    Refused.fields("A\r\n", .fieldName),
    Refused.fields("A(b: c\r\n", .fieldName),
    Refused.fields("Ä: c\r\n", .fieldName),
    Refused.fields("A: b\u{0}c\r\n", .controlByte),
    Refused.fields("A: \u{1B}[1m\r\n", .controlByte),
    Refused.fields("A: \u{7F}\r\n", .controlByte),
    Refused.fields("\u{0}: a\r\n", .fieldName),
  ]

  static let hosts = [
    Refused("GET / HTTP/1.1\r\n\r\n", .missingHost),
    Refused("GET http://h/ HTTP/1.1\r\n\r\n", .missingHost),
    Refused.fields("hOST: h\r\n", .repeatedHost),
    Refused("GET / HTTP/1.0\r\nHost: h\r\nHost: h\r\n", .repeatedHost),
    Refused("GET / HTTP/1.1\r\nHost: a b\r\n", .host),
    Refused("GET / HTTP/1.1\r\nHost: a, b\r\n", .host),
    Refused("GET / HTTP/1.1\r\nHost: a/b\r\n", .host),
    Refused("GET / HTTP/1.1\r\nHost: u@h\r\n", .host),
    Refused("GET / HTTP/1.1\r\nHost: h:x\r\n", .host),
    Refused("GET / HTTP/1.1\r\nHost: [::1\r\n", .host),
    Refused("GET / HTTP/1.1\r\nHost: [::1]x\r\n", .host),
  ]

  static let framing = [
    Refused.fields("Content-Length: 1\r\nContent-Length: 2\r\n\r\nx", .repeatedContentLength),
    Refused.fields("Content-Length: 1\r\nContent-Length: 1\r\n\r\nx", .repeatedContentLength),
    Refused.fields("Content-Length: 1, 1\r\n\r\nx", .contentLength),
    Refused.fields("Content-Length:\r\n\r\n", .contentLength),
    Refused.fields("Content-Length: +1\r\n\r\n", .contentLength),
    Refused.fields("Content-Length: -1\r\n\r\n", .contentLength),
    Refused.fields("Content-Length: 0x1\r\n\r\n", .contentLength),
    Refused.fields("Content-Length: 1 2\r\n\r\n", .contentLength),
    Refused.fields("Content-Length: 1.0\r\n\r\n", .contentLength),
    Refused.fields("Content-Length: 99999999999999999999999x\r\n\r\n", .contentLength),
    Refused.fields(
      "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n", .contentLengthWithTransferEncoding),
    Refused.fields(
      "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n", .contentLengthWithTransferEncoding),
    Refused.fields("Transfer-Encoding: gzip\r\n\r\n", .transferEncoding),
    Refused.fields("Transfer-Encoding: identity\r\n\r\n", .transferEncoding),
    Refused.fields("Transfer-Encoding: gzip, chunked\r\n\r\n", .transferEncoding),
    Refused.fields("Transfer-Encoding: chunked, gzip\r\n\r\n", .transferEncoding),
    Refused.fields("Transfer-Encoding: chunked, chunked\r\n\r\n", .transferEncoding),
    Refused.fields("Transfer-Encoding: chunked;x\r\n\r\n", .transferEncoding),
    Refused.fields("Transfer-Encoding: xchunked\r\n\r\n", .transferEncoding),
    Refused.fields("Transfer-Encoding:\r\n\r\n", .transferEncoding),
    Refused.fields("Transfer-Encoding: \"chunked\"\r\n\r\n", .transferEncoding),
    Refused.fields("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", .transferEncoding),
    Refused("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncoding),
    Refused("GET / HTTP/1.1\r\nHost: h\r\nExpect: miracles\r\n\r\n", .expectationFailed),
    Refused(
      "GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nExpect: 100-continue\r\n\r\n",
      .expectationFailed),
  ]

  static let chunks = [
    Refused.chunks("\r\n", .chunkSize),
    Refused.chunks("g\r\n", .chunkSize),
    Refused.chunks("0x5\r\n", .chunkSize),
    Refused.chunks("-5\r\n", .chunkSize),
    Refused.chunks("+5\r\n", .chunkSize),
    Refused.chunks(" 5\r\n", .chunkSize),
    Refused.chunks("5 \r\nhello\r\n", .chunkSize),
    Refused.chunks("5 ;x\r\nhello\r\n", .chunkSize),
    Refused.chunks(";x\r\n", .chunkSize),
    Refused.chunks("00000000000000005\r\n", .chunkSize),
    Refused.chunks("8000000000000000\r\n", .chunkSize),
    Refused.chunks("FFFFFFFFFFFFFFFF\r\n", .chunkSize),
    Refused.chunks("5\nhello\r\n", .bareLineFeed),
    Refused.chunks("5\rhello\r\n", .bareCarriageReturn),
    Refused.chunks("5;x\nhello\r\n", .bareLineFeed),
    Refused.chunks("5;x\rhello\r\n", .bareCarriageReturn),
    Refused.chunks("5;\u{0}\r\nhello\r\n", .chunkExtension),
    Refused.chunks("5\r\nhelloX\r\n", .chunkEnd),
    Refused.chunks("5\r\nhello\n", .chunkEnd),
    Refused.chunks("5\r\nhello\rX", .chunkEnd),
    Refused.chunks("0\r\nA : b\r\n", .whitespaceBeforeColon),
    Refused.chunks("0\r\nA: b\n", .bareLineFeed),
    Refused.chunks("0\r\n A: b\r\n", .obsoleteFold),
    Refused.chunks("0\r\nGET / HTTP/1.1\r\n", .fieldName),
  ]

  static let all = requestLines + fieldLines + hosts + framing + chunks

  /// A complete request, which must never be read after a refusal.
  static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"

  @Test(arguments: all)
  func refuses(_ example: Refused) {
    #expect(Decoded.events(example.input).last == .refused(example.error))
  }

  @Test(arguments: all)
  func refusesByteByByte(_ example: Refused) {
    #expect(Decoded.events(example.input.utf8.map { [$0] }).last == .refused(example.error))
  }

  @Test(arguments: all)
  func neverReadsARequestAfterARefusal(_ example: Refused) {
    var decoder = RequestDecoder()
    let input = Array((example.input + Self.smuggled).utf8)
    let first = Decoded.events([input], &decoder)
    #expect(first.last == .refused(example.error))
    let second = Decoded.events([Array(Self.smuggled.utf8)], &decoder)
    #expect(second == [.refused(example.error)])
  }

  /// Pairs that two readers could take for different requests: the second of each must not be seen.
  @Test(arguments: [
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG",
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding : chunked\r\nContent-Length: 4\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\u{0B}chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nX: y\rTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nX: y\nContent-Length: 44\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0;\nxx\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2;\nxx\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nA0\r\n\r\n",
    "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n Content-Length: 0\r\n\r\n",
  ])
  func doesNotSeeASmuggledRequest(_ input: String) {
    let events = Decoded.events(input + Self.smuggled)
    guard case .refused(.malformed)? = events.last else {
      Issue.record("not refused: \(events)")
      return
    }
    for case .head(let head) in events { #expect(!head.contains("/smuggled")) }
  }
}
