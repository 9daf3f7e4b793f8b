import StreamStore
import Synchronization
import Testing

/// One request and what its answer has to be. `{name}` stands for an offset that an earlier answer gave.
struct Turn: Sendable {
  var method: String
  var path: String
  var fields: [String: String]
  var body: String?
  var status: Int
  /// Fields that the answer has; those with an empty value it does not have.
  var expected: [String: String]
  var content: String?
  /// The name under which the answer's `Stream-Next-Offset` is kept.
  var keeps: String?

  /// - Parameter path: what comes after `/v1/stream/`, or a whole path.
  init(
    _ method: String, _ path: String, _ fields: [String: String], body: String? = nil, _ status: Int,
    _ expected: [String: String] = [:], content: String? = nil, keeps: String? = nil
  ) {
    self.method = method
    self.path = path.hasPrefix("/") ? path : "/v1/stream/" + path
    self.fields = fields
    self.body = body
    self.status = status
    self.expected = expected
    self.content = content
    self.keeps = keeps
  }

  /// As above, without fields.
  init(
    _ method: String, _ path: String, body: String? = nil, _ status: Int, _ expected: [String: String] = [:],
    content: String? = nil, keeps: String? = nil
  ) {
    self.init(method, path, [:], body: body, status, expected, content: content, keeps: keeps)
  }
}

/// Requests one after the other on one connection, each of whose answers is checked.
struct Conversation: Sendable, CustomTestStringConvertible {
  var name: String
  var turns: [Turn]

  init(_ name: String, _ turns: Turn...) {
    self.name = name
    self.turns = turns
  }

  var testDescription: String { name }

  func run(on client: Client) throws {
    var kept: [String: String] = [:]
    func filled(_ text: String) -> String {
      kept.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
    for (number, turn) in turns.enumerated() {
      let answer = try client.request(
        turn.method, filled(turn.path), turn.fields.mapValues(filled), body: turn.body.map { Array($0.utf8) })
      let place = Comment(rawValue: "turn \(number): \(turn.method) \(turn.path): \(answer.text)")
      #expect(answer.status == turn.status, place)
      for (field, value) in turn.expected {
        #expect(answer[field] ?? "" == filled(value), place)
      }
      if let content = turn.content { #expect(answer.text == filled(content), place) }
      if let name = turn.keeps {
        let offset: String = try #require(answer["Stream-Next-Offset"], place)
        kept[name] = offset
      }
    }
  }
}

/// A clock that stands until a test moves it.
final class ManualClock: Sendable {
  private let milliseconds = Atomic<Int>(1_800_000_000_000)

  var now: Timestamp { Timestamp(milliseconds: milliseconds.load(ordering: .relaxed)) }

  func advance(milliseconds count: Int) { milliseconds.add(count, ordering: .relaxed) }
}
