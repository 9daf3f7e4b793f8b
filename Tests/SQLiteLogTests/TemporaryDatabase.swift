import Foundation
import StreamStore

@testable import SQLiteLog

/// A directory of its own for a database, gone with the last reference.
final class TemporaryDatabase: Sendable {
  let directory: String
  var path: String { directory + "/mooring.sqlite" }

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "mooring-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  func open(_ options: SQLiteSourceLogEngine.Options = .init()) throws -> SQLiteSourceLogEngine {
    try SQLiteSourceLogEngine(path: path, options: options)
  }

  /// Runs `body` with a store on the database, and closes that.
  @discardableResult
  func withStore<Result>(
    _ options: SQLiteSourceLogEngine.Options = .init(), store: StreamStore.Options = .init(),
    _ body: (StreamStore) async throws -> Result
  ) async throws -> Result {
    let engine = try open(options)
    defer { engine.close() }
    return try await body(StreamStore(options: store, engine: engine))
  }

  /// A number that a query gives, asked beside the engine.
  func number(_ sql: String) throws -> Int { try Connection(path: path).number(sql) }

  /// Waits until a query gives a number, for half a minute at most.
  func wait(_ sql: String, for number: Int) async throws -> Bool {
    for _ in 0..<30_000 {
      if try self.number(sql) == number { return true }
      try await Task.sleep(for: .milliseconds(1))
    }
    return false
  }
}
