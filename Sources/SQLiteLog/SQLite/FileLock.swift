import Foundation

/// A lock on a file beside the database, held for as long as the process has it open: two servers on one database
/// would each think that they know where its streams end.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock at once or not at all, and writes the process's number into the file.
  init(databasePath: String) throws(SQLiteLogError) {
    let path = databasePath + "-lock"
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .cannotLock(path: path, errno: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      defer { close(descriptor) }
      guard code == EWOULDBLOCK else { throw .cannotLock(path: path, errno: code) }
      throw .inUse(path: databasePath, process: Self.process(descriptor))
    }
    self.descriptor = descriptor
    let text = Array("\(getpid())\n".utf8)
    // Only for the message above: that it cannot be written is no reason not to start.
    _ = ftruncate(descriptor, 0)
    _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  deinit { close(descriptor) }

  /// Gives the lock back.
  func release() { _ = flock(descriptor, LOCK_UN) }

  private static func process(_ descriptor: Int32) -> Int? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = unsafe text.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return nil }
    return Int(String(decoding: text[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
  }
}
