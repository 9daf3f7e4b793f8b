import Testing

@testable import HTTPServer

@Suite struct RequestTests {
  static func request(_ target: String, _ fields: String = "") throws -> Request {
    var decoder = RequestDecoder()
    var position = 0
    let input = Array("GET \(target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n".utf8)
    let event = decoder.next(in: input.span, at: &position)
    guard case .head(let request) = event else { throw RequestError.malformed(.requestLine) }
    return request
  }

  @Test func looksUpFieldsWithoutRegardToCase() throws {
    let fields = try Self.request("/", "ACCEPT: a\r\nX: y\r\naccept: b\r\n").fields
    #expect(fields.string("accept") == "a")
    #expect(fields.all("accept").map { String(decoding: $0, as: UTF8.self) } == ["a", "b"])
    #expect(fields.combined("accept") == "a, b")
    #expect(fields.contains("x"))
    #expect(!fields.contains("y"))
    #expect(fields.combined("y") == nil)
    #expect(fields.count == 4)
  }

  @Test func decodesPathAndParameters() throws {
    let request = try Self.request("/a%2Fb%20c?x=1&x=%32+3&y&=z&&k=a=b")
    #expect(String(decoding: request.path, as: UTF8.self) == "/a%2Fb%20c")
    #expect(request.decodedPath == Array("/a/b c".utf8))
    let parameters = try #require(request.queryParameters)
    #expect(parameters.all("x") == ["1", "2 3"])
    #expect(parameters["x"] == "1")
    #expect(parameters["y"] == "")
    #expect(parameters["k"] == "a=b")
    #expect(parameters[""] == "z")
    #expect(parameters["missing"] == nil)
    #expect(parameters.parameters.count == 5)
  }

  @Test(arguments: ["%", "%4", "%4g", "a%zz", "%%41"])
  func refusesBrokenPercentEncoding(text: String) throws {
    let request = try Self.request("/\(text)?a=\(text)")
    #expect(request.decodedPath == nil)
    #expect(request.queryParameters == nil)
  }
}
