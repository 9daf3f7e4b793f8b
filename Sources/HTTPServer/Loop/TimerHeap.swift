/// The channels with a deadline, the earliest first: a binary heap with at most one entry a channel.
///
/// Most deadlines are put off before they pass (each request moves its connection's). Putting off costs
/// nothing here: the entry stays where it is, and when it comes up the channel is asked what its deadline is by now.
struct TimerHeap {
  private struct Entry {
    var instant: LoopInstant
    var channel: Channel
  }

  private var entries: [Entry] = []
  /// Entries moved so far, for the tests of cost.
  private(set) var moves = 0

  var count: Int { entries.count }

  /// The instant of the first entry, or `never`.
  var earliest: LoopInstant { entries.first?.instant ?? .never }

  /// Makes sure that the channel comes up at `instant` or before.
  ///
  /// - Complexity: O(log n), O(1) where an entry that early is there already.
  mutating func schedule(_ channel: Channel, at instant: LoopInstant) {
    if channel.timerIndex < 0 {
      channel.timerIndex = entries.count
      entries.append(Entry(instant: instant, channel: channel))
    } else {
      guard instant < entries[channel.timerIndex].instant else { return }
      entries[channel.timerIndex].instant = instant
    }
    siftUp(from: channel.timerIndex)
  }

  /// Takes the channel out.
  ///
  /// - Complexity: O(log n).
  mutating func remove(_ channel: Channel) {
    let index = channel.timerIndex
    guard index >= 0 else { return }
    channel.timerIndex = -1
    let last = entries.removeLast()
    guard index < entries.count else { return }
    place(last, at: index)
    siftUp(from: index)
    siftDown(from: last.channel.timerIndex)
  }

  /// Takes out the first channel whose entry is not after `now`, or gives `nil`.
  mutating func popDue(_ now: LoopInstant) -> Channel? {
    guard let first = entries.first, first.instant <= now else { return nil }
    remove(first.channel)
    return first.channel
  }

  private mutating func place(_ entry: Entry, at index: Int) {
    entries[index] = entry
    entry.channel.timerIndex = index
    moves += 1
  }

  private mutating func siftUp(from start: Int) {
    var index = start
    let entry = entries[index]
    while index > 0, entry.instant < entries[(index - 1) / 2].instant {
      place(entries[(index - 1) / 2], at: index)
      index = (index - 1) / 2
    }
    place(entry, at: index)
  }

  private mutating func siftDown(from start: Int) {
    var index = start
    let entry = entries[index]
    while index * 2 + 1 < entries.count {
      var child = index * 2 + 1
      if child + 1 < entries.count, entries[child + 1].instant < entries[child].instant { child += 1 }
      guard entries[child].instant < entry.instant else { break }
      place(entries[child], at: index)
      index = child
    }
    place(entry, at: index)
  }
}
