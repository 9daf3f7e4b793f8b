/// The head of a response, and how its content ends.
///
/// Pure: the date comes in as bytes.
package struct ResponseHead: Sendable {
  /// How the recipient finds the content's end (RFC 9112 §6.3).
  package enum Framing: Equatable, Sendable {
    /// No content and no field about it: status 1xx, 204 and 304.
    case none
    /// `Content-Length`; also in the answer to `HEAD`, which has no content.
    case length(Int)
    /// `Transfer-Encoding: chunked`.
    case chunked
    /// The content ends where the connection does: HTTP/1.0.
    case untilClose
  }

  /// What is said about the connection (RFC 9112 §9.3).
  package enum Persistence: Equatable, Sendable {
    /// Nothing, which in HTTP/1.1 means that it stays.
    case implicit
    /// `Connection: keep-alive`, which HTTP/1.0 needs.
    case keepAlive
    /// `Connection: close`.
    case close
  }

  package var status: StatusCode
  package var fields: Fields
  package var framing: Framing
  package var persistence: Persistence

  /// Appends status line, fields and the empty line to `buffer`. `date` is what `HTTPDate` gives.
  ///
  /// - Complexity: O(bytes written).
  package func encode(into buffer: inout [UInt8], date: [UInt8]) {
    buffer.append("HTTP/1.1 ")
    buffer.append(0x30 + UInt8(status.rawValue / 100))
    buffer.append(0x30 + UInt8(status.rawValue / 10 % 10))
    buffer.append(0x30 + UInt8(status.rawValue % 10))
    buffer.append(ByteClass.space)
    buffer.append(status.reasonPhrase)
    buffer.append("\r\nDate: ")
    buffer.append(contentsOf: date)
    buffer.append("\r\n")
    buffer.append(contentsOf: fields.bytes)
    switch framing {
    case .none, .untilClose: break
    case .length(let count):
      buffer.append("Content-Length: ")
      buffer.append(decimal: count)
      buffer.append("\r\n")
    case .chunked: buffer.append("Transfer-Encoding: chunked\r\n")
    }
    switch persistence {
    case .implicit: break
    case .keepAlive: buffer.append("Connection: keep-alive\r\n")
    case .close: buffer.append("Connection: close\r\n")
    }
    buffer.append("\r\n")
  }
}

/// The chunked transfer coding (RFC 9112 §7.1).
package enum ChunkedCoding {
  /// Appends `bytes` as one chunk. An empty one is left out, because it would end the content.
  package static func append(_ bytes: [UInt8], to buffer: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    buffer.append(hexadecimal: bytes.count)
    buffer.append("\r\n")
    buffer.append(contentsOf: bytes)
    buffer.append("\r\n")
  }

  /// `bytes`, which are not empty, as one chunk.
  package static func chunk(of bytes: [UInt8]) -> [UInt8] {
    var chunk: [UInt8] = []
    chunk.reserveCapacity(bytes.count + 20)
    append(bytes, to: &chunk)
    return chunk
  }

  /// The content of a chunk that `chunk` has made.
  static func content(of chunk: [UInt8]) -> ArraySlice<UInt8> {
    guard let lineEnd = chunk.firstIndex(of: UInt8(ascii: "\n")) else {
      preconditionFailure("a chunk begins with its size")
    }
    return chunk[(lineEnd + 1)...].dropLast(2)
  }

  /// Appends the last chunk and an empty trailer section.
  package static func appendEnd(to buffer: inout [UInt8]) {
    buffer.append("0\r\n\r\n")
  }
}
