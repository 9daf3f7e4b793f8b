import Foundation

/// Names what is about to run, where `MOORING_TRACE=1` asks for it: the last lines before a trap tell its source.
enum Trace {
  static let isOn = RepositoryFiles.number("MOORING_TRACE", default: 0) > 0

  /// Writes a line at once, since what is buffered is lost in a trap.
  static func write(_ line: String) {
    FileHandle.standardError.write(Data("running \(line)\n".utf8))
  }
}
