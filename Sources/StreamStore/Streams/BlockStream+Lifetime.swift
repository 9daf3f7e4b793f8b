import BlockDiff
import Markup

// Whether the stream is there, for how long, and whether it may be forgotten.
extension BlockStream {
  // MARK: - Presence

  /// Whether the stream is there for those who ask for it.
  package var isPresent: Bool { locked { presence == .present } }

  /// Refuses where it is not, as a request for it would be refused now.
  package func requirePresence() throws(StreamError) {
    try locked { () throws(StreamError) in
      if presence != .present { throw absence }
    }
  }

  /// Takes no more appends: the stream is being removed. Live readers are woken, to find that out.
  func discard() {
    let woken = locked { () -> [Reader] in
      presence = .discarded
      return readers
    }
    for reader in woken { reader.wake() }
  }

  /// The stream has been removed, and is kept for its forks.
  func keep() {
    locked {
      presence = .kept
      parsed = nil
      recent = nil
      countParsed()
    }
  }

  /// The number of bytes that have been accepted, without those of the stream that this one was forked from.
  var ownBytes: Int { locked { accepted.length } - lineage.begin.value }

  /// Whether nothing would be lost if the stream were loaded anew. Where it was used since that was last stored,
  /// that is stored first.
  func isIdle() -> Bool {
    if case .idle = lifetime { storeUse(ifOlderThan: nil) }
    return locked {
      parsed == nil && inFlight.isEmpty && loadWaiters == nil && readers.isEmpty && lastUse.isStored
    }
  }

  // MARK: - Lifetime

  /// Whether the stream's time is over. Not while somebody reads it who keeps it alive.
  var isExpired: Bool {
    switch lifetime {
    case .unlimited: false
    case .until(let end): isPresent && budget.now >= end
    case .idle:
      locked {
        guard presence == .present, readers.isEmpty, let end = lifetime.end(afterUse: lastUse.moment) else {
          return false
        }
        return budget.now >= end
      }
    }
  }

  /// Begins the time anew after which an idle stream ends. For each request that reads.
  package func noteUse() {
    guard case .idle = lifetime else { return }
    locked { lastUse.note(budget.now) }
    storeUse(ifOlderThan: lifetime.untoldMilliseconds)
  }

  /// Has it stored, from time to time, that readers keep the stream: should the process end, they come again.
  ///
  /// - Precondition: called at least as often as `untoldMilliseconds / 2` asks for.
  func noteReaders() {
    guard case .idle = lifetime else { return }
    let isRead = locked {
      if !readers.isEmpty { lastUse.note(budget.now) }
      return !readers.isEmpty
    }
    if isRead { storeUse(ifOlderThan: lifetime.untoldMilliseconds / 2) }
  }

  /// The time to be stored with an entry. Within the lock.
  func useNow() -> Timestamp? {
    guard case .idle = lifetime else { return nil }
    lastUse.note(budget.now)
    lastUse.tell()
    return lastUse.moment
  }

  private func storeUse(ifOlderThan milliseconds: Int?) {
    locked {
      guard presence == .present, lastUse.isDue(ifOlderThan: milliseconds) else { return }
      do throws(SourceLogError) {
        lastUse.tell(try log.commit(SourceEntry(usedAt: lastUse.moment), at: accepted.length))
      } catch {
        // The next use tries again.
      }
    }
  }
}
