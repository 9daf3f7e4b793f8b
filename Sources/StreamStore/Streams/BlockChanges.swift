import BlockDiff
import Foundation
package import Markup

/// What changed between two positions. An object, so that the many readers of one diff share it as it is.
package final class BlockChanges: Sendable {
  /// Where the reader stood.
  package let from: ByteOffset
  /// What it shows of inline content.
  let inline: InlineOutput
  /// The diff as JSON.
  package let json: [UInt8]
  /// The token of the position after it, as bytes.
  package let token: [UInt8]
  /// Whether there is anything to show; a live reader is not sent a diff without ops.
  package let isEmpty: Bool
  /// Where the stream stands after it.
  package let status: StreamStatus
  // Safe: `event` is touched only between `lock` and `unlock` of `lock`.
  private let lock = NSLock()
  nonisolated(unsafe) private var event: [UInt8] = []

  /// What its readers are sent of it, as the first of them makes it: all of them would make the same.
  package func event(_ make: () -> [UInt8]) -> [UInt8] {
    lock.lock()
    defer { lock.unlock() }
    if unsafe event.isEmpty { unsafe event = make() }
    return unsafe event
  }

  init(_ diff: Diff, _ inline: InlineOutput, json: [UInt8], status: StreamStatus) {
    from = diff.from
    self.inline = inline
    self.json = json
    isEmpty = diff.ops.isEmpty
    var token: [UInt8] = []
    token.reserveCapacity(33)
    status.position.append(to: &token)
    self.token = token
    self.status = status
  }
}
