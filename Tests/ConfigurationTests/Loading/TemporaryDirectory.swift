import Foundation

@testable import Configuration

/// A directory with the given files, gone when the value is: read it through its methods, which keep it.
final class TemporaryDirectory {
  let path: String

  init(_ files: [String: String] = [:]) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("mooring-\(UUID().uuidString)")
    path = url.path
    for (name, text) in files {
      let file = url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    if files.isEmpty { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  func file(_ name: String = "config.yaml") -> String { path + "/" + name }

  /// The configuration in the file called `name`.
  func load(
    _ name: String = "config.yaml", environment: [String: String] = [:],
    overrides: [ConfigurationOverride] = []
  ) throws(ConfigurationError) -> LoadedConfiguration {
    try Configuration.load(file: file(name), environment: environment, overrides: overrides)
  }

  /// What is wrong with the file called `name`.
  func check(_ name: String = "config.yaml") -> [ConfigurationError] { Configuration.check(file: file(name)) }

  /// The bytes that are read of the file called `name`.
  func bytes(_ name: String) throws(ConfigurationError) -> [UInt8] {
    try contents(ofFile: file(name))
  }

  /// `text` with this directory's path removed, so that errors can be compared as they are.
  func relative(_ text: String) -> String { text.replacingOccurrences(of: path + "/", with: "") }
}

/// What is wrong with a file that holds `text`, one line each.
func problems(_ text: String, environment: [String: String] = [:]) throws -> [String] {
  try problems(files: ["config.yaml": text], environment: environment)
}

/// What is wrong with the configuration in config.yaml among `files`, one line each, paths seen from there.
func problems(files: [String: String], environment: [String: String] = [:]) throws -> [String] {
  let directory = try TemporaryDirectory(files)
  do throws(ConfigurationError) {
    _ = try directory.load(environment: environment)
    return []
  } catch {
    return error.all.map { directory.relative("\($0)") }
  }
}
