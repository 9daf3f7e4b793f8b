import BlockDiff
import HTTPServer
import StreamStore

/// The fields that answers have in common.
enum Answer {
  static let json: Fields = ["Content-Type": "application/json", "X-Content-Type-Options": "nosniff"]
  /// For what changes: a cache has to ask.
  static let state: Fields = [
    "Content-Type": "application/json", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache",
  ]
  static let text: Fields = [
    "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff",
  ]
  static let html: Fields = [
    "Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff",
  ]
  /// For what is sent as it happens: proxies must not hold it back.
  static let lines: Fields = [
    "Content-Type": "application/x-ndjson", "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache", "X-Accel-Buffering": "no",
  ]
  static let events: Fields = [
    "Content-Type": "text/event-stream", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
  ]
}

extension Fields {
  /// Adds `Stream-Next-Offset`, and `Stream-Closed` where the stream is finished.
  mutating func append(_ status: StreamStatus) {
    reserve(bytes: 64, lines: 2)
    var token: [UInt8] = []
    token.reserveCapacity(33)
    status.tail.append(to: &token)
    append("Stream-Next-Offset", token)
    if status.isFinished { append("Stream-Closed", Array("true".utf8)) }
  }
}
