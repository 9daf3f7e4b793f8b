import Bench
import BlockDiff
import Foundation
import Markup
import SQLiteLog
import StreamStore

extension Command {
  /// `mooring bench storage`.
  static let benchStorage = Command(
    words: ["bench", "storage"], summary: "Measures durable appends, and idle streams",
    notes: """
      With --writers, prints how many appends of 100 bytes a second are stored, each writer waiting for its own \
      before the next: of the engine alone, and with the blocks that are parsed from them. Runs beside a bare C \
      loop in scripts/bench-storage.
      With --streams, makes that many streams; or, where they are there, prints how long the start took and the \
      first stream after it, and the memory of each when all are loaded and idle.
      With --recover, makes streams of 1 MiB each; or, where they are there, prints how long it takes to have the \
      blocks of all of them again after a start, and their memory in parts of their sources.
      """,
    options: [
      Option("--storage", "PATH", "The database, made where there is none"),
      Option("--writers", "N", "Writers, each with a stream of its own"),
      Option("--seconds", "N", "How long each measurement takes (default 3)"),
      Option("--streams", "N", "Streams to make or to load"),
      Option("--recover", "MIB", "MiB of streams to make, or to read and parse again"),
    ]
  ) { arguments in
    guard let path = arguments["--storage"] else {
      throw CommandError.usage("bench storage needs --storage", help: "bench storage")
    }
    let bench = StorageBench(path: path, seconds: try arguments.number("--seconds", in: 1...600) ?? 3)
    if let writers = try arguments.number("--writers", in: 0...10_000) { try await bench.append(writers) }
    if let streams = try arguments.number("--streams", in: 1...10_000_000) { try await bench.load(streams) }
    if let count = try arguments.number("--recover", in: 1...100_000) { try await bench.recover(count) }
  }
}

/// Measurements of the engine that keeps streams in a database.
private struct StorageBench {
  let path: String
  let seconds: Int

  private func withEngine(_ body: (SQLiteSourceLogEngine) async throws -> Void) async throws {
    let engine: SQLiteSourceLogEngine
    do throws(SQLiteLogError) {
      engine = try SQLiteSourceLogEngine(path: path)
    } catch {
      throw CommandError.storage("\(error)")
    }
    defer { engine.close() }
    try await body(engine)
  }

  /// Prints the appends a second of the engine alone, and of a store.
  func append(_ writers: Int) async throws {
    try await withEngine { engine in
      guard writers > 0 else { return }
      let bytes = [UInt8](repeating: 0x61, count: 99) + [0x0A]
      let configuration = StreamConfiguration().encoded
      let base = engine.totals.lastIncarnation + 1
      let alone = try await rate(writers) { number, isOver in
        guard let path = StreamPath("bench/engine/\(base)/\(number)") else { return 0 }
        let log = engine.makeLog(
          NewSource(path: path, incarnation: base + UInt64(number), configuration: configuration))
        var count = 0
        while !isOver() {
          guard let receipt = try log.commit(SourceEntry(bytes: bytes), at: count * bytes.count) else {
            break
          }
          guard await receipt.settled() == .stored else { throw CommandError.storage("an append is refused") }
          count += 1
        }
        return count
      }
      var options = StreamStore.Options()
      options.firstIncarnation = base + UInt64(writers)
      options.maxTotalBytes = .max
      options.maxStreamBytes = 2047 << 20
      options.maxStreams = .max
      let store = StreamStore(options: options, engine: engine)
      let request = AppendRequest(bytes: bytes)
      let withBlocks = try await rate(writers) { number, isOver in
        guard let path = StreamPath("bench/store/\(base)/\(number)") else { return 0 }
        var count = 0
        while !isOver() {
          _ = try await store.append(request, to: path)
          count += 1
        }
        return count
      }
      Output.print("\(Int(alone)) \(Int(withBlocks))\n")
    }
  }

  /// How much all writers did a second.
  private func rate(
    _ writers: Int, _ body: @escaping @Sendable (Int, @Sendable () -> Bool) async throws -> Int
  ) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    let end = start + .seconds(seconds)
    let count = try await withThrowingTaskGroup(of: Int.self) { tasks in
      for number in 0..<writers {
        tasks.addTask { try await body(number) { clock.now >= end } }
      }
      return try await tasks.reduce(0, +)
    }
    return Double(count) / ((clock.now - start) / .seconds(1))
  }

  /// Makes streams, or prints what it takes to start with them and to have them loaded.
  func load(_ count: Int) async throws {
    let start = ContinuousClock.now
    try await withEngine { engine in
      let opened = ContinuousClock.now - start
      var options = StreamStore.Options()
      options.maxStreams = .max
      let store = StreamStore(options: options, engine: engine)
      let isThere = store.count >= count
      if let first = StreamPath("bench/0"), isThere { _ = try await store.stream(at: first) }
      let answered = ContinuousClock.now - start
      let before = Self.residentBytes
      let began = ContinuousClock.now
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        let workers = 64
        for worker in 0..<workers {
          tasks.addTask {
            for number in stride(from: worker, to: count, by: workers) {
              guard let path = StreamPath("bench/\(number)") else { continue }
              if isThere {
                _ = try await store.stream(at: path)
              } else {
                _ = try await store.append(AppendRequest(bytes: Array("# Stream \(number)\n".utf8)), to: path)
              }
            }
          }
        }
        try await tasks.waitForAll()
      }
      let took = ContinuousClock.now - began
      guard isThere else { return Output.print("made \(count) streams in \(took)\n") }
      let each = (Self.residentBytes - before) / count
      Output.print(
        """
        opened in \(opened), the first stream after \(answered); loaded \(count) streams in \(took), \(each) bytes of \
        memory each while idle

        """)
    }
  }

  /// Makes streams of 1 MiB, or prints what it takes to have their blocks again.
  func recover(_ count: Int) async throws {
    try await withEngine { engine in
      var options = StreamStore.Options()
      options.maxStreams = .max
      options.maxTotalBytes = .max
      options.maxParsedBytes = .max
      let store = StreamStore(options: options, engine: engine)
      let paths = (0..<count).compactMap { StreamPath("recover/\($0)") }
      guard try await store.existing(paths[0]) != nil else {
        guard let document = BenchDocument.all.first(where: { $0.name == "answer" }) else { return }
        let text = document.bytes(1 << 20)
        for path in paths {
          var start = 0
          while start < text.count {
            var request = AppendRequest(bytes: Array(text[start..<min(start + 4096, text.count)]))
            request.wantsDiff = false
            _ = try await store.append(request, to: path)
            start += 4096
          }
        }
        return Output.print("made \(count) streams of \(text.count) bytes\n")
      }
      let before = Self.residentBytes
      let began = ContinuousClock.now
      var bytes = 0
      for path in paths {
        let stream = try await store.stream(at: path)
        bytes += stream.status.tail.position.value
        _ = try await stream.changes(since: stream.status.tail.position)
      }
      let took = (ContinuousClock.now - began) / .seconds(1)
      let memory = Double(Self.residentBytes - before) / Double(bytes)
      Output.print(
        """
        read and parsed \(bytes) bytes in \(took) s, \(took * Double(1 << 30) / Double(bytes)) s a GiB; blocks take \
        \(memory) times their sources

        """)
    }
  }

  /// The process's resident memory.
  private static var residentBytes: Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4096
  }
}
