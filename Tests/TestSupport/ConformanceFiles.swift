package import Foundation

/// The files of conformance vectors.
package enum ConformanceFiles {
  /// A file, and where it comes from.
  package struct File: Sendable, CustomStringConvertible {
    package var url: URL
    package var isShared: Bool

    package var description: String {
      "\(url.lastPathComponent) (\(isShared ? "shared folder" : "repository"))"
    }
  }

  /// The repository's own files, and those of the shared folder (`MOORING_CONFORMANCE`, else
  /// `../shared/conformance`) that the repository does not have. The repository's win, since a vector that
  /// contradicts the design is corrected there.
  package static let all: [File] = {
    let own = files(in: RepositoryFiles.conformance).map { File(url: $0, isShared: false) }
    let names = Set(own.map(\.url.lastPathComponent))
    let shared = RepositoryFiles.shared("conformance", variable: "MOORING_CONFORMANCE")
    let others = shared.map(files(in:)) ?? []
    return own
      + others.filter { !names.contains($0.lastPathComponent) }.map { File(url: $0, isShared: true) }
  }()

  private static func files(in folder: URL) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }.sorted().map { folder.appendingPathComponent($0) }
  }
}
