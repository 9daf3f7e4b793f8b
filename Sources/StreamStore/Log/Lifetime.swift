/// A moment, in milliseconds since 1970 (Unix time).
package struct Timestamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int

  package init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// Before every use of a stream.
  package static let distantPast = Timestamp(milliseconds: 0)

  package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }
}

/// When a stream ends by itself (Durable Streams 1.0 §5.1).
package enum Lifetime: Hashable, Sendable {
  /// Never.
  case unlimited
  /// When nobody has read or written it for so many seconds (`Stream-TTL`).
  case idle(seconds: Int)
  /// At a moment (`Stream-Expires-At`).
  case until(Timestamp)

  /// The longest time that a stream may be idle: beyond it, moments would not fit.
  package static let maxIdleSeconds = 100 * 365 * 86_400

  /// How much later than it is stored a stream may have been used last: uses are not stored one by one. A stream
  /// is kept that much longer after a restart, never shorter.
  package var untoldMilliseconds: Int {
    if case .idle(let seconds) = self { max(10_000, seconds * 1000 / 16) } else { 0 }
  }

  /// When a stream ends that was used last at `use`; `nil` for never.
  package func end(afterUse use: Timestamp) -> Timestamp? {
    switch self {
    case .unlimited: nil
    case .idle(let seconds): Timestamp(milliseconds: use.milliseconds + seconds * 1000)
    case .until(let moment): moment
    }
  }
}
