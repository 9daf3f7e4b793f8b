import Checker
import Foundation
import TestSupport

/// The inputs that fuzzing begins with.
package enum SeedCorpus {
  /// Writes a file for each seed into the folder that `MOORING_FUZZ_SEEDS` names and ends the process; does
  /// nothing where that is not set.
  package static func writeIfAsked(_ seeds: @escaping @Sendable () async throws -> [[UInt8]]) {
    guard let path = ProcessInfo.processInfo.environment["MOORING_FUZZ_SEEDS"] else { return }
    let folder = URL(fileURLWithPath: path)
    let isWritten = DispatchSemaphore(value: 0)
    Task {
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (number, seed) in try await seeds().enumerated() {
          try Data(seed).write(to: folder.appendingPathComponent("seed-\(number)"))
        }
      } catch {
        FileHandle.standardError.write(Data("the seeds were not written: \(error)\n".utf8))
        exit(1)
      }
      isWritten.signal()
    }
    isWritten.wait()
    exit(0)
  }

  /// The sources of all conformance vectors.
  @Sendable package static func documents() async throws -> [[UInt8]] {
    var seeds: [[UInt8]] = []
    for file in ConformanceFiles.all {
      for vector in try await ConformanceVector.read(file.url) where vector.source.count <= maxBytes {
        seeds.append([vector.parse.flags, UInt8(truncatingIfNeeded: seeds.count)] + vector.source)
      }
    }
    return seeds
  }

  /// Longer documents make fuzzing slow and are only repetition.
  private static let maxBytes = 400
}
