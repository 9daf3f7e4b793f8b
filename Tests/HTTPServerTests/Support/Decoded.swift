import Testing

@testable import HTTPServer

/// What a decoder made of some bytes, pieces of content joined so that splits of the input do not show.
enum Decoded: Equatable {
  case head(String)
  case content(String)
  case end
  case refused(RequestError)

  /// Feeds the pieces to a new decoder, one call after the other.
  static func events(_ pieces: [[UInt8]], limits: RequestDecoder.Limits = .init()) -> [Decoded] {
    var decoder = RequestDecoder(limits: limits)
    return events(pieces, &decoder)
  }

  static func events(_ pieces: [[UInt8]], _ decoder: inout RequestDecoder) -> [Decoded] {
    var result: [Decoded] = []
    var content: [UInt8] = []
    for piece in pieces {
      var position = 0
      feeding: while true {
        let event = decoder.next(in: piece.span, at: &position)
        if case .content(let range) = event {
          content += piece[range]
          continue
        }
        if event == .needsInput { break feeding }
        if !content.isEmpty { result.append(.content(String(decoding: content, as: UTF8.self))) }
        content = []
        switch event {
        case .head(let request): result.append(.head(summary(of: request)))
        case .end: result.append(.end)
        case .refused(let error):
          result.append(.refused(error))
          return result
        case .needsInput, .content: break
        }
      }
    }
    if !content.isEmpty { result.append(.content(String(decoding: content, as: UTF8.self))) }
    return result
  }

  static func events(_ text: String, limits: RequestDecoder.Limits = .init()) -> [Decoded] {
    events([Array(text.utf8)], limits: limits)
  }

  /// Everything that a request says, in one line.
  static func summary(of request: Request) -> String {
    var parts = [request.method.name, String(decoding: request.path, as: UTF8.self)]
    if let query = request.query { parts.append("?" + String(decoding: query, as: UTF8.self)) }
    parts.append("\(request.version) \(request.targetForm) \(request.framing)")
    if !request.isPersistent { parts.append("close") }
    if request.expectsContinue { parts.append("continue") }
    if let authority = request.authority { parts.append("for " + String(decoding: authority, as: UTF8.self)) }
    parts += request.fields.lines.map { "\($0.name)=\($0.value)" }
    return parts.joined(separator: " ")
  }
}
