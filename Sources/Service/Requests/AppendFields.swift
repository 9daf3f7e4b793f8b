import BlockDiff
import HTTPServer
import Markup
import StreamStore

/// The fields of a request that appends (api.md §1).
enum AppendFields {
  /// The largest epoch and sequence number: what JavaScript counts exactly.
  private static let maxCount = (1 << 53) - 1
  /// The longest name of a producer and the longest `Stream-Seq`: both are kept with the stream.
  private static let maxKeptBytes = 256

  /// Which of a stream's views a request is for.
  enum View {
    case blocks
    /// Content types are taken as they are.
    case source
  }

  /// Reads everything that the fields say of an append; its bytes are the content.
  static func request(
    _ fields: Fields, dialects: [Dialect], of view: View = .blocks
  ) throws(ServiceError) -> AppendRequest {
    var result = AppendRequest()
    if let value = fields["content-type"] {
      switch view {
      case .blocks: result.configuration.contentType = try contentType(value)
      case .source: if !value.isEmpty { result.configuration.contentType = text(value) }
      }
    }
    // Most appends say no more, and looking for each field would cost more than looking for none.
    if fields.containsName(prefix: "mooring-") { try readConfiguration(fields, dialects, &result) }
    result.producer = try producer(fields)
    guard fields.containsName(prefix: "stream-") else { return result }
    // Whatever else it is, it is as if it were not there (Durable Streams 1.0 §4.1).
    result.closes = fields.string("stream-closed")?.lowercased() == "true"
    if let value = fields["stream-expected-offset"] {
      guard let token = OffsetToken(value) else {
        throw .malformedOffset(name: "Stream-Expected-Offset", value: text(value))
      }
      result.expectedOffset = token
    }
    if let value = fields["stream-seq"] {
      guard !value.isEmpty, value.count <= maxKeptBytes else {
        throw .invalidValue(
          name: "Stream-Seq", value: text(value), accepted: "1 to \(maxKeptBytes) bytes")
      }
      result.sequence = Array(value)
    }
    return result
  }

  private static func text(_ value: ArraySlice<UInt8>) -> String { String(decoding: value, as: UTF8.self) }

  private static func flag(_ name: String, _ value: ArraySlice<UInt8>?) throws(ServiceError) -> Bool? {
    guard let value else { return nil }
    switch text(value).lowercased() {
    case "true": return true
    case "false": return false
    default: throw .invalidValue(name: name, value: text(value), accepted: "true, false")
    }
  }

  private static func producer(_ fields: Fields) throws(ServiceError) -> ProducerStamp? {
    guard fields.containsName(prefix: "producer-") else { return nil }
    let id = fields["producer-id"]
    let epoch = fields["producer-epoch"]
    let sequence = fields["producer-seq"]
    guard let id, let epoch, let sequence else {
      let missing = [("Producer-Id", id), ("Producer-Epoch", epoch), ("Producer-Seq", sequence)]
        .filter { $0.1 == nil }.map(\.0)
      if missing.count == 3 { return nil }
      throw .partialProducerFields(missing: missing)
    }
    guard !id.isEmpty, id.count <= maxKeptBytes else {
      throw .invalidValue(name: "Producer-Id", value: text(id), accepted: "1 to \(maxKeptBytes) bytes")
    }
    return ProducerStamp(
      id: Array(id), epoch: try count("Producer-Epoch", epoch), sequence: try count("Producer-Seq", sequence))
  }

  private static func count(_ name: String, _ value: ArraySlice<UInt8>) throws(ServiceError) -> Int {
    guard let number = Query.number(text(value)), number <= maxCount else {
      throw .invalidValue(
        name: name, value: text(value), accepted: "a whole number from 0 to \(maxCount)")
    }
    return number
  }

  private static func readConfiguration(
    _ fields: Fields, _ dialects: [Dialect], _ request: inout AppendRequest
  ) throws(ServiceError) {
    if let value = fields["mooring-source"] {
      throw .invalidValue(
        name: "Mooring-Source", value: text(value), accepted: "no such field: the source is Markdown")
    }
    if let value = fields["mooring-dialect"] {
      request.configuration.dialect = try dialect("Mooring-Dialect", text(value), of: dialects)
    }
    if let value = fields["mooring-open"] {
      request.configuration.open = text(value).split(separator: ",").map { String($0.trimmedSpaces) }
    }
    request.configuration.frontMatter = try flag(
      "Mooring-Front-Matter", fields["mooring-front-matter"])
  }

  /// The dialect with a name.
  static func dialect(
    _ parameter: String, _ name: String, of dialects: [Dialect]
  ) throws(ServiceError) -> Dialect {
    guard let dialect = dialects.first(where: { $0.name == name }) else {
      throw .invalidValue(
        name: parameter, value: name, accepted: dialects.map(\.name).joined(separator: ", "))
    }
    return dialect
  }

  /// The media type that a stream is created with, or `nil` where the field says nothing of it: curl sends
  /// `application/x-www-form-urlencoded` with `--data-binary` unless it is told otherwise.
  private static func contentType(_ value: ArraySlice<UInt8>) throws(ServiceError) -> String? {
    if value.elementsEqual("text/markdown".utf8) { return "text/markdown" }
    let type = value.prefix { $0 != UInt8(ascii: ";") }
    switch String(decoding: type, as: UTF8.self).trimmedSpaces.lowercased() {
    case "text/markdown": return "text/markdown"
    case "text/plain": return "text/plain"
    case "application/x-www-form-urlencoded", "": return nil
    case let other: throw .notMarkup(type: other)
    }
  }
}
