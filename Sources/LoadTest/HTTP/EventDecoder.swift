/// Reads the server-sent events of a live view (WHATWG HTML §9.2.6), as far as the service uses them.
package struct EventDecoder: ~Copyable {
  /// The events of a live view (api.md §2, *SSE*).
  package enum Kind: Equatable, Sendable {
    case snapshot, diff, finished, lagged
  }

  /// One event.
  package struct Event: Equatable, Sendable {
    package var kind: Kind
    /// The position after it.
    package var id: [UInt8]
    package var data: [UInt8]
  }

  /// An event's bytes, at most: a snapshot of the largest stream, with room for its JSON.
  private static let maxEventBytes = 256 << 20

  private var buffer: [UInt8] = []
  /// Up to here no event ends.
  private var searched = 0

  package init() {}

  /// Takes bytes of the response's content.
  package mutating func append(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
    for index in range { buffer.append(bytes[index]) }
  }

  /// The next event of what has been taken; `nil` where none is complete.
  package mutating func next() throws(ResponseError) -> Event? {
    var start = 0
    defer {
      buffer.removeFirst(start)
      searched -= start
    }
    while let end = end() {
      // The slice is gone before the buffer changes, or that would copy it.
      let event = try Self.event(buffer[start..<end])
      start = end + 1
      searched = start
      if let event { return event }
    }
    guard buffer.count - start <= Self.maxEventBytes else { throw .headTooLarge }
    return nil
  }

  /// The offset of the line feed that is an empty line; behind it is the next event.
  private mutating func end() -> Int? {
    while searched + 1 < buffer.count {
      if buffer[searched] == 0x0A, buffer[searched + 1] == 0x0A { return searched + 1 }
      searched += 1
    }
    return nil
  }

  /// The event of a block of lines; `nil` where it is a comment, or only says when to come again.
  private static func event(_ block: ArraySlice<UInt8>) throws(ResponseError) -> Event? {
    var kind: Kind?
    var id: ArraySlice<UInt8> = []
    var data: ArraySlice<UInt8>?
    for line in block.split(separator: 0x0A) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
      var value = line[(colon + 1)...]
      if value.first == 0x20 { value.removeFirst() }
      switch line[..<colon] {
      case idName: id = value
      case dataName: data = value
      case eventName:
        switch value {
        case snapshotName: kind = .snapshot
        case diffName: kind = .diff
        case finishedName: kind = .finished
        case laggedName: kind = .lagged
        default: throw .malformed
        }
      case retryName, []: break
      default: throw .malformed
      }
    }
    guard let data else { return nil }
    guard let kind else { throw .malformed }
    return Event(kind: kind, id: Array(id), data: Array(data))
  }

  /// The position that an event's ID names: the number behind the incarnation. 0 where it is no ID.
  package static func position(ofID id: [UInt8]) -> Int {
    var position = 0
    for digit in id.suffix(16) where digit >= 0x30 && digit <= 0x39 {
      position = position * 10 + Int(digit - 0x30)
    }
    return position
  }

  private static let idName = Array("id".utf8)[...]
  private static let dataName = Array("data".utf8)[...]
  private static let eventName = Array("event".utf8)[...]
  private static let retryName = Array("retry".utf8)[...]
  private static let snapshotName = Array("snapshot".utf8)[...]
  private static let diffName = Array("diff".utf8)[...]
  private static let finishedName = Array("finished".utf8)[...]
  private static let laggedName = Array("lagged".utf8)[...]
}
