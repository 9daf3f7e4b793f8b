import BlockDiff
import HTTPServer
import Markup
import StreamStore

/// The fields of a request that creates a stream (Durable Streams 1.0 §5.1, §4.2).
struct CreationFields {
  var request = CreationRequest()
  /// The path of the stream to fork.
  var source: StreamPath?
  var forkOffset: OffsetToken?
  /// Messages, or bytes, after the fork offset that the fork has, too.
  var forkSubOffset: Int?

  init(_ fields: Fields, dialects: [Dialect]) throws(ServiceError) {
    let append = try AppendFields.request(fields, dialects: dialects, of: .source)
    request.configuration = append.configuration
    guard fields.containsName(prefix: "stream-") else { return }
    request.closes = append.closes
    request.lifetime = try Self.lifetime(fields)
    if let value = fields.string("stream-forked-from") {
      guard let path = Self.path(value) else {
        throw .invalidValue(
          name: "Stream-Forked-From", value: value, accepted: "the path of a stream's URL: /v1/stream/…")
      }
      source = path
    }
    if let value = fields["stream-fork-offset"] {
      try requireSource("Stream-Fork-Offset")
      guard let token = OffsetToken(value) else {
        throw .malformedOffset(
          name: "Stream-Fork-Offset", value: String(decoding: value, as: UTF8.self))
      }
      forkOffset = token
    }
    if let value = fields.string("stream-fork-sub-offset") {
      try requireSource("Stream-Fork-Sub-Offset")
      guard let number = Self.number(value) else {
        throw .invalidValue(
          name: "Stream-Fork-Sub-Offset", value: value, accepted: "a whole number without leading zeros")
      }
      forkSubOffset = number
    }
  }

  private func requireSource(_ field: String) throws(ServiceError) {
    guard source == nil else { return }
    throw .missingParameter(name: "Stream-Forked-From", neededBy: field)
  }

  private static func lifetime(_ fields: Fields) throws(ServiceError) -> Lifetime? {
    let idle = fields.string("stream-ttl")
    let end = fields.string("stream-expires-at")
    if idle != nil, end != nil { throw .conflictingParameters("Stream-TTL", "Stream-Expires-At") }
    if let idle {
      guard let seconds = number(idle), seconds <= Lifetime.maxIdleSeconds else {
        throw .invalidValue(
          name: "Stream-TTL", value: idle,
          accepted: "a whole number of seconds up to \(Lifetime.maxIdleSeconds), without leading zeros")
      }
      return .idle(seconds: seconds)
    }
    guard let end else { return nil }
    guard let moment = RFC3339.moment(end) else {
      throw .invalidValue(name: "Stream-Expires-At", value: end, accepted: "a date and time by RFC 3339")
    }
    return .until(moment)
  }

  /// Digits without leading zeros.
  private static func number(_ text: String) -> Int? {
    guard text == "0" || !text.hasPrefix("0") else { return nil }
    return Query.number(text)
  }

  /// The stream's path in the path of its URL.
  private static func path(_ value: String) -> StreamPath? {
    guard case .source(let path)? = try? Route(Array(value.utf8)[...]) else { return nil }
    return path
  }
}
