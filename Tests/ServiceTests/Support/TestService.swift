import BlockDiff
import Configuration
import Foundation
import HTTPServer
import Service
import StreamStore

/// A service at a free port of this machine, for as long as a test runs.
struct TestService: Sendable {
  let server: Server
  let service: Service

  var store: StreamStore { service.store }

  /// A new connection.
  func connect(receiveBufferBytes: Int32? = nil) throws -> Client {
    try Client(port: server.address.port, receiveBufferBytes: receiveBufferBytes)
  }

  /// The snapshot of a stream.
  func document(_ path: String) throws -> BlockDocument {
    let answer = try connect().get("/v1/blocks/\(path)")
    return try BlockDocument(snapshot: answer.content)
  }

  /// Runs a service while `body` runs on a thread that may block.
  ///
  /// - Parameter settings: keys and values of the configuration.
  static func run(
    _ settings: [String: String] = [:], engine: any SourceLogEngine = MemorySourceLogEngine(),
    clock: @escaping @Sendable () -> Timestamp = { Timestamp(Date()) },
    options: @Sendable (inout Server.Options) -> Void = { _ in },
    _ body: @escaping @Sendable (TestService) throws -> Void
  ) async throws {
    let all = settings.merging(["listen.port": "0", "storage.engine": "memory"]) { own, _ in own }
    let configuration = try Configuration.load(
      overrides: all.map { ConfigurationOverride(key: $0.key, value: $0.value, option: "test") })
    let service = Service(configuration: configuration, engine: engine, clock: clock)
    var serverOptions = service.serverOptions
    options(&serverOptions)
    let server = try Server(options: serverOptions, responder: service)
    let test = TestService(server: server, service: service)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await server.run() }
      tasks.addTask { await service.runLoads() }
      let result = await blocking { try body(test) }
      server.shutdown(grace: .zero)
      _ = try await tasks.next()
      tasks.cancelAll()
      try await tasks.waitForAll()
      try result.get()
    }
  }
}

extension TestService {
  /// Waits until a stream has so many readers, looking again and again for a while.
  func waitForReaders(_ count: Int, of path: String) throws {
    try wait("\(count) readers of \(path)") {
      StreamPath(path).flatMap(store.find)?.readerCount == count
    }
  }

  /// Waits until `condition` holds, for half a minute at most.
  func wait(_ what: String, for condition: () -> Bool) throws {
    let deadline = DispatchTime.now() + .seconds(30)
    while !condition() {
      guard DispatchTime.now() < deadline else { throw Client.Failure.malformed("no \(what)") }
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
    }
  }
}

/// Runs `body` as a task, from a thread that may block.
func waiting<Value: Sendable>(
  for body: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let outcome = Outcome<Value>()
  let semaphore = DispatchSemaphore(value: 0)
  Task {
    do { outcome.result = .success(try await body()) } catch { outcome.result = .failure(error) }
    semaphore.signal()
  }
  semaphore.wait()
  guard let result = outcome.result else { throw Client.Failure.malformed("no result") }
  return try result.get()
}

private final class Outcome<Value: Sendable>: @unchecked Sendable {
  // Safe: written before the semaphore is signalled, read after it was waited for.
  var result: Result<Value, any Error>?
}

/// Runs `body` on a thread that may block.
func blocking<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async -> Result<Value, any Error> {
  await withCheckedContinuation { continuation in
    // A thread, and not a global queue: those have as many threads as there are cores, and tasks need them.
    Thread.detachNewThread { continuation.resume(returning: Result { try body() }) }
  }
}

/// Runs `body` on several threads that may block, each with its number. The first error is thrown.
func concurrently(_ threads: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
  let group = DispatchGroup()
  let results = Results()
  for thread in 0..<threads {
    group.enter()
    Thread.detachNewThread {
      do { try body(thread) } catch { results.add(error) }
      group.leave()
    }
  }
  group.wait()
  if let error = results.first { throw error }
}

private final class Results: @unchecked Sendable {
  // Safe: `errors` is touched only on `queue`.
  private let queue = DispatchQueue(label: "results")
  private var errors: [any Error] = []

  func add(_ error: any Error) { queue.sync { errors.append(error) } }
  var first: (any Error)? { queue.sync { errors.first } }
}
