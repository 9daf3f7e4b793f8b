import BlockDiff
import HTTPServer
import Markup
import StreamStore

/// What a `GET` of a source asks for (Durable Streams 1.0 §5.6 to §5.8). Parameters that are not known say nothing, as
/// the protocol's extensions need.
struct SourceQuery {
  enum Offset: Equatable {
    case beginning
    /// The tail, whatever that is by then.
    case now
    case token(OffsetToken)
  }

  enum Live: String {
    case longPoll = "long-poll"
    case sse
  }

  var offset = Offset.beginning
  var live: Live?
  var cursor: String?

  init(_ request: Request) throws(ServiceError) {
    guard let query = request.query, !query.isEmpty else { return }
    guard let parameters = request.queryParameters else { throw .malformedQuery }
    let offsets = parameters.all("offset")
    guard offsets.count < 2 else { throw .repeatedParameter(name: "offset") }
    if let value = parameters["live"] {
      guard let live = Live(rawValue: value) else {
        throw .invalidValue(name: "live", value: value, accepted: "long-poll, sse")
      }
      self.live = live
    }
    if let value = offsets.first { offset = try Self.offset(value) }
    cursor = parameters["cursor"]
    if live == .sse, let id = request.fields["last-event-id"], !id.isEmpty {
      guard let token = OffsetToken(id) else {
        throw .malformedOffset(name: "Last-Event-ID", value: String(decoding: id, as: UTF8.self))
      }
      offset = .token(token)
    } else if let live, offsets.isEmpty {
      throw .missingParameter(name: "offset", neededBy: "live=\(live.rawValue)")
    }
  }

  private static func offset(_ value: String) throws(ServiceError) -> Offset {
    switch value {
    case "-1": return .beginning
    case "now": return .now
    default:
      guard let token = OffsetToken(value.utf8) else {
        throw .malformedOffset(name: "offset", value: value)
      }
      return .token(token)
    }
  }
}

extension OffsetToken {
  /// The token of no stream's beginning, which is taken for that of every stream's.
  static let beginning = OffsetToken(incarnation: 0, position: .zero)
}

extension BlockStream {
  /// The source position of a token: that after the end of a finished stream, which the blocks view has, is its tail.
  func sourcePosition(of token: OffsetToken) throws(StreamError) -> Int {
    if token == .beginning { return 0 }
    return min(try position(of: token).value, status.tail.position.value)
  }
}
