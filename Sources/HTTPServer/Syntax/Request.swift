/// A request's head: what its request line and field lines say.
package struct Request: Equatable, Sendable {
  /// The minor version decides persistence and framing; any `HTTP/1.x` with x over 1 counts as 1.1.
  package enum Version: Sendable { case http10, http11 }

  /// Where the content ends (RFC 9112 §6.3).
  package enum Framing: Equatable, Sendable {
    case none
    case length(Int)
    case chunked
  }

  /// The form of the request target (RFC 9112 §3.2). The authority form is refused.
  package enum TargetForm: Sendable { case origin, absolute, asterisk }

  package let method: Method
  package let version: Version
  package let targetForm: TargetForm
  /// The field lines. Their buffer is the head as received.
  package let fields: Fields
  /// Where the content ends.
  package let framing: Framing
  /// Whether the client lets the connection go on (RFC 9112 §9.3).
  package let isPersistent: Bool
  /// Whether the client waits for `100 Continue` before it sends the content.
  package let expectsContinue: Bool

  let pathRange: Range<Int>
  let queryRange: Range<Int>?
  let authorityRange: Range<Int>?

  /// The path as sent, percent-encoded; `/` where an absolute-form target has none, `*` for the asterisk form.
  package var path: ArraySlice<UInt8> {
    pathRange.isEmpty ? [ByteClass.slash] : fields.bytes[pathRange]
  }

  /// The query as sent, without its `?`, or `nil` where there is no `?`.
  package var query: ArraySlice<UInt8>? { queryRange.map { fields.bytes[$0] } }

  /// Host and port that the request is for: an absolute-form target's, else the `Host` field's. `nil` only in
  /// HTTP/1.0.
  package var authority: ArraySlice<UInt8>? {
    authorityRange.map { fields.bytes[$0] } ?? fields["host"]
  }

  /// The path with percent-encoding undone, or `nil` where a `%` is not followed by two hexadecimal digits.
  package var decodedPath: [UInt8]? { PercentEncoding.decode(path, plusIsSpace: false) }

  /// The query's parameters, decoded, or `nil` where a `%` is not followed by two hexadecimal digits.
  package var queryParameters: QueryParameters? { QueryParameters(query ?? []) }
}
