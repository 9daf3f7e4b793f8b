import BlockDiff
import Foundation

/// An HTTP client over one blocking socket: it sends and receives what it is told to, each within a time limit.
///
/// Used on a thread of its own (`TestService.run`), never on one that the server's tasks need.
final class Client {
  enum Failure: Error, Equatable {
    case cannotConnect(Int32)
    case sendFailed(Int32)
    case receiveFailed(Int32)
    case timedOut
    case closed
    case malformed(String)
  }

  /// A response with its content, chunked coding removed.
  struct Answer {
    var status: Int
    var fields: [(name: String, value: String)]
    var content: [UInt8] = []

    subscript(_ name: String) -> String? {
      fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: content, as: UTF8.self) }

    /// The content as JSON.
    func json() throws -> JSONValue { try JSONReader.value(of: content) }

    /// The name of the problem that the content is.
    var problem: String? {
      guard self["Content-Type"] == "application/problem+json",
        let type = (try? json())?["type"]?.string?.description
      else { return nil }
      return type.split(separator: "/").last.map(String.init)
    }
  }

  private let descriptor: Int32
  private var received: [UInt8] = []
  private var start = 0

  /// Connects to a port of this machine. `receiveBufferBytes` makes a peer that soon takes no more.
  init(port: UInt16, receiveBufferBytes: Int32? = nil, seconds: Int = 30) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let size = socklen_t(MemoryLayout<Int32>.size)
    if var bytes = receiveBufferBytes {
      _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, size)
    }
    var one: Int32 = 1
    _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, size)
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    let limitSize = socklen_t(MemoryLayout<timeval>.size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, limitSize)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, limitSize)
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

  deinit { close(descriptor) }

  // MARK: - Bytes

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let result = unsafe bytes.withUnsafeBytes {
        unsafe Foundation.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw errno == EAGAIN ? Failure.timedOut : Failure.sendFailed(errno) }
      sent += result
    }
  }

  /// Sends one chunk of a chunked body; an empty one ends it.
  func sendChunk(_ bytes: [UInt8]) throws {
    try send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A])
  }

  /// Ends this side's sending.
  func halfClose() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Receives once. False at the end of the connection.
  private func receiveMore() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw errno == EAGAIN ? Failure.timedOut : Failure.receiveFailed(errno) }
      if start > 0 {
        received.removeFirst(start)
        start = 0
      }
      received.append(contentsOf: buffer[..<count])
      return count > 0
    }
  }

  /// Whether nothing but the end of the connection comes.
  func isAtEnd() throws -> Bool {
    if start < received.count { return false }
    do { return try !receiveMore() } catch Failure.receiveFailed(ECONNRESET) { return true }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while received.count - start < count {
      guard try receiveMore() else { throw Failure.closed }
    }
    defer { start += count }
    return Array(received[start..<start + count])
  }

  /// Everything up to the next CRLF, without it.
  private func line() throws -> String {
    var searched = 0
    while true {
      if let found = received[(start + searched)...].firstIndex(of: 0x0A) {
        let bytes = received[start..<found]
        start = found + 1
        return String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
      }
      searched = received.count - start
      guard try receiveMore() else { throw Failure.closed }
    }
  }

  // MARK: - Requests

  /// Sends a request with its content, if it has one.
  func sendRequest(
    _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
  ) throws {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: test\r\n"
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    if let body { text += "Content-Length: \(body.count)\r\n" }
    try send(Array((text + "\r\n").utf8) + (body ?? []))
  }

  /// Sends a request and receives its answer.
  func request(
    _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
  ) throws -> Answer {
    try sendRequest(method, target, fields, body: body)
    return try answer(hasContent: method != "HEAD")
  }

  func get(_ target: String, _ fields: [String: String] = [:]) throws -> Answer {
    try request("GET", target, fields)
  }

  func post(_ target: String, _ text: String, _ fields: [String: String] = [:]) throws -> Answer {
    try request("POST", target, fields, body: Array(text.utf8))
  }

  // MARK: - Answers

  /// The next response's head.
  func head() throws -> Answer {
    let first = try line()
    let parts = first.split(separator: " ")
    guard parts.count >= 2, parts[0] == "HTTP/1.1", let status = Int(parts[1]) else {
      throw Failure.malformed(first)
    }
    var answer = Answer(status: status, fields: [])
    while true {
      let line = try line()
      if line.isEmpty { return answer }
      guard let colon = line.firstIndex(of: ":") else { throw Failure.malformed(line) }
      answer.fields.append(
        (String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
    }
  }

  /// One chunk of content, or `nil` after the last one.
  func chunk() throws -> [UInt8]? {
    let size = try line()
    guard let count = Int(size, radix: 16) else { throw Failure.malformed(size) }
    let content = try take(count + 2)
    guard content.suffix(2) == [0x0D, 0x0A] else { throw Failure.malformed(size) }
    return count == 0 ? nil : Array(content.dropLast(2))
  }

  /// The next response with its content; interim responses are skipped.
  func answer(hasContent: Bool = true) throws -> Answer {
    var answer = try head()
    while answer.status < 200 { answer = try head() }
    if !hasContent || answer.status == 204 || answer.status == 304 { return answer }
    if answer["Transfer-Encoding"] == "chunked" {
      while let chunk = try chunk() { answer.content += chunk }
    } else if let count = answer["Content-Length"].flatMap({ Int($0) }) {
      answer.content = try take(count)
    }
    return answer
  }
}
