import HTTPServer
import StreamStore

/// What a request's path names.
enum Route: Equatable {
  case root
  case blocks(StreamPath)
  case source(StreamPath)
  case live
  case parse
  case check
  case loads
  /// A load test, by its job's name.
  case load(String)
  case livez
  case readyz
  /// The asterisk form: the server itself.
  case server

  /// The methods that the route has. `HEAD` goes with `GET`, and every route has `OPTIONS`.
  var methods: [Method] {
    switch self {
    case .root, .live, .livez, .readyz: [.get, .head, .options]
    case .blocks: [.get, .head, .post, .delete, .options]
    case .source: [.get, .head, .put, .post, .delete, .options]
    case .parse, .check, .loads: [.post, .options]
    case .load: [.get, .head, .delete, .options]
    case .server: [.options]
    }
  }

  /// Finds the route of a path as sent. A stream's path may be percent-encoded.
  init(_ path: ArraySlice<UInt8>) throws(ServiceError) {
    if path.starts(with: Self.blocksPrefix) {
      let rest = path.dropFirst(Self.blocksPrefix.count)
      self = .blocks(try Self.streamPath(rest))
      return
    }
    if path.starts(with: Self.sourcePrefix) {
      let rest = path.dropFirst(Self.sourcePrefix.count)
      let stream = try Self.streamPath(rest)
      // Reserved for subscriptions (Durable Streams 1.0 §6), which are not offered.
      if stream.bytes.split(separator: UInt8(ascii: "/")).first?.elementsEqual("__ds".utf8) ?? false {
        throw .noResource(path: String(decoding: path, as: UTF8.self))
      }
      self = .source(stream)
      return
    }
    if path.starts(with: Self.loadPrefix) {
      self = .load(String(decoding: path.dropFirst(Self.loadPrefix.count), as: UTF8.self))
      return
    }
    switch String(decoding: path, as: UTF8.self) {
    case "/": self = .root
    case "/v1/blocks", "/v1/stream": throw .malformedPath("")
    case "/v1/live": self = .live
    case "/v1/parse": self = .parse
    case "/v1/check": self = .check
    case "/v1/load": self = .loads
    case "/livez": self = .livez
    case "/readyz": self = .readyz
    case "*": self = .server
    case let other: throw .noResource(path: other)
    }
  }

  /// Reads a stream's path; unreserved characters may be percent-encoded (RFC 3986 §2.3).
  private static func streamPath(_ bytes: ArraySlice<UInt8>) throws(ServiceError) -> StreamPath {
    if let path = StreamPath(bytes) { return path }
    if bytes.contains(UInt8(ascii: "%")),
      let decoded = PercentEncoding.decode(bytes, plusIsSpace: false), let path = StreamPath(decoded[...])
    {
      return path
    }
    throw .malformedPath(String(decoding: bytes.prefix(StreamPath.maxBytes), as: UTF8.self))
  }

  private static let blocksPrefix = Array("/v1/blocks/".utf8)
  private static let sourcePrefix = Array("/v1/stream/".utf8)
  private static let loadPrefix = Array("/v1/load/".utf8)
}
