/// When a stream was last used, and what of that is stored (Decision 0004).
struct LastUse {
  /// When it was, or the latest that it may have been.
  private(set) var moment: Timestamp
  private var stored: Timestamp
  private var isUntold = false
  /// Tells whether what was given to the log by itself has been stored.
  private var receipt: CommitReceipt?

  /// A use of which the log knows as much as `stored`.
  init(_ moment: Timestamp, stored: Timestamp) {
    self.moment = moment
    self.stored = stored
  }

  /// Whether the log knows all of it.
  var isStored: Bool { !isUntold && receipt.map { $0.outcome == .stored } ?? true }

  /// The stream is used now.
  mutating func note(_ now: Timestamp) {
    moment = now
    isUntold = true
  }

  /// The log has been given the moment: by itself, or with an entry that has its own receipt.
  mutating func tell(_ receipt: CommitReceipt? = nil) {
    stored = moment
    isUntold = false
    self.receipt = receipt
  }

  /// What the log was given has not been stored.
  mutating func takeBack() {
    stored = .distantPast
    isUntold = true
    receipt = nil
  }

  /// Whether the log has to be given the moment: where what it knows is older by more than so much, or `nil` for any
  /// that it does not know.
  mutating func isDue(ifOlderThan milliseconds: Int?) -> Bool {
    if receipt?.outcome == .refused { takeBack() }
    guard isUntold, let milliseconds else { return isUntold }
    return moment < stored || moment.milliseconds - stored.milliseconds > milliseconds
  }
}
