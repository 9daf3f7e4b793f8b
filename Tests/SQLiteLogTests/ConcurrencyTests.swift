import BlockDiff
import Checker
import Markup
import StreamStore
import Testing

@testable import SQLiteLog

/// Everything at once on few streams: what is left is what the sources say.
struct ConcurrencyTests {
  private static let paths = (0..<6).compactMap { StreamPath("s\($0)") }

  @Test(arguments: SourceLogModelTests.Engine.allCases, 0..<3)
  func leavesStreamsAsTheirSourcesSay(engine kind: SourceLogModelTests.Engine, seed: Int) async throws {
    let database = try TemporaryDatabase()
    let sqlite = kind == .sqlite ? try database.open() : nil
    defer { sqlite?.close() }
    var options = StreamStore.Options()
    // Blocks of two streams or so.
    options.maxParsedBytes = 20 << 10
    let store =
      if let sqlite {
        StreamStore(options: options, engine: sqlite)
      } else {
        StreamStore(options: options)
      }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for task in 0..<16 {
        tasks.addTask {
          var generator = SeededGenerator(seed: UInt64(seed * 100 + task))
          for _ in 0..<150 { try await Self.step(store, &generator) }
        }
      }
      try await tasks.waitForAll()
    }
    try await check(store)
    for path in Self.paths {
      do throws(StreamError) {
        try await store.remove(path)
      } catch {
        #expect(error == .deleted(path: path.description))
      }
    }
    #expect(store.count == 0 && store.totalBytes == 0 && store.parsedBytes == 0)
  }

  /// One operation. What may be refused since others work on the same streams is.
  private static func step(_ store: StreamStore, _ generator: inout SeededGenerator) async throws {
    let path = paths[generator.below(paths.count)]
    let text = ["# A\n", "- b\n", "\n", "word ", "```\n", "<think>\n"][generator.below(6)]
    do throws(StreamError) {
      switch generator.below(16) {
      case 0: try await store.remove(path)
      case 1: store.sweep()
      case 2, 3:
        var request = CreationRequest()
        request.configuration.contentType = "text/markdown"
        request.fork = .init(source: try await store.stream(at: paths[generator.below(paths.count)]))
        _ = try await store.create(request, at: path)
      case 4, 5, 6:
        let stream = try await store.stream(at: path)
        let reader = stream.subscribe {}
        defer { stream.unsubscribe(reader) }
        let snapshot = try await stream.snapshot(shape: .flat)
        let changes = try await stream.changes(since: snapshot.status.position.position)
        #expect(changes.status.tail.position >= snapshot.status.tail.position)
        let length = stream.status.tail.position.value
        #expect(try await stream.read(0..<length).count == length)
      default:
        var request = AppendRequest(bytes: Array(text.utf8), closes: generator.below(60) == 0)
        request.wantsDiff = generator.below(2) == 0
        _ = try await store.append(request, to: path)
      }
    } catch {
      switch error {
      case .noStream, .deleted, .closed, .pathInUse, .streamDiffers, .forkOfDeleted: break
      default: throw error
      }
    }
  }

  private func check(_ store: StreamStore) async throws {
    for path in Self.paths {
      guard let stream = try? await store.existing(path) else { continue }
      let status = stream.status
      let source = try await stream.read(0..<status.tail.position.value)
      var parser = MarkupParser(dialect: .chat)
      parser.append(source.span)
      if status.isFinished { parser.finish() }
      let snapshot = try await BlockDocument(snapshot: stream.snapshot(shape: .flat).json)
      #expect(try snapshot == BlockDocument(parser.blocks, incarnation: status.position.incarnation))
    }
  }
}
