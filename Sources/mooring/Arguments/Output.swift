import Foundation

/// The standard streams, unbuffered: a line that is printed is a line that the next program has.
enum Output {
  /// Writes text to standard output.
  static func print(_ text: String) { write(Array(text.utf8)) }

  /// Writes bytes to standard output. Nobody reading any more is the end of the command, without a word.
  static func write(_ bytes: [UInt8]) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(bytes))
    } catch {
      exit(ExitStatus.inputOutput)
    }
  }

  /// Replaces the last line on the terminal that standard error is.
  static func progress(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(line)".utf8))
  }

  /// Writes a line to standard error.
  static func error(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}

/// The file that a command reads.
enum Input {
  /// The bytes of a file; of standard input for `-` or none.
  static func bytes(of operands: [String]) throws -> [UInt8] {
    guard let path = operands.first, path != "-" else {
      guard let data = try FileHandle.standardInput.readToEnd() else { return [] }
      return Array(data)
    }
    do {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw CommandError.file(path: path, reason: "cannot be read: \(reason(error))")
    }
  }

  private static func reason(_ error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return cause.domain == NSPOSIXErrorDomain
      ? POSIXError(POSIXErrorCode(rawValue: Int32(cause.code)) ?? .EIO).localizedDescription
      : error.localizedDescription
  }
}
