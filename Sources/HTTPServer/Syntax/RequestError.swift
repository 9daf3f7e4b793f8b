/// Why a request is refused, in the terms that decide its status code. The connection closes after every one.
package enum RequestError: Error, Equatable, Sendable {
  /// The bytes are not a request by RFC 9112: `400`.
  case malformed(Malformation)
  /// A major version other than 1: `505`.
  case unsupportedVersion
  /// An `Expect` other than `100-continue`: `417`.
  case expectationFailed
  /// The request line is longer than `limit` bytes, its CRLF not counted: `414`.
  case requestLineTooLong(limit: Int)
  /// Request line and field lines (or the trailer section) take more than `limit` bytes: `431`.
  case headTooLarge(limit: Int)
  /// More than `limit` field lines: `431`.
  case tooManyFields(limit: Int)
  /// The content is longer than `limit` bytes: `413`.
  case contentTooLarge(limit: Int)
  /// The head did not arrive in time: `408`.
  case headTimedOut
  /// No more of the content arrived in time: `408`.
  case contentTimedOut
  /// The server holds as many connections as it may: `503` with `Retry-After`.
  case tooManyConnections(limit: Int)
  /// The server holds as many bytes of content as it may: `503` with `Retry-After`.
  case tooManyBytesInFlight(limit: Int)
}

/// The rule of RFC 9112 or RFC 9110 that a request breaks.
package enum Malformation: Error, Equatable, Sendable {
  /// Not `method SP request-target SP HTTP-version` (RFC 9112 §3).
  case requestLine
  /// A method that is no token (RFC 9110 §9.1).
  case method
  /// A target of no known form, or with a byte that no target holds (RFC 9112 §3.2).
  case target
  /// A version that is not `HTTP/DIGIT.DIGIT` (RFC 9112 §2.3).
  case version
  /// A field line without a colon, or with a name that is no token (RFC 9110 §5.1).
  case fieldName
  /// A control byte in a field value (RFC 9110 §5.5).
  case controlByte
  /// White space between field name and colon (RFC 9112 §5.1).
  case whitespaceBeforeColon
  /// A field line that continues the one before (RFC 9112 §5.2).
  case obsoleteFold
  /// LF without CR (RFC 9112 §2.2).
  case bareLineFeed
  /// CR without LF (RFC 9112 §2.2).
  case bareCarriageReturn
  /// No `Host` in HTTP/1.1 (RFC 9112 §3.2).
  case missingHost
  /// More than one `Host` (RFC 9112 §3.2).
  case repeatedHost
  /// A `Host` or authority that is not `uri-host [ ":" port ]` (RFC 9110 §7.2).
  case host
  /// More than one `Content-Length`, even if equal (RFC 9112 §6.3).
  case repeatedContentLength
  /// A `Content-Length` that is not one run of digits (RFC 9110 §8.6).
  case contentLength
  /// Both `Content-Length` and `Transfer-Encoding` (RFC 9112 §6.3).
  case contentLengthWithTransferEncoding
  /// Anything but one `Transfer-Encoding: chunked` (RFC 9112 §6.1), or one in HTTP/1.0.
  case transferEncoding
  /// A chunk size that is not 1 to 16 hexadecimal digits (RFC 9112 §7.1).
  case chunkSize
  /// A chunk extension with a control byte, or longer than the limit (RFC 9112 §7.1.1).
  case chunkExtension
  /// Chunk data not followed by CRLF (RFC 9112 §7.1).
  case chunkEnd
}
