import Testing

@testable import HTTPServer

@Suite struct ResponseHeadTests {
  static func encoded(
    _ status: StatusCode, _ fields: Fields = [:], _ framing: ResponseHead.Framing,
    _ persistence: ResponseHead.Persistence = .implicit
  ) -> String {
    var buffer: [UInt8] = []
    ResponseHead(status: status, fields: fields, framing: framing, persistence: persistence)
      .encode(into: &buffer, date: Array("D".utf8))
    return String(decoding: buffer, as: UTF8.self)
  }

  @Test func writesFieldsInOrder() {
    #expect(
      Self.encoded(.ok, ["A": "1", "B": "2", "A": "3"], .length(12))
        == "HTTP/1.1 200 OK\r\nDate: D\r\nA: 1\r\nB: 2\r\nA: 3\r\nContent-Length: 12\r\n\r\n")
  }

  @Test func writesFramingAndPersistence() {
    #expect(Self.encoded(.noContent, [:], .none) == "HTTP/1.1 204 No Content\r\nDate: D\r\n\r\n")
    #expect(
      Self.encoded(.ok, [:], .chunked, .close)
        == "HTTP/1.1 200 OK\r\nDate: D\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
    #expect(
      Self.encoded(StatusCode(rawValue: 299), [:], .untilClose, .keepAlive)
        == "HTTP/1.1 299 \r\nDate: D\r\nConnection: keep-alive\r\n\r\n")
  }

  @Test func keepsValuesFromEndingTheirLine() {
    var fields = Fields()
    fields.append("A", "x\r\nB: y\u{0}\tz\u{7F}")
    #expect(Self.encoded(.ok, fields, .none) == "HTTP/1.1 200 OK\r\nDate: D\r\nA: x  B: y \tz \r\n\r\n")
  }

  @Test func writesChunks() {
    var buffer: [UInt8] = []
    ChunkedCoding.append([], to: &buffer)
    ChunkedCoding.append(Array("hello".utf8), to: &buffer)
    ChunkedCoding.append([UInt8](repeating: 0x78, count: 300), to: &buffer)
    ChunkedCoding.appendEnd(to: &buffer)
    let long = String(repeating: "x", count: 300)
    #expect(String(decoding: buffer, as: UTF8.self) == "5\r\nhello\r\n12c\r\n\(long)\r\n0\r\n\r\n")
  }

  @Test(arguments: [1, 15, 16, 300])
  func findsTheContentOfAChunk(count: Int) {
    let content = (0..<count).map { UInt8($0 % 14) }
    let chunk = ChunkedCoding.chunk(of: content)
    var buffer: [UInt8] = []
    ChunkedCoding.append(content, to: &buffer)
    #expect(chunk == buffer)
    #expect(Array(ChunkedCoding.content(of: chunk)) == content)
  }

  @Test(arguments: [0, 1, 9, 10, 15, 16, 255, 256, 1_000_000, Int.max])
  func writesNumbers(number: Int) {
    var decimal: [UInt8] = []
    decimal.append(decimal: number)
    #expect(String(decoding: decimal, as: UTF8.self) == String(number))
    var hexadecimal: [UInt8] = []
    hexadecimal.append(hexadecimal: number)
    #expect(String(decoding: hexadecimal, as: UTF8.self) == String(number, radix: 16))
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
  ])
  func writesDates(seconds: Int, date: String) {
    #expect(String(decoding: HTTPDate.bytes(seconds: seconds), as: UTF8.self) == date)
  }
}
