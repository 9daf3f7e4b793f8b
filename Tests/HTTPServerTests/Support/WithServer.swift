import Foundation
import Testing

@testable import HTTPServer

/// A responder made of a closure.
struct Handler: Responder {
  let body: @Sendable (Exchange) async throws -> Void

  func respond(to exchange: Exchange) async throws { try await body(exchange) }
}

/// Runs a server with `handler` at a free port while `body` runs, then shuts it down.
func withServer(
  _ configure: (inout Server.Options) -> Void = { _ in },
  handler: @escaping @Sendable (Exchange) async throws -> Void,
  _ body: (Server) async throws -> Void
) async throws {
  try await withServer(configure, responder: Handler(body: handler), body)
}

/// Runs a server with `responder` at a free port while `body` runs, then shuts it down.
func withServer(
  _ configure: (inout Server.Options) -> Void = { _ in }, responder: some Responder,
  _ body: (Server) async throws -> Void
) async throws {
  var options = Server.Options()
  options.port = 0
  options.loops = 2
  configure(&options)
  let server = try Server(options: options, responder: responder)
  try await withThrowingTaskGroup(of: Void.self) { tasks in
    tasks.addTask { try await server.run() }
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(server))
    } catch {
      result = .failure(error)
    }
    server.shutdown(grace: .zero)
    try await tasks.waitForAll()
    try result.get()
  }
}

extension Server {
  /// A new connection to this server.
  func connect(receiveBufferBytes: Int32? = nil) throws -> TestClient {
    try TestClient(port: address.port, receiveBufferBytes: receiveBufferBytes)
  }
}

/// Something that happens once or more, told from any thread and awaited by a test.
actor Occurrences<Value: Sendable> {
  private var values: [Value] = []
  private var waiting: [CheckedContinuation<Value, Never>] = []

  func add(_ value: Value) {
    if waiting.isEmpty {
      values.append(value)
    } else {
      waiting.removeFirst().resume(returning: value)
    }
  }

  func next() async -> Value {
    if !values.isEmpty { return values.removeFirst() }
    return await withCheckedContinuation { waiting.append($0) }
  }
}
