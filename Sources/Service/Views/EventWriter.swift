import BlockDiff
import StreamStore

/// Writes server-sent events (WHATWG HTML §9.2.6) into bytes. Data is JSON, which has no line ends.
struct EventWriter {
  /// The events of the blocks views (api.md §2, *SSE*).
  enum Event {
    case snapshot, diff, finished, lagged
    /// Of a check: how far it is, and what came of it.
    case progress, report

    fileprivate var lines: [UInt8] {
      switch self {
      case .snapshot: Self.snapshotLines
      case .diff: Self.diffLines
      case .finished: Self.finishedLines
      case .lagged: Self.laggedLines
      case .progress: Self.progressLines
      case .report: Self.reportLines
      }
    }

    private static let snapshotLines = Array("event: snapshot\ndata: ".utf8)
    private static let diffLines = Array("event: diff\ndata: ".utf8)
    private static let finishedLines = Array("event: finished\ndata: ".utf8)
    private static let laggedLines = Array("event: lagged\ndata: ".utf8)
    private static let progressLines = Array("event: progress\ndata: ".utf8)
    private static let reportLines = Array("event: report\ndata: ".utf8)
  }

  /// What has been written.
  var bytes: [UInt8] = []

  /// Writes an event. `id` is the position after it.
  mutating func write(_ event: Event, id: [UInt8], data: [UInt8]) {
    bytes.append(contentsOf: Self.idLine)
    bytes.append(contentsOf: id)
    bytes.append(0x0A)
    bytes.append(contentsOf: event.lines)
    bytes.append(contentsOf: data)
    bytes.append(contentsOf: Self.end)
  }

  /// The event of a diff for the readers of its stream alone.
  static func diff(_ changes: BlockChanges) -> [UInt8] {
    var writer = EventWriter()
    writer.bytes.reserveCapacity(changes.json.count + 64)
    writer.write(.diff, id: changes.token, data: changes.json)
    return writer.bytes
  }

  /// Writes an event after which nothing can be resumed.
  mutating func write(_ event: Event, data: [UInt8]) {
    bytes.append(contentsOf: event.lines)
    bytes.append(contentsOf: data)
    bytes.append(contentsOf: Self.end)
  }

  /// Writes the time after which a client that lost the connection comes again. Spread out, so that the clients
  /// of a restarted server do not come all at once.
  mutating func writeRetry(milliseconds: Int) {
    bytes.append(contentsOf: "retry: \(milliseconds)\n\n".utf8)
  }

  /// Writes a comment, which keeps the connection alive.
  mutating func writeHeartbeat() {
    bytes.append(contentsOf: Self.heartbeat)
  }

  private static let idLine = Array("id: ".utf8)
  private static let end = Array("\n\n".utf8)
  private static let heartbeat = Array(":\n\n".utf8)
}
