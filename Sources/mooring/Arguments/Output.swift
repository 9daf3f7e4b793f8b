import Foundation

/// The standard streams, unbuffered: a line that is printed is a line that the next program has.
enum Output {
  /// Writes text to standard output.
  static func print(_ text: String) { write(Array(text.utf8)) }

  /// Writes bytes to standard output. Nobody reading any more is the end of the command, without a word.
  static func write(_ bytes: [UInt8]) {
    do {
      // By pieces, since each is copied.
      for begin in stride(from: 0, to: bytes.count, by: pieceBytes) {
        let piece = bytes[begin..<min(begin + pieceBytes, bytes.count)]
        try FileHandle.standardOutput.write(contentsOf: Data(piece))
      }
    } catch {
      exit(ExitStatus.inputOutput)
    }
  }

  /// How much is read and written at once.
  static let pieceBytes = 64 << 10

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

  /// Calls `body` with the bytes of a file, or of standard input for `-` or none, piece by piece, each with how many bytes
  /// are at least to come with it.
  static func forEachPiece(of operands: [String], _ body: ([UInt8], Int) -> Void) throws {
    let path = operands.first ?? "-"
    do {
      let isStandardInput = path == "-"
      let file =
        isStandardInput ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      var left = isStandardInput ? 0 : Int(try file.seekToEnd())
      if !isStandardInput { try file.seek(toOffset: 0) }
      while let data = try file.read(upToCount: Output.pieceBytes), !data.isEmpty {
        body(Array(data), max(left, data.count))
        left -= data.count
      }
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
