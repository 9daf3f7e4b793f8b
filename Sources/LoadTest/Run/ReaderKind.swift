/// How a reader of a stream behaves.
package enum ReaderKind: Int, CaseIterable, Sendable {
  /// Takes every diff as it comes.
  case live
  /// Loses its connection again and again, and comes back with `Last-Event-ID`.
  case resuming
  /// Asks for at most a diff in each `minInterval`.
  case coalescing
  /// Takes little at a time, through a small window.
  case slow
  /// Comes when half of the answer is there.
  case late

  /// The kinds of the readers in a row: half of them are live, as most are.
  private static let deck: [ReaderKind] = [.live, .resuming, .live, .coalescing, .live, .slow, .live, .late]

  /// The kind of a run's so many-th reader.
  static func dealt(_ number: Int) -> ReaderKind { deck[number % deck.count] }

  /// Whether it takes what there is at once, so that the time until it has it is the server's.
  var isPrompt: Bool { self != .coalescing && self != .slow }

  /// What `minInterval` it asks for, in milliseconds.
  var minInterval: Int { self == .coalescing ? 100 : 0 }

  /// Between a slow reader's takes, and how much it takes.
  static let slowInterval = Duration.milliseconds(100)
  static let slowBytes = 1_024
  /// The kernel's buffer for a slow reader, which soon is full.
  static let slowReceiveBufferBytes: Int32 = 4_096
  /// So many events after which a resuming reader is cut off, and how long it stays away.
  static let eventsUntilCut = 5..<60
  static let absence = 20..<400
}
