import BlockDiff
import Checker
import Foundation
import HTTPServer
import Markup
import StreamStore
import Synchronization
import Testing

@testable import LoadTest

/// Whole runs, against servers that are good or bad on purpose.
@Suite(.serialized) struct LoadRunTests {
  /// A server that answers as a service does, but for what `faults` says.
  private final class TestServer: Responder {
    struct Faults: Sendable {
      /// Live views leave out the so many-th diff.
      var lostDiff = Int.max
      /// Answers wait until this says so.
      var gate: Gate?
      /// The status of every append.
      var status = StatusCode.ok
    }

    let store = StreamStore()
    let faults: Faults

    init(_ faults: Faults) { self.faults = faults }

    func respond(to exchange: Exchange) async throws {
      let request = exchange.request
      let prefix = "/v1/blocks/"
      guard let path = StreamPath(request.path.dropFirst(prefix.utf8.count)) else {
        return try await exchange.send(.notFound)
      }
      if request.method == .post { return try await append(exchange, path) }
      let stream = try await store.stream(at: path)
      guard request.fields["accept"] != nil else {
        return try await exchange.send(.ok, content: try await stream.snapshot(shape: .flat).json)
      }
      try await view(exchange, stream)
    }

    private func append(_ exchange: Exchange, _ path: StreamPath) async throws {
      var append = AppendRequest(bytes: try await exchange.collectContent())
      append.closes = exchange.request.fields["stream-closed"] != nil
      if let gate = faults.gate { await gate.wait(exchange) }
      guard faults.status == .ok else { return try await exchange.send(faults.status) }
      try await exchange.send(.ok, content: try await store.append(append, to: path).diff)
    }

    private func view(_ exchange: Exchange, _ stream: BlockStream) async throws {
      let signal = exchange.makeSignal()
      let subscription = stream.subscribe { signal.wake() }
      defer { stream.unsubscribe(subscription) }
      try await exchange.startStream(.ok)
      var position: ByteOffset?
      if let last = exchange.request.fields["last-event-id"], let token = OffsetToken(last) {
        position = token.position
      }
      var diffs = 0
      while true {
        let status = stream.status
        if let since = position {
          let changes = try await stream.changes(since: since)
          if !changes.isEmpty {
            diffs += 1
            position = changes.status.position.position
            if diffs != faults.lostDiff {
              try await write(exchange, "diff", changes.status, changes.json)
            }
          }
        } else {
          let snapshot = try await stream.snapshot(shape: .flat)
          try await write(exchange, "snapshot", snapshot.status, snapshot.json)
          position = snapshot.status.position.position
        }
        if status.isFinished { return try await write(exchange, "finished", status, Array("{}".utf8)) }
        let wakeup = await exchange.wait(for: signal, until: .never)
        if wakeup != .signalled { return }
      }
    }

    private func write(
      _ exchange: Exchange, _ event: String, _ status: StreamStatus, _ data: [UInt8]
    ) async throws {
      try await exchange.write(
        Array("id: \(status.position)\nevent: \(event)\ndata: ".utf8) + data + [0x0A, 0x0A])
    }
  }

  /// Holds answers back until it is opened.
  private final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)
    private let waiting = Mutex<[Signal]>([])

    func open() {
      isOpen.store(true, ordering: .sequentiallyConsistent)
      for signal in waiting.withLock({ $0 }) { signal.wake() }
    }

    func wait(_ exchange: Exchange) async {
      let signal = exchange.makeSignal()
      waiting.withLock { $0.append(signal) }
      while !isOpen.load(ordering: .sequentiallyConsistent) {
        guard await exchange.wait(for: signal, until: .never) == .signalled else { return }
      }
    }
  }

  /// Runs a load test against such a server, while `meanwhile` goes on.
  private static func run(
    _ options: LoadOptions, _ faults: TestServer.Faults = .init(),
    meanwhile: @Sendable @escaping (LoadRun) async -> Void = { _ in }
  ) async throws -> LoadOutcome {
    var serverOptions = Server.Options()
    serverOptions.port = 0
    serverOptions.loops = 1
    let server = try Server(options: serverOptions, responder: TestServer(faults))
    let target = try LoadTarget.Server(url: "http://\(server.address)", process: .own)
    let run = LoadRun(options, target: .server(target), name: "test")
    return try await withThrowingTaskGroup(of: LoadOutcome?.self) { tasks in
      tasks.addTask {
        try await server.run()
        return nil
      }
      tasks.addTask {
        await meanwhile(run)
        return nil
      }
      let result: Result<LoadOutcome, any Error>
      do { result = .success(try await run.run()) } catch { result = .failure(error) }
      server.shutdown(grace: .zero)
      try await tasks.waitForAll()
      return try result.get()
    }
  }

  private static func options(_ change: (inout LoadOptions) -> Void = { _ in }) -> LoadOptions {
    var options = LoadOptions()
    options.streams = 8
    options.rate = 100
    options.seconds = 0.5
    change(&options)
    return options
  }

  @Test func sendsEveryChunkOfTheScheduleAndVerifiesEveryReader() async throws {
    let outcome = try await Self.run(Self.options())
    let report = outcome.report
    #expect(report.appends.count == 8 * 50 && report.appends.errors == 0, "\(report)")
    #expect(report.readers.count >= 16 && report.readers.count == report.readers.verified)
    #expect(report.readers.wrong == 0 && outcome.faults.isEmpty && report.deliveries.errors == 0)
    #expect(report.deliveries.count <= report.appends.count * 2)
    #expect(report.wireBytes > report.textBytes && report.textBytes > 0)
    #expect(!outcome.isCancelled)
    // Every kind of reader has been there.
    #expect(outcome.readersByKind.allSatisfy { $0 > 0 })
  }

  @Test func findsADiffThatALiveViewLost() async throws {
    // Slowly: a reader that comes when all is over sees no diffs.
    let options = Self.options {
      $0.rate = 20
      $0.seconds = 2.5
    }
    let outcome = try await Self.run(options, .init(lostDiff: 3))
    #expect(outcome.report.readers.wrong > 0)
    #expect(outcome.faults.first?.contains("load/test/") == true)
    #expect(!outcome.report.isVerified)
  }

  /// While the server answers nothing, the clock goes on: whoever sends only after an answer would show one slow
  /// append for each connection, and not the queue.
  @Test func showsTheQueueOfAServerThatStalls() async throws {
    let gate = Gate()
    let options = Self.options {
      $0.streams = 4
      $0.rate = 200
      $0.readers = 0
    }
    // Of the 400 in half a second; the time in which 100 of them come is an eighth of a second.
    let outcome = try await Self.run(options, .init(gate: gate)) { run in
      while run.progress.scheduled < 200 { await Task.yield() }
      gate.open()
    }
    #expect(outcome.report.appends.count == 400 && outcome.report.appends.errors == 0)
    // The first hundred waited for at least the hundred after them: a quarter of all, for an eighth of a second.
    #expect(outcome.appends.latency.percentile(0.76) >= 120_000_000)
    #expect(outcome.appends.latency.max >= 240_000_000)
    // It shows where in the run it was.
    #expect(outcome.appends.parts[0].percentile(0.5) > outcome.appends.parts[39].percentile(0.5))
  }

  @Test func countsRefusedAppendsAsErrors() async throws {
    let outcome = try await Self.run(Self.options { $0.rate = 20 }, .init(status: .serviceUnavailable))
    #expect(
      outcome.report.appends.errors == outcome.report.appends.count && outcome.report.appends.count == 80)
    #expect(outcome.report.appends.latency.max == 0)
    #expect(outcome.report.readers.count == 0)
  }

  @Test func countsAppendsToNoServerAsErrors() async throws {
    // A port that was free a moment ago.
    var serverOptions = Server.Options()
    serverOptions.port = 0
    let server = try Server(options: serverOptions, responder: TestServer(.init()))
    let port = server.address.port
    server.shutdown(grace: .zero)
    try await server.run()
    let target = try LoadTarget.Server(host: "127.0.0.1", port: port, process: .unknown)
    let run = LoadRun(Self.options { $0.rate = 20 }, target: .server(target), name: "test")
    let report = try await run.run().report
    #expect(report.appends.errors == 80 && report.appends.count == 80)
    #expect(report.server == nil)
  }

  @Test(arguments: LoadOptions.Mode.allCases)
  func endsEarlyWhenItIsCancelled(_ mode: LoadOptions.Mode) async throws {
    let options = Self.options {
      $0.seconds = 3_600
      $0.mode = mode
    }
    let outcome: LoadOutcome
    if mode == .engine {
      let run = LoadRun(options, target: .store(StreamStore()), name: "test")
      async let result = run.run()
      while run.progress.deliveries < 50 { await Task.yield() }
      run.cancel()
      outcome = try await result
    } else {
      outcome = try await Self.run(options) { run in
        while run.progress.deliveries < 50 { await Task.yield() }
        run.cancel()
      }
    }
    #expect(outcome.report.deliveries.count >= 50 && outcome.deliveries.latency.max > 0)
    #expect(outcome.isCancelled && outcome.report.appends.count >= 50)
    // What was under way has been finished and verified.
    #expect(outcome.report.readers.verified == outcome.report.readers.count, "\(outcome.faults)")
    #expect(outcome.report.readers.count > 0 && outcome.report.appends.errors == 0)
  }

  /// A request may be taken back before its threads are there.
  @Test(arguments: LoadOptions.Mode.allCases)
  func endsWhenItIsCancelledBeforeItBegins(_ mode: LoadOptions.Mode) async throws {
    let target: LoadTarget =
      mode == .engine
      ? .store(StreamStore()) : .server(try LoadTarget.Server(host: "127.0.0.1", port: 1, process: .own))
    let run = LoadRun(
      Self.options {
        $0.mode = mode
        $0.seconds = 3_600
      }, target: target, name: "test")
    run.cancel()
    let outcome = try await run.run()
    #expect(outcome.isCancelled && outcome.report.appends.count == 0)
  }

  @Test func drivesTheStreamsInProcessAndLeavesNone() async throws {
    let store = StreamStore()
    let run = LoadRun(Self.options { $0.mode = .engine }, target: .store(store), name: "test")
    let outcome = try await run.run()
    #expect(outcome.report.appends.count == 8 * 50 && outcome.report.appends.errors == 0)
    #expect(
      outcome.report.readers.count >= 16 && outcome.report.readers.count == outcome.report.readers.verified)
    #expect(outcome.report.readers.wrong == 0)
    #expect(store.count == 0)
  }
}
