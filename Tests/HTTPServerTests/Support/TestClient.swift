import Foundation
import Testing

@testable import HTTPServer

/// A client over a bare socket: it sends and receives the bytes it is told to, each within a time limit.
///
/// Its calls block a queue of its own, so that a test never blocks a thread that the server's tasks need.
final class TestClient: Sendable {
  enum Failure: Error, Equatable {
    case cannotConnect(Int32)
    case sendFailed(Int32)
    case receiveFailed(Int32)
    case timedOut
    case closed
    case malformed(String)
  }

  /// A response as received; chunked content is decoded.
  struct Answer {
    var status: Int
    var fields: [(name: String, value: String)]
    var content: String

    subscript(_ name: String) -> String? {
      fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "test-client")
  private let received = Lock<[UInt8]>([])

  /// Connects to a port of this machine. `receiveBufferBytes` makes a peer that soon takes no more.
  init(port: UInt16, receiveBufferBytes: Int32? = nil, seconds: Int = 20) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if let receiveBufferBytes {
      try ListeningSocket.setOption(descriptor, SOL_SOCKET, SO_RCVBUF, receiveBufferBytes)
    }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure.cannotConnect(errno) }
  }

  deinit { SystemCall.close(descriptor) }

  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  // MARK: - Bytes

  /// Sends all of the text.
  func send(_ text: String) async throws {
    try await send(Array(text.utf8))
  }

  /// Sends all of the bytes.
  func send(_ bytes: [UInt8]) async throws {
    try await onQueue { [self] in
      var sent = 0
      while sent < bytes.count {
        let result = unsafe bytes.withUnsafeBytes {
          unsafe Foundation.send(
            descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
        }
        if result < 0, errno == EINTR { continue }
        guard result > 0 else { throw errno == EAGAIN ? Failure.timedOut : Failure.sendFailed(errno) }
        sent += result
      }
    }
  }

  /// Sends each byte by itself, without delay.
  func sendByteByByte(_ text: String) async throws {
    try ListeningSocket.setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    for byte in text.utf8 { try await send([byte]) }
  }

  /// Ends this side's sending.
  func halfClose() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Ends the connection both ways.
  func close() {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Receives once and adds it to what is there. False at the end.
  private func receiveMore() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw errno == EAGAIN ? Failure.timedOut : Failure.receiveFailed(errno) }
      received.withLock { $0.append(contentsOf: buffer[..<count]) }
      return count > 0
    }
  }

  /// Everything up to and with the first `end`.
  func receive(through end: String) async throws -> String {
    try await onQueue { [self] in try String(decoding: take(through: Array(end.utf8)), as: UTF8.self) }
  }

  /// Exactly so many bytes.
  func receive(count: Int) async throws -> [UInt8] {
    try await onQueue { [self] in try take(count: count) }
  }

  /// Everything up to the end of the connection.
  func receiveAll() async throws -> String {
    try await onQueue { [self] in
      while try receiveMore() {}
      return received.withLock { bytes in
        defer { bytes = [] }
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// Waits until the peer has closed, and tells whether it sent nothing more.
  func isClosedByPeer() async throws -> Bool {
    do {
      return try await receiveAll().isEmpty
    } catch Failure.receiveFailed(ECONNRESET) {
      return true
    }
  }

  private func take(count: Int) throws -> [UInt8] {
    while received.withLock({ $0.count }) < count {
      guard try receiveMore() else { throw Failure.closed }
    }
    return received.withLock { bytes in
      defer { bytes.removeFirst(count) }
      return Array(bytes[..<count])
    }
  }

  private func take(through end: [UInt8]) throws -> [UInt8] {
    var searched = 0
    while true {
      let bytes = received.withLock { $0 }
      if let found = bytes[searched...].firstRange(of: end) { return try take(count: found.upperBound) }
      searched = max(0, bytes.count - end.count)
      guard try receiveMore() else { throw Failure.closed }
    }
  }

  // MARK: - Responses

  /// The head of the next response: everything but its content.
  func receiveHead() async throws -> Answer {
    let text = try await receive(through: "\r\n\r\n")
    // CRLF is one character.
    var lines = text.dropLast(2).split(separator: "\r\n", omittingEmptySubsequences: false)
    let parts = lines.removeFirst().split(separator: " ")
    guard parts.count >= 2, parts[0] == "HTTP/1.1", let status = Int(parts[1]) else {
      throw Failure.malformed(text)
    }
    let fields = try lines.map { line in
      guard let colon = line.firstIndex(of: ":") else { throw Failure.malformed(text) }
      return (
        name: String(line[..<colon]),
        value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      )
    }
    return Answer(status: status, fields: fields, content: "")
  }

  /// One chunk of content, or `nil` after the last one.
  func receiveChunk() async throws -> String? {
    let line = try await receive(through: "\r\n")
    guard let count = Int(line.dropLast(1), radix: 16) else { throw Failure.malformed(line) }
    let content = try await receive(count: count + 2)
    guard content.suffix(2) == [0x0D, 0x0A] else { throw Failure.malformed(line) }
    return count == 0 ? nil : String(decoding: content.dropLast(2), as: UTF8.self)
  }

  /// The next response with its content. `hasContent` is false for the answer to `HEAD`.
  func receiveAnswer(hasContent: Bool = true) async throws -> Answer {
    var answer = try await receiveHead()
    if !hasContent || answer.status == 204 || answer.status == 304 { return answer }
    if answer["Transfer-Encoding"] == "chunked" {
      while let chunk = try await receiveChunk() { answer.content += chunk }
    } else if let count = answer["Content-Length"].flatMap({ Int($0) }) {
      answer.content = String(decoding: try await receive(count: count), as: UTF8.self)
    } else {
      answer.content = try await receiveAll()
    }
    return answer
  }

  /// Sends a request without content and receives its answer.
  func get(_ target: String, fields: String = "") async throws -> Answer {
    try await send("GET \(target) HTTP/1.1\r\nHost: test\r\n\(fields)\r\n")
    return try await receiveAnswer()
  }
}
