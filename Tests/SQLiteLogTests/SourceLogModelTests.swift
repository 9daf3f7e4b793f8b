import BlockDiff
import Checker
import Markup
import StreamStore
import Testing

@testable import SQLiteLog

/// Operations drawn at random, on both engines, beside a model of what they have to give.
struct SourceLogModelTests {
  enum Engine: String, CaseIterable, Sendable { case memory, sqlite }

  /// A stream as the protocol describes it.
  private struct ModelStream {
    var incarnation: UInt64
    var bytes: [UInt8] = []
    var isClosed = false
    var producers: [[UInt8]: (epoch: Int, sequence: Int)] = [:]
    var closer: ProducerStamp?
    var sequence: [UInt8]?

    var tail: OffsetToken { OffsetToken(incarnation: incarnation, position: ByteOffset(bytes.count)) }

    /// What an append has to give: whether it is a duplicate, or the error.
    mutating func append(_ request: AppendRequest) -> Result<Bool, StreamError> {
      if isClosed {
        if let producer = request.producer {
          if producer == closer { return .success(true) }
        } else if request.bytes.isEmpty, request.closes {
          return .success(true)
        }
        return .failure(.closed(tail: tail))
      }
      if request.bytes.isEmpty, !request.closes { return .failure(.emptyAppend) }
      if let stamp = request.producer {
        if let last = producers[stamp.id] {
          if stamp.epoch < last.epoch { return .failure(.staleEpoch(current: last.epoch)) }
          if stamp.epoch > last.epoch {
            if stamp.sequence != 0 { return .failure(.epochStart(received: stamp.sequence)) }
          } else if stamp.sequence <= last.sequence {
            return .success(true)
          } else if stamp.sequence > last.sequence + 1 {
            return .failure(.sequenceGap(expected: last.sequence + 1, received: stamp.sequence))
          }
        } else if stamp.sequence != 0 {
          return .failure(.sequenceGap(expected: 0, received: stamp.sequence))
        }
      }
      if let new = request.sequence, let sequence, !sequence.lexicographicallyPrecedes(new) {
        return .failure(.sequenceRegressed(last: String(decoding: sequence, as: UTF8.self)))
      }
      if let expected = request.expectedOffset, expected != tail {
        return .failure(.expectedOffset(tail: tail))
      }
      bytes += request.bytes
      isClosed = request.closes
      if let stamp = request.producer {
        producers[stamp.id] = (stamp.epoch, stamp.sequence)
        if request.closes { closer = stamp }
      }
      if let new = request.sequence { sequence = new }
      return .success(false)
    }
  }

  @Test(arguments: Engine.allCases, 0..<8)
  func doesAsTheModel(engine kind: Engine, seed: Int) async throws {
    let database = try TemporaryDatabase()
    var sqlite: SQLiteSourceLogEngine?
    defer { sqlite?.close() }
    func open() throws -> StreamStore {
      guard kind == .sqlite else { return StreamStore() }
      sqlite?.close()
      let engine = try database.open()
      sqlite = engine
      return StreamStore(engine: engine)
    }
    var store = try open()
    var generator = SeededGenerator(seed: UInt64(seed))
    var model: [String: ModelStream] = [:]
    var lastIncarnation: UInt64 = 0

    for step in 0..<400 {
      let name = "s\(generator.below(4))"
      let path = try #require(StreamPath(name))
      switch generator.below(20) {
      case 0 where kind == .sqlite: store = try open()
      case 0, 1: store.sweep()
      case 2:
        let removed = try await store.remove(path)
        #expect(removed == (model.removeValue(forKey: name) != nil))
      case 3, 4, 5:
        guard let expected = model[name] else {
          await #expect(throws: StreamError.noStream(path: name)) { try await store.stream(at: path) }
          continue
        }
        try await check(try await store.stream(at: path), expected, step)
      default:
        let request = Self.request(&generator, model[name])
        let result: Result<Appended, StreamError>
        do throws(StreamError) {
          result = .success(try await store.append(request, to: path))
        } catch {
          result = .failure(error)
        }
        var stream = model[name] ?? ModelStream(incarnation: result.incarnation ?? lastIncarnation + 1)
        let expected = stream.append(request)
        if model[name] == nil, request.expectedOffset != nil {
          #expect(result.error == .noStream(path: name), "step \(step)")
          continue
        }
        switch expected {
        case .success(let isDuplicate):
          let appended = try result.get()
          #expect(appended.isDuplicate == isDuplicate, "step \(step)")
          #expect(appended.status.tail == stream.tail, "step \(step)")
          #expect(appended.status.isFinished == stream.isClosed, "step \(step)")
          if model[name] == nil {
            #expect(stream.incarnation > lastIncarnation, "step \(step)")
            lastIncarnation = stream.incarnation
          }
          model[name] = stream
        case .failure(let error): #expect(result.error == error, "step \(step)")
        }
      }
      #expect(store.count == model.count, "step \(step)")
      #expect(store.totalBytes == model.values.reduce(0) { $0 + $1.bytes.count }, "step \(step)")
    }
    for (name, expected) in model {
      try await check(try await store.stream(at: try #require(StreamPath(name))), expected, 400)
    }
  }

  private func check(_ stream: BlockStream, _ expected: ModelStream, _ step: Int) async throws {
    #expect(stream.status.tail == expected.tail, "step \(step)")
    #expect(stream.status.isFinished == expected.isClosed, "step \(step)")
    let (bytes, _) = try await stream.source(upTo: ByteOffset(expected.bytes.count))
    #expect(bytes == expected.bytes, "step \(step)")
    var parser = MarkupParser(dialect: .chat)
    parser.append(expected.bytes.span)
    if expected.isClosed { parser.finish() }
    let snapshot = try await BlockDocument(snapshot: stream.snapshot(shape: .flat).json)
    #expect(
      try snapshot == BlockDocument(parser.blocks, incarnation: expected.incarnation),
      "step \(step)")
  }

  private static func request(
    _ generator: inout SeededGenerator, _ stream: ModelStream?
  ) -> AppendRequest {
    let pieces = ["# A\n", "- b\n", "\n", "word ", "| c |\n|---|\n", "```\n", "<think>\n", ""]
    var request = AppendRequest(bytes: Array(pieces[generator.below(pieces.count)].utf8))
    if generator.below(25) == 0 { request.closes = true }
    if generator.below(3) == 0 {
      let id = Array("p\(generator.below(2))".utf8)
      let last = stream?.producers[id]
      request.producer = ProducerStamp(
        id: id, epoch: max(0, (last?.epoch ?? 0) + [0, 0, 0, 0, 1, -1][generator.below(6)]),
        sequence: max(0, (last?.sequence ?? -1) + [1, 1, 1, 1, 0, 2, -3][generator.below(7)]))
    }
    if generator.below(6) == 0 { request.sequence = Array("\(generator.below(10))".utf8) }
    if generator.below(6) == 0 {
      var tail = stream?.tail ?? OffsetToken(incarnation: 1, position: .zero)
      if generator.below(2) == 0 { tail.position.value += 1 }
      request.expectedOffset = tail
    }
    return request
  }
}

extension Result<Appended, StreamError> {
  fileprivate var error: StreamError? { if case .failure(let error) = self { error } else { nil } }
  fileprivate var incarnation: UInt64? {
    if case .success(let appended) = self { appended.status.tail.incarnation } else { nil }
  }
}
