import Checker
import Testing

@testable import LoadTest

struct ResponseDecoderTests {
  /// What a decoder tells of responses, content put together.
  private struct Told: Equatable {
    var heads: [ResponseDecoder.Head] = []
    var contents: [[UInt8]] = []
    var ends = 0
  }

  /// Feeds `text` in pieces.
  private static func decode(_ text: String, pieces: (Int) -> Int) throws -> Told {
    let bytes = Array(text.utf8)
    var decoder = ResponseDecoder()
    var told = Told()
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + max(1, pieces(start)))
      let span = bytes.span.extracting(start..<end)
      var position = 0
      while let part = try decoder.next(in: span, from: &position) {
        switch part {
        case .head(let head):
          told.heads.append(head)
          told.contents.append([])
        case .content(let range):
          for index in range { told.contents[told.contents.count - 1].append(span[index]) }
        case .end: told.ends += 1
        }
      }
      #expect(position == end - start)
      start = end
    }
    return told
  }

  private static let long = String(repeating: "x", count: 0xABC)

  private static let responses = """
    HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello\
    HTTP/1.1 100 Continue\r\n\r\n\
    HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: a\r\n\r\n\
    e4;x=y\r\n\(long.prefix(0xE4))\r\nABC\r\n\(long)\r\n1f\r\n\(long.prefix(31))\r\n0\r\nTrailer: x\r\n\r\n\
    HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n\
    HTTP/1.1 404 Not Found\r\ncontent-length:0\r\n\r\n
    """

  @Test(arguments: 0...40)
  func readsResponsesHoweverTheyAreCut(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let told = try Self.decode(Self.responses) { _ in seed == 0 ? .max : seed == 1 ? 1 : random.below(60) }
    #expect(told.heads.map(\.status) == [200, 200, 204, 404])
    #expect(told.heads.map(\.closes) == [false, false, true, false])
    #expect(told.ends == 4)
    #expect(told.contents.map(\.count) == [5, 0xE4 + 0xABC + 31, 0, 0])
    #expect(told.contents[0] == Array("hello".utf8))
  }

  @Test func readsUntilTheConnectionCloses() throws {
    var decoder = ResponseDecoder()
    let bytes = Array("HTTP/1.1 200 OK\r\n\r\nabc".utf8)
    var position = 0
    #expect(try decoder.next(in: bytes.span, from: &position) == .head(.init(status: 200, closes: true)))
    #expect(try decoder.next(in: bytes.span, from: &position) == .content(19..<22))
  }

  @Test(arguments: [
    "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
    "HTTP/1.1 200 OK\r\nA: \(String(repeating: "a", count: 40_000))",
  ])
  func refusesWhatIsNone(_ text: String) {
    #expect(throws: ResponseError.self) { try Self.decode(text) { _ in .max } }
  }
}
