/// What a load test does (api.md §7).
package struct LoadOptions: Equatable, Sendable {
  /// What is driven.
  package enum Mode: String, CaseIterable, Sendable {
    /// A server, over sockets.
    case http
    /// The streams of this process, without sockets or HTTP.
    case engine
  }

  /// Where documents come from.
  package enum Documents: String, CaseIterable, Sendable {
    /// `AnswerGenerator`.
    case builtIn = "built-in"
  }

  /// Chats at a time: as soon as one's answer is complete, the next one begins in its place.
  package var streams = 200
  /// Readers of each stream.
  package var readers = 2
  /// Chunks a second in each stream.
  package var rate = 30.0
  /// Bytes of a chunk.
  package var chunkBytes = 1...24
  package var documents = Documents.builtIn
  /// What documents, chunks, points of time and readers are drawn from.
  package var seed: UInt64 = 1
  /// For how long is sent.
  package var seconds = 20.0
  package var mode = Mode.http
  /// Whether every reader's diffs are replayed against the finished stream's snapshot.
  package var verify = true

  /// The defaults.
  package init() {}

  /// The schedule's length in nanoseconds.
  package var length: Int64 { Int64(seconds * 1e9) }
}

extension LoadOptions {
  /// How much a load test may be.
  package struct Limits: Equatable, Sendable {
    package var streams = 1...100_000
    package var readers = 0...1_000
    package var rate = 0.01...100_000.0
    package var chunkBytes = 1...(64 << 10)
    package var seconds = 0.1...86_400.0
    /// Connections in all: one for each stream, and one for each reader.
    package var connections = 1_000_000

    /// What the command accepts, on one's own machine.
    package init() {}
  }

  /// A member of the options that is not accepted.
  package enum Refusal: Error, Equatable, Sendable {
    /// The text is no JSON object.
    case notAnObject
    case unknownMember(String, known: [String])
    case invalidValue(name: String, value: String, accepted: String)
  }
}
