/// A request method (RFC 9110 §9). Methods are case-sensitive.
package enum Method: Equatable, Sendable {
  case get, head, post, put, delete, options, patch
  /// Any other token, as it was sent.
  case other([UInt8])

  init(_ bytes: Span<UInt8>) {
    switch bytes.count {
    case 3 where bytes.equals("GET"): self = .get
    case 3 where bytes.equals("PUT"): self = .put
    case 4 where bytes.equals("POST"): self = .post
    case 4 where bytes.equals("HEAD"): self = .head
    case 5 where bytes.equals("PATCH"): self = .patch
    case 6 where bytes.equals("DELETE"): self = .delete
    case 7 where bytes.equals("OPTIONS"): self = .options
    default: self = .other(bytes.array)
    }
  }

  /// The method's token.
  package var name: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .patch: "PATCH"
    case .other(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }
}
