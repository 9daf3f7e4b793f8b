/// Says when a reader got each of a stream's appends.
///
/// A reader's event shows a position, and with it every append up to there that the reader had not got. All of them
/// count, each from its own scheduled time: a server that sends one late diff for thirty appends is late thirty times.
package struct DeliveryAccount {
  /// An append, as its stream knows it when it is answered.
  package struct Append: Equatable, Sendable {
    /// When it was to be sent, in nanoseconds.
    package var scheduled: Int64
    /// The position of the blocks view after it.
    package var end: Int
    /// Whether it changed what is shown: of one that did not, nothing is sent.
    package var isShown: Bool

    package init(scheduled: Int64, end: Int, isShown: Bool) {
      self.scheduled = scheduled
      self.end = end
      self.isShown = isShown
    }
  }

  /// What a reader has from a point of time on.
  package struct Arrival: Equatable, Sendable {
    package var time: Int64
    package var position: Int
    /// Whether it came as a snapshot: what that shows was not waited for.
    package var isSnapshot: Bool

    package init(time: Int64, position: Int, isSnapshot: Bool = false) {
      self.time = time
      self.position = position
      self.isSnapshot = isSnapshot
    }
  }

  /// Calls `body` with each append that was delivered: when it was scheduled and when it arrived.
  ///
  /// - Parameters:
  ///   - appends: in order, so that their ends rise.
  ///   - arrivals: of one reader, in order.
  /// - Complexity: O(appends + arrivals).
  package static func forEachDelivery(
    of appends: [Append], in arrivals: [Arrival], _ body: (_ scheduled: Int64, _ arrived: Int64) -> Void
  ) {
    var next = 0
    for arrival in arrivals {
      while next < appends.count, appends[next].end <= arrival.position {
        if !arrival.isSnapshot, appends[next].isShown { body(appends[next].scheduled, arrival.time) }
        next += 1
      }
    }
  }
}
