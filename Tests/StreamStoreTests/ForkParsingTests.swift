import BlockDiff
import Checker
import Markup
import TestSupport
import Testing

@testable import StreamStore

/// What a fork has of its source's blocks, and what it parses.
struct ForkParsingTests {
  private func path(_ text: String) throws -> StreamPath { try #require(StreamPath(text)) }

  private func fork(
    _ store: StreamStore, _ source: String, _ name: String, at offset: Int
  ) async throws -> BlockStream {
    var request = CreationRequest()
    request.fork = .init(source: try await store.stream(at: path(source)), offset: ByteOffset(offset))
    return try await store.create(request, at: path(name)).stream
  }

  private func append(_ store: StreamStore, _ name: String, _ bytes: some Sequence<UInt8>) async throws {
    _ = try await store.append(AppendRequest(bytes: Array(bytes)), to: path(name))
  }

  private func document(_ stream: BlockStream) async throws -> BlockDocument {
    try await BlockDocument(snapshot: stream.snapshot(shape: .flat).json)
  }

  /// The steps that the parser of a stream's blocks has made.
  private func steps(_ stream: BlockStream) throws -> Int {
    try #require(stream.locked { stream.parsed?.parser.steps })
  }

  @Test(arguments: 0..<24)
  func everywhereTheBlocksAreThoseOfTheBytes(seed: Int) async throws {
    var documents = DocumentGenerator(seed: UInt64(seed))
    let source = Array("x\n\n".utf8) + documents.document()
    let rest = Array("\n- own\n\n# end\n".utf8)
    let store = StreamStore()
    try await append(store, "a", source + Array("\n\nother".utf8))
    for offset in stride(from: 1, to: source.count, by: max(1, source.count / 150)) {
      let stream = try await fork(store, "a", "f\(offset)", at: offset)
      try await append(store, "f\(offset)", rest)
      var parser = MarkupParser(dialect: .chat)
      let bytes = Array(source[..<offset]) + rest
      parser.append(bytes.span)
      let found = try await document(stream)
      let expected = try BlockDocument(parser.blocks, incarnation: stream.incarnation)
      #expect(found == expected, "seed \(seed), forked at \(offset)")
    }
  }

  @Test func onlyWhatFollowsTheLastBoundaryIsParsed() async throws {
    let part = Array("# Heading\n\nA line of text.\n\n- item\n\n".utf8)
    let source = Array(repeating: part, count: 300).joined()
    let (at, bound) = (part.count * 200 + 20, 8 * part.count)
    let store = StreamStore()
    try await append(store, "a", source)
    let first = try await fork(store, "a", "first", at: at)
    #expect(!first.isParsed)
    let expected = try await document(first).blocks
    #expect(try steps(first) < bound)
    // The fork's own blocks are not in memory: those of its source's source serve.
    #expect(first.dropParsed())
    let second = try await fork(store, "first", "second", at: at - 10)
    _ = try await document(second)
    #expect(try !first.isParsed && steps(second) < bound)
    // Nor are those: all is parsed.
    let stream = try await store.stream(at: path("a"))
    #expect(stream.dropParsed() && second.dropParsed())
    #expect(try await document(first).blocks == expected)
    #expect(try steps(first) > 100 * part.count)
  }

  @Test func linesThatEndWithCarriageReturnsAreParsedFromTheStart() async throws {
    let source = Array(String(repeating: "# Heading\r\rA line of text.\r\r", count: 20).utf8)
    let shared = Array(source.dropLast(7))
    let store = StreamStore()
    try await append(store, "a", source)
    let stream = try await fork(store, "a", "f", at: shared.count)
    var parser = MarkupParser(dialect: .chat)
    parser.append(shared.span)
    let found = try await document(stream).blocks
    #expect(try found == BlockDocument(parser.blocks).blocks)
  }
}
