/// Writes the requests of one stream. What is the same in all of them is written once.
package struct RequestTemplate: Sendable {
  private let append: [UInt8]
  private let view: [UInt8]
  private let target: [UInt8]
  private let fields: [UInt8]

  /// The requests for a stream of a server.
  ///
  /// - Parameter authority: host and port, for `Host`.
  package init(authority: String, path: String) {
    let host = " HTTP/1.1\r\nHost: \(authority)\r\n"
    append = Array("POST /v1/blocks/\(path)\(host)Content-Length: ".utf8)
    view = Array("GET /v1/blocks/\(path)".utf8)
    target = Array("/v1/stream/\(path)".utf8)
    fields = Array(host.utf8)
  }

  /// An append of one chunk, which closes the stream if it is the last.
  package func append(_ chunk: ArraySlice<UInt8>, closes: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(append.count + chunk.count + 48)
    bytes += append
    bytes += "\(chunk.count)\r\n".utf8
    if closes { bytes += Self.closedField }
    bytes += Self.lineEnd
    bytes += chunk
    return bytes
  }

  /// A live view: from the position after an event, or from the start with a snapshot.
  package func events(minInterval: Int, lastEventID: [UInt8]?) -> [UInt8] {
    var bytes = view
    if minInterval > 0 { bytes += "?minInterval=\(minInterval)".utf8 }
    bytes += fields
    bytes += Self.acceptField
    if let lastEventID {
      bytes += Self.lastEventIDField
      bytes += lastEventID
      bytes += Self.lineEnd
    }
    bytes += Self.lineEnd
    return bytes
  }

  /// The snapshot.
  package var snapshot: [UInt8] { view + fields + Self.lineEnd }

  /// The stream's deletion.
  package var deletion: [UInt8] { Array("DELETE ".utf8) + target + fields + Self.lineEnd }

  private static let lineEnd = Array("\r\n".utf8)
  private static let closedField = Array("Stream-Closed: true\r\n".utf8)
  private static let acceptField = Array("Accept: text/event-stream\r\n".utf8)
  private static let lastEventIDField = Array("Last-Event-ID: ".utf8)
}
