import Foundation

/// Why a database cannot be served from.
package enum SQLiteLogError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Another server has it open.
  case inUse(path: String, process: Int?)
  /// The file that marks it as in use cannot be opened.
  case cannotLock(path: String, errno: Int32)
  /// It is a database of something else.
  case foreign(path: String)
  /// A newer version of this program has written it.
  case newer(path: String, version: Int, known: Int)
  /// SQLite does not open it.
  case sqlite(SQLiteError, path: String)

  package var description: String {
    switch self {
    case .inUse(let path, let process):
      "\(path): in use by another server" + (process.map { ", process \($0)" } ?? "")
    case .cannotLock(let path, let errno):
      "\(path): cannot be opened: \(POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO).localizedDescription)"
    case .foreign(let path): "\(path): a database of another program"
    case .newer(let path, let version, let known):
      "\(path): has version \(version), written by a newer mooring; this one knows versions up to \(known)"
    case .sqlite(let error, let path): "\(path): \(error)"
    }
  }
}
