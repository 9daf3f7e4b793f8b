/// Reads HTTP/1.1 responses (RFC 9112) as a client does that trusts its peer to be a server: it takes what servers
/// send, refuses what it cannot find the end of, and looks at no field that it does not need.
package struct ResponseDecoder: ~Copyable {
  /// A head's bytes, at most; more is no server's that this measures.
  private static let maxHeadBytes = 32 << 10

  /// What a client needs to know of a head.
  package struct Head: Equatable, Sendable {
    package var status = 0
    /// Whether the connection closes after it.
    package var closes = false
  }

  /// A piece of a response.
  package enum Part: Equatable, Sendable {
    /// The head of a final response; interim ones are skipped.
    case head(Head)
    /// Content, by its place in the bytes that were given.
    case content(Range<Int>)
    /// The response is over.
    case end
  }

  private enum State {
    case head
    /// So many bytes of content are left.
    case length(Int)
    case chunkSize
    /// So many bytes of the chunk are left, or none and its line end.
    case chunk(Int)
    case chunkEnd
    case trailers
    case untilClose
    case end
  }

  private var state = State.head
  /// The bytes of a line or a head that is not complete yet.
  private var partial: [UInt8] = []

  package init() {}

  /// The next part of what is in `bytes` from `position` on, which moves to its end; `nil` where more is needed.
  package mutating func next(
    in bytes: borrowing Span<UInt8>, from position: inout Int
  ) throws(ResponseError) -> Part? {
    while true {
      switch state {
      case .head:
        guard try takeHead(bytes, &position) else { return nil }
        let (head, framing) = try Self.head(partial)
        partial.removeAll(keepingCapacity: true)
        if head.status < 200 { continue }
        state = framing
        return .head(head)
      case .end:
        state = .head
        return .end
      case .length(0): state = .end
      case .length(let left):
        guard let range = Self.take(left, bytes, &position) else { return nil }
        state = .length(left - range.count)
        return .content(range)
      case .untilClose:
        guard let range = Self.take(.max, bytes, &position) else { return nil }
        return .content(range)
      case .chunkSize:
        guard try takeLine(bytes, &position) else { return nil }
        let size = try Self.chunkSize(partial)
        partial.removeAll(keepingCapacity: true)
        state = size == 0 ? .trailers : .chunk(size)
      case .chunk(0): state = .chunkEnd
      case .chunk(let left):
        guard let range = Self.take(left, bytes, &position) else { return nil }
        state = .chunk(left - range.count)
        return .content(range)
      case .chunkEnd:
        guard try takeLine(bytes, &position) else { return nil }
        guard partial.isEmpty else { throw .malformed }
        state = .chunkSize
      case .trailers:
        guard try takeLine(bytes, &position) else { return nil }
        if partial.isEmpty { state = .end }
        partial.removeAll(keepingCapacity: true)
      }
    }
  }

  // MARK: - Bytes

  private static func take(_ count: Int, _ bytes: borrowing Span<UInt8>, _ position: inout Int) -> Range<Int>?
  {
    guard position < bytes.count else { return nil }
    let start = position
    position += min(count, bytes.count - start)
    return start..<position
  }

  /// Adds to `partial` up to a line end, which is left out. Whether the line is complete.
  private mutating func takeLine(
    _ bytes: borrowing Span<UInt8>, _ position: inout Int
  ) throws(ResponseError) -> Bool {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == 0x0A {
        if partial.last == 0x0D { partial.removeLast() }
        return true
      }
      guard partial.count < Self.maxHeadBytes else { throw .headTooLarge }
      partial.append(byte)
    }
    return false
  }

  /// Adds to `partial` up to an empty line. Whether the head is complete.
  private mutating func takeHead(
    _ bytes: borrowing Span<UInt8>, _ position: inout Int
  ) throws(ResponseError) -> Bool {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      guard partial.count < Self.maxHeadBytes else { throw .headTooLarge }
      // Carriage returns stand only before line feeds.
      if byte == 0x0D { continue }
      if byte == 0x0A, partial.isEmpty || partial.last == 0x0A { return true }
      partial.append(byte)
    }
    return false
  }

  // MARK: - Fields

  private static let version = Array("HTTP/1.1 ".utf8)

  private static func head(_ bytes: [UInt8]) throws(ResponseError) -> (Head, State) {
    guard bytes.count > 12, bytes.starts(with: version), let status = number(bytes[9..<12]) else {
      throw .malformed
    }
    var head = Head(status: status)
    var framing = State.untilClose
    for line in bytes.split(separator: 0x0A).dropFirst() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
      let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      switch line[..<colon].count {
      case 14 where isName(line[..<colon], "content-length"):
        guard let length = number(value) else { throw .malformed }
        if case .untilClose = framing { framing = .length(length) }
      case 17 where isName(line[..<colon], "transfer-encoding"): framing = .chunkSize
      case 10 where isName(line[..<colon], "connection"): head.closes = isName(value, "close")
      default: break
      }
    }
    if status == 204 || status == 304 { framing = .length(0) }
    if case .untilClose = framing { head.closes = true }
    return (head, framing)
  }

  /// Compares without regard to case; `name` is in small letters.
  private static func isName(_ bytes: ArraySlice<UInt8>, _ name: StaticString) -> Bool {
    bytes.elementsEqual(name.description.utf8) { $0 | 0x20 == $1 || $0 == $1 }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count < 16 else { return nil }
    var number = 0
    for digit in digits {
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      number = number * 10 + Int(digit - 0x30)
    }
    return number
  }

  private static func chunkSize(_ line: [UInt8]) throws(ResponseError) -> Int {
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
    guard !digits.isEmpty, digits.count < 12 else { throw .malformed }
    var size = 0
    for digit in digits {
      switch digit {
      case 0x30...0x39: size = size << 4 + Int(digit - 0x30)
      case 0x41...0x46, 0x61...0x66: size = size << 4 + Int(digit | 0x20) - 0x61 + 10
      default: throw .malformed
      }
    }
    return size
  }
}

/// Why bytes are no response.
package enum ResponseError: Error, Equatable, Sendable {
  case malformed
  case headTooLarge
}
