/// What one reader of a stream has got.
struct ReaderRecord: Sendable {
  let kind: ReaderKind
  var arrivals: [DeliveryAccount.Arrival] = []
  /// Its events, in order, if they are to be verified.
  var recording: Recording?
  /// Whether it has got the stream's last event.
  var isFinished = false

  init(_ kind: ReaderKind, records: Bool) {
    self.kind = kind
    recording = records ? Recording() : nil
  }
}

/// The data of a reader's events, one after the other.
package struct Recording: Sendable {
  package private(set) var bytes: [UInt8] = []
  package private(set) var events: [(kind: EventDecoder.Kind, end: Int)] = []

  package init() {}

  package mutating func append(_ kind: EventDecoder.Kind, _ data: [UInt8]) {
    bytes += data
    events.append((kind, bytes.count))
  }
}
