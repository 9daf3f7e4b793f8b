package import Foundation

/// Where the tests' data is.
package enum RepositoryFiles {
  /// The package's root folder.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The vectors that belong to the repository.
  package static let conformance = root.appendingPathComponent("Tests/Conformance")

  /// The folder that the environment variable names, else `../shared/<shared>` beside the package; `nil`
  /// where it does not exist.
  package static func shared(_ shared: String, variable: String) -> URL? {
    let named = ProcessInfo.processInfo.environment[variable].map { URL(fileURLWithPath: $0) }
    let folder = named ?? root.deletingLastPathComponent().appendingPathComponent("shared/\(shared)")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }

  /// The lines of a file, without empty ones.
  package static func lines(of file: URL) throws -> [[UInt8]] {
    let data = try Data(contentsOf: file)
    return data.split(separator: 0x0A).map { Array($0) }
  }

  /// A number from the environment, else `fallback`.
  package static func number(_ variable: String, default fallback: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? fallback
  }
}
