import BlockDiff
import Foundation
import Testing

/// Reads server-sent events from a client's response as WHATWG HTML §9.2.6 says, as far as this service uses it.
final class EventReader {
  struct Event: Equatable {
    var id: String
    var name: String
    var data: [UInt8]
  }

  private let client: Client
  private var content: [UInt8] = []
  private var isOver = false
  /// The response's head.
  let head: Client.Answer
  private(set) var retry: Int?
  private(set) var comments = 0
  private(set) var events = 0

  /// Sends the request and reads the head.
  init(_ client: Client, _ target: String, _ fields: [String: String] = [:]) throws {
    self.client = client
    var all = fields
    all["Accept"] = "text/event-stream"
    try client.sendRequest("GET", target, all)
    head = try client.head()
    guard head.status == 200 else { throw Client.Failure.malformed("status \(head.status)") }
  }

  /// The next event, or `nil` at the response's end.
  func next() throws -> Event? {
    while true {
      guard let block = try block() else { return nil }
      var event = Event(id: "", name: "message", data: [])
      var hasData = false
      for line in block.split(separator: 0x0A, omittingEmptySubsequences: false) {
        if line.first == UInt8(ascii: ":") || line.isEmpty {
          comments += 1
          continue
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
          throw Client.Failure.malformed(String(decoding: line, as: UTF8.self))
        }
        var value = line[(colon + 1)...]
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "id": event.id = String(decoding: value, as: UTF8.self)
        case "event": event.name = String(decoding: value, as: UTF8.self)
        case "retry": retry = Int(String(decoding: value, as: UTF8.self))
        case "data":
          if hasData { event.data.append(0x0A) }
          event.data += value
          hasData = true
        case let other: throw Client.Failure.malformed(other)
        }
      }
      if hasData {
        events += 1
        return event
      }
    }
  }

  /// What stands before the next empty line.
  private func block() throws -> ArraySlice<UInt8>? {
    var searched = 0
    while true {
      if let end = content[searched...].firstRange(of: [0x0A, 0x0A]) {
        defer { content.removeSubrange(..<end.upperBound) }
        return content[..<end.lowerBound]
      }
      searched = max(0, content.count - 1)
      guard !isOver, let chunk = try client.chunk() else {
        isOver = true
        guard content.isEmpty else { throw Client.Failure.malformed("a cut event") }
        return nil
      }
      content += chunk
    }
  }

  /// Applies events to `document` until `isEnough` of the state after one. Checks the IDs on the way. The name of
  /// the last event, or `nil` where the response ended.
  @discardableResult
  func apply(
    to document: inout BlockDocument?, until isEnough: (BlockDocument, Event) -> Bool
  ) throws -> String? {
    while let event = try next() {
      switch event.name {
      case "snapshot": document = try BlockDocument(snapshot: event.data)
      case "diff": try document?.apply(diff: event.data)
      default: break
      }
      guard let document else { throw Client.Failure.malformed("a diff without a state") }
      if event.name != "lagged" { #expect(event.id == document.at.description) }
      if isEnough(document, event) { return event.name }
    }
    return nil
  }

  /// Applies all events to `document` until `finished`.
  func applyAll(to document: inout BlockDocument?) throws {
    let last = try apply(to: &document) { $1.name == "finished" }
    guard last == "finished" else { throw Client.Failure.closed }
  }
}
