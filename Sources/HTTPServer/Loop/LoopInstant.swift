import CLinux
import Foundation

/// A point on the monotonic clock (`CLOCK_MONOTONIC`), in nanoseconds. Deadlines are such points.
package struct LoopInstant: InstantProtocol, Sendable {
  /// Since the clock's beginning, which is the machine's start.
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The clock read now, by a call of the kernel's shared page. On a loop, `Exchange.now` costs nothing.
  package static var now: LoopInstant {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return LoopInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// A deadline that never passes.
  package static let never = LoopInstant(nanoseconds: .max)

  /// The instant `duration` later; `never` where that is out of range.
  package func advanced(by duration: Duration) -> LoopInstant {
    self == .never ? .never : advanced(byNanoseconds: duration.nanoseconds)
  }

  package func duration(to other: LoopInstant) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }

  package static func < (one: LoopInstant, other: LoopInstant) -> Bool {
    one.nanoseconds < other.nanoseconds
  }
}

extension LoopInstant {
  /// The instant so many nanoseconds later; `never` where that is out of range. Cheaper than a `Duration`.
  package func advanced(byNanoseconds count: Int64) -> LoopInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
    return overflow ? .never : LoopInstant(nanoseconds: sum)
  }
}

extension Duration {
  /// The duration in nanoseconds; the largest number where it is out of range.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? .max : sum
  }
}
