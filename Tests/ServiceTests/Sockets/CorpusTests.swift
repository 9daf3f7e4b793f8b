import BlockDiff
import Checker
import Markup
import StreamStore
import Synchronization
import TestSupport
import Testing

/// Every document of the corpus through the real server, in several splits, with a live reader each.
struct CorpusTests {
  /// What all threads did together.
  private final class Counts: Sendable {
    let streams = Atomic<Int>(0)
    let bytes = Atomic<Int>(0)
    let appends = Atomic<Int>(0)
    let events = Atomic<Int>(0)
    let next = Atomic<Int>(0)
  }

  /// Streams that are written at a time.
  private static let threads = 4
  /// Pieces that are sent before their answers are read: fewer than the buffers of both sides hold.
  private static let window = 64

  @Test(.timeLimit(.minutes(5)))
  func everyDocumentEndsAsADirectParse() async throws {
    let (documents, origin) = try Documents.all()
    #expect(!documents.isEmpty)
    let counts = Counts()
    let begin = ContinuousClock.now
    try await TestService.run { test in
      try concurrently(Self.threads) { thread in
        let client = try test.connect()
        while true {
          let index = counts.next.add(1, ordering: .relaxed).oldValue
          guard index < documents.count else { return }
          for split in Self.splits(of: index) {
            try Self.send(documents[index], split, through: test, client, counts)
          }
        }
      }
    }
    let seconds = Double((ContinuousClock.now - begin) / .milliseconds(1)) / 1000
    print(
      """
      \(origin): \(documents.count) documents in \(counts.streams.load(ordering: .relaxed)) streams, \
      \(counts.bytes.load(ordering: .relaxed)) bytes in \(counts.appends.load(ordering: .relaxed)) appends, \
      \(counts.events.load(ordering: .relaxed)) events, \(seconds) s
      """)
  }

  /// All splits; without optimisation, where the client takes most of the time, two, and not often the fine ones.
  private static func splits(of index: Int) -> [Split] {
    let cut: [Split] = [.lines, .tokens, .random(seed: UInt64(index))]
    #if DEBUG
      return [.whole, index % 4 > 0 ? .lines : cut[1 + index / 4 % 2]]
    #else
      return [.whole] + cut
    #endif
  }

  /// Sends a document in a split, reads it live, and compares with the document parsed here.
  private static func send(
    _ document: Documents.Document, _ split: Split, through test: TestService, _ client: Client,
    _ counts: Counts
  ) throws {
    let name = "\(document.name)-\(split)".replacing(" ", with: "-").replacing(":", with: "-")
    var chunks: [[UInt8]] = []
    var start = 0
    for end in split.chunkEnds(of: document.source) where end > start {
      chunks.append(Array(document.source[start..<end]))
      start = end
    }
    var answered: BlockDocument?
    var events: EventReader?
    switch split {
    case .whole, .lines:
      for chunk in chunks {
        let answer = try client.request("POST", "/v1/blocks/\(name)", [:], body: chunk)
        try apply(answer.content, to: &answered)
        if events == nil { events = try EventReader(test.connect(), "/v1/blocks/\(name)") }
      }
      let fields = ["Stream-Closed": "true"]
      let answer = try client.request("POST", "/v1/blocks/\(name)", fields, body: [])
      try apply(answer.content, to: &answered)
      if events == nil { events = try EventReader(test.connect(), "/v1/blocks/\(name)") }
    case .bytes, .tokens, .random, .two, .recorded:
      guard !chunks.isEmpty else { return }
      try client.send(
        """
        POST /v1/blocks/\(name) HTTP/1.1\r\nHost: test\r\nAccept: application/x-ndjson\r\n\
        Stream-Closed: true\r\nTransfer-Encoding: chunked\r\n\r\n
        """)
      var lines = LineReader()
      for first in stride(from: 0, to: chunks.count, by: window) {
        let pieces = chunks[first..<min(first + window, chunks.count)]
        var bytes: [UInt8] = []
        for piece in pieces {
          bytes += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [0x0D, 0x0A]
        }
        try client.send(bytes)
        if first == 0 { #expect(try client.head().status == 200) }
        for _ in pieces { try apply(lines.next(client), to: &answered) }
        if events == nil { events = try EventReader(test.connect(), "/v1/blocks/\(name)") }
      }
      try client.sendChunk([])
      try apply(lines.next(client), to: &answered)
      #expect(try client.chunk() == nil)
    }
    try compare(document, name, answered, try #require(events), test, counts)
    counts.streams.add(1, ordering: .relaxed)
    counts.bytes.add(document.source.count, ordering: .relaxed)
    counts.appends.add(chunks.count, ordering: .relaxed)
  }

  private static func apply(_ diff: [UInt8], to document: inout BlockDocument?) throws {
    let update = try BlockDocument.Update(json: diff)
    if document == nil { document = BlockDocument(incarnation: update.from.incarnation) }
    try document?.apply(update)
  }

  private static func compare(
    _ document: Documents.Document, _ name: String, _ answered: BlockDocument?, _ events: EventReader,
    _ test: TestService, _ counts: Counts
  ) throws {
    var live: BlockDocument?
    try events.applyAll(to: &live)
    let snapshot = try test.document(name)
    var parser = MarkupParser(dialect: .chat)
    parser.append(document.source.span)
    parser.finish()
    let expected = try BlockDocument(parser.blocks, incarnation: snapshot.at.incarnation)
    for (what, found) in [("snapshot", snapshot), ("answers", answered), ("events", live)]
    where found != expected {
      let difference = StateDifference.between(expected.blocks, found?.blocks ?? [])
      Issue.record("\(name): the \(what) differ from the direct parse\n\(difference ?? "in the envelope")")
    }
    counts.events.add(events.events, ordering: .relaxed)
    let path = try #require(StreamPath(name))
    _ = try waiting { try await test.store.remove(path) }
  }

  /// The lines of an answer, however they lie in its chunks.
  private struct LineReader {
    private var content: [UInt8] = []
    private var start = 0

    mutating func next(_ client: Client) throws -> [UInt8] {
      while true {
        if let end = content[start...].firstIndex(of: 0x0A) {
          defer { start = end + 1 }
          return Array(content[start..<end])
        }
        content.removeFirst(start)
        start = 0
        content += try #require(try client.chunk())
      }
    }
  }
}
