import Markup
import Testing

@testable import Checker

/// The rules that a client holds diffs to, each broken by hand.
@Suite struct HistoryTests {
  /// Ops at one position after another, and the promise that the last of them breaks.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var promise: Promise?
    var diffs: [[Op]]
    var testDescription: String { name }
  }

  /// An op in short.
  enum Op: Sendable {
    case open(String, BlockType, in: String? = nil, begin: Int = 0, end: Int = -1, text: String? = nil)
    case append(String, String, rev: Int? = nil)
    case set(String, BlockType?, text: String? = nil)
    case seal(String, end: Int)
    case finish
  }

  static let cases: [Case] = [
    Case(
      name: "keeps all", promise: nil,
      diffs: [
        [.open("a", .list)], [.open("b", .listItem, in: "a"), .open("c", .paragraph, in: "b", text: "x")],
        [.append("c", "y")], [.set("c", .heading), .seal("c", end: 4)],
        [.seal("a", end: 4), .seal("b", end: 4), .open("d", .paragraph, begin: 4, end: 5, text: "z")],
        [.finish],
      ]),
    Case(
      name: "same ID twice", promise: .uniqueness,
      diffs: [[.open("a", .paragraph, end: 1, text: "x"), .open("a", .paragraph, begin: 1, text: "y")]]),
    Case(
      name: "change of a sealed block", promise: .sealing,
      diffs: [[.open("a", .paragraph, end: 1, text: "x")], [.append("a", "y")]]),
    Case(
      name: "child of a sealed block", promise: .sealing,
      diffs: [
        [.open("a", .blockquote, end: 1)], [.open("b", .paragraph, in: "a", begin: 1, end: 1, text: "")],
      ]),
    Case(
      name: "left and still open", promise: .sealing,
      diffs: [[.open("a", .paragraph, text: "x")], [.open("b", .paragraph, begin: 1, text: "y")]]),
    Case(
      name: "open after the finish", promise: .sealing,
      diffs: [[.open("a", .paragraph, text: "x")], [.finish]]),
    Case(
      name: "not the last block", promise: .permanence,
      diffs: [
        [
          .open("a", .blockquote), .open("b", .blockquote, in: "a", end: 1),
          .open("c", .blockquote, in: "a", begin: 1, end: 1),
          .open("d", .paragraph, in: "b", begin: 1, end: 1, text: ""),
        ]
      ]),
    Case(
      name: "begins too early", promise: .permanence,
      diffs: [
        [.open("a", .paragraph, begin: 2, end: 2, text: "x"), .open("b", .paragraph, begin: 1, text: "y")]
      ]),
    Case(
      name: "type that may not come", promise: .permanence,
      diffs: [[.open("a", .heading, text: "x")], [.set("a", .paragraph)]]),
    Case(
      name: "other text", promise: .permanence,
      diffs: [[.open("a", .paragraph, text: "x")], [.set("a", nil, text: "y")]]),
    Case(name: "unknown block", promise: .replay, diffs: [[.append("a", "x")]]),
    Case(name: "unknown parent", promise: .replay, diffs: [[.open("a", .paragraph, in: "b", text: "")]]),
    Case(
      name: "leaf as parent", promise: .replay,
      diffs: [[.open("a", .paragraph, text: "x"), .open("b", .paragraph, in: "a", text: "")]]),
    Case(
      name: "text for a container", promise: .replay, diffs: [[.open("a", .list)], [.append("a", "x")]]),
    Case(
      name: "rev of an earlier diff", promise: .replay,
      diffs: [[.open("a", .paragraph, text: "x")], [.append("a", "y", rev: 0)]]),
    Case(name: "op after the finish", promise: .replay, diffs: [[.finish, .open("a", .list)]]),
  ]

  @Test(arguments: cases)
  func holdsDiffsToTheRules(_ test: Case) {
    var history = History(sourceLength: 10)
    var found: [Promise] = []
    for (position, ops) in test.diffs.enumerated() {
      do throws(CheckStop) { try history.apply(Self.message(ops, at: position)) } catch {
        if case .violated(let violation) = error { found.append(violation.promise) }
        #expect(position == test.diffs.count - 1, "\(error)")
      }
    }
    #expect(found == (test.promise.map { [$0] } ?? []))
  }

  private static func message(_ ops: [Op], at position: Int) -> WireMessage {
    var message = WireMessage()
    message.position = position
    func store(_ text: String) -> Range<Int> {
      let start = message.bytes.count
      message.bytes += Array(text.utf8)
      return start..<message.bytes.count
    }
    for op in ops {
      var result: WireOp
      switch op {
      case .open(let id, let type, let parent, let begin, let end, let text):
        result = WireOp(.open)
        result.id = store(id)
        result.type = type
        result.parent = parent.map { store($0) }
        (result.begin, result.end) = (begin, end)
        result.text = text.map { store($0) }
        result.revision = position
      case .append(let id, let text, let revision):
        result = WireOp(.append)
        result.id = store(id)
        result.text = store(text)
        result.revision = revision ?? position
      case .set(let id, let type, let text):
        result = WireOp(.set)
        result.id = store(id)
        result.type = type
        result.text = text.map { store($0) }
        result.revision = position
      case .seal(let id, let end):
        result = WireOp(.seal)
        result.id = store(id)
        result.end = end
        result.revision = position
      case .finish: result = WireOp(.finish)
      }
      message.ops.append(result)
    }
    return message
  }
}
