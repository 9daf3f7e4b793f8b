import StreamStore

/// The cursors of live answers (Durable Streams 1.0 §10.1): they keep a cache from giving one empty answer for ever.
enum StreamCursor {
  private static let intervalSeconds = 20
  /// 2024-10-09T00:00:00Z.
  private static let epochSeconds = 1_728_432_000
  private static let jitterSeconds = 1...3600

  /// The cursor of an answer: the number of the present interval; where the client's is not below it, one above the
  /// client's.
  ///
  /// - Parameter jitter: a number of seconds from a range.
  static func next(
    after client: String?, now: Timestamp, jitter: (ClosedRange<Int>) -> Int = { .random(in: $0) }
  ) -> Int {
    let current = current(now)
    guard let client = client.flatMap(Query.number), client >= current, client < .max / 2 else {
      return current
    }
    return client + max(1, jitter(jitterSeconds) / intervalSeconds)
  }

  /// The number of the present interval.
  static func current(_ now: Timestamp) -> Int { (now.milliseconds / 1000 - epochSeconds) / intervalSeconds }
}
