// Emphasis, strong emphasis and strikethrough (CommonMark 0.31.2 §6.2, GFM §6.5): the specification's "process
// emphasis", with openers' bottoms.

/// A delimiter run that may still open or close.
struct Delimiter: Sendable {
  var item: Int
  var previous: Int
  var next = -1
  var mark: UInt8
  /// How many delimiters are left, and how many there were.
  var count: Int
  let length: Int
  let canOpen: Bool
  let canClose: Bool
  /// A single tilde before a digit, a dollar or a slash: mostly meant as it stands, so that it is not healed.
  var isBeforeNumber = false
}

/// A match that a run takes part in. A run's closers come before what is left of it, its openers after.
struct DelimiterMatch: Sendable {
  var isOpener: Bool
  var kind: InlineEvent.Kind
  /// The next match of the same run, or -1.
  var next: Int
}

extension InlineParser {
  mutating func readDelimiterRun(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int {
    let mark = bytes[position]
    var end = position
    while end < bytes.count && bytes[end] == mark { end += 1 }
    if hides(position, to: end, bytes) { return end }
    let before = Flanking.before(position, in: bytes)
    let after = Flanking.after(end, in: bytes)
    let isLeft =
      after != .whitespace && (after != .punctuation || before != .other)
    let isRight =
      before != .whitespace && (before != .punctuation || after != .other)
    var canOpen = isLeft
    var canClose = isRight
    if mark == UInt8(ascii: "_") {
      canOpen = isLeft && (!isRight || before == .punctuation)
      canClose = isRight && (!isLeft || after == .punctuation)
    }
    let count = end - position
    let item = items.count
    items.append(InlineItem(.delimiters, position..<end))
    let isTooLong = mark == UInt8(ascii: "~") && count > 2
    if (canOpen || canClose) && !isTooLong {
      delimiters.append(
        Delimiter(
          item: item, previous: lastDelimiter, mark: mark, count: count, length: count, canOpen: canOpen,
          canClose: canClose))
      if mark == UInt8(ascii: "~") && count == 1 && end < bytes.count {
        let next = bytes[end]
        delimiters[delimiters.count - 1].isBeforeNumber =
          ASCII.isDigit(Int(next)) || next == UInt8(ascii: "/") || next == UInt8(ascii: "$")
      }
      if lastDelimiter >= 0 { delimiters[lastDelimiter].next = delimiters.count - 1 }
      lastDelimiter = delimiters.count - 1
    }
    return end
  }

  /// Matches the delimiters above `bottom` (-1: all of them) and removes them.
  mutating func processEmphasis(above bottom: Int) {
    guard lastDelimiter > bottom else { return }
    var openersBottom = OpenersBottom(bottom)
    var closer = lastDelimiter
    while delimiters[closer].previous > bottom { closer = delimiters[closer].previous }
    while closer >= 0 {
      guard delimiters[closer].canClose else {
        closer = delimiters[closer].next
        continue
      }
      var opener = delimiters[closer].previous
      let lowest = openersBottom[delimiters[closer]]
      var isFound = false
      while opener > bottom && opener > lowest {
        steps += 1
        if matches(opener, closer) {
          isFound = true
          break
        }
        opener = delimiters[opener].previous
      }
      if isFound {
        closer = match(opener, closer)
      } else {
        openersBottom[delimiters[closer]] = delimiters[closer].previous
        let next = delimiters[closer].next
        if !delimiters[closer].canOpen { remove(closer) }
        closer = next
      }
    }
    while lastDelimiter > bottom {
      if healing.isOpen { leaveOpen(delimiters[lastDelimiter]) }
      remove(lastDelimiter)
    }
  }

  private func matches(_ opener: Int, _ closer: Int) -> Bool {
    let first = delimiters[opener]
    let second = delimiters[closer]
    guard first.canOpen && first.mark == second.mark else { return false }
    if first.mark == UInt8(ascii: "~") { return true }
    // The rule of three.
    let isOdd =
      (first.canClose || second.canOpen) && second.length % 3 != 0
      && (first.length + second.length) % 3 == 0
    return !isOdd
  }

  /// Matches two runs and returns the closer to go on with.
  private mutating func match(_ opener: Int, _ closer: Int) -> Int {
    let first = delimiters[opener]
    let second = delimiters[closer]
    if first.mark == UInt8(ascii: "~") {
      if first.count == second.count { record(opener, closer, used: first.count, .deleteBegin, .deleteEnd) }
      removeBetween(opener, closer)
      let next = second.next
      remove(opener)
      remove(closer)
      return next
    }
    let used = first.count >= 2 && second.count >= 2 ? 2 : 1
    removeBetween(opener, closer)
    record(
      opener, closer, used: used, used == 2 ? .strongBegin : .emphasisBegin,
      used == 2 ? .strongEnd : .emphasisEnd)
    if delimiters[opener].count == 0 { remove(opener) }
    guard delimiters[closer].count == 0 else { return closer }
    let next = delimiters[closer].next
    remove(closer)
    return next
  }

  private mutating func record(
    _ opener: Int, _ closer: Int, used: Int, _ begin: InlineEvent.Kind, _ end: InlineEvent.Kind
  ) {
    delimiters[opener].count -= used
    delimiters[closer].count -= used
    let openerItem = delimiters[opener].item
    let closerItem = delimiters[closer].item
    // What is left of a run lies between its closers and its openers.
    let openerRange = items[openerItem].range
    items[openerItem].range = openerRange.lowerBound..<openerRange.upperBound - used
    let closerRange = items[closerItem].range
    items[closerItem].range = closerRange.lowerBound + used..<closerRange.upperBound
    matches.append(DelimiterMatch(isOpener: true, kind: begin, next: items[openerItem].payload))
    items[openerItem].payload = matches.count - 1
    matches.append(DelimiterMatch(isOpener: false, kind: end, next: items[closerItem].payload))
    items[closerItem].payload = matches.count - 1
  }

  private mutating func removeBetween(_ opener: Int, _ closer: Int) {
    delimiters[closer].previous = opener
    delimiters[opener].next = closer
  }

  mutating func remove(_ delimiter: Int) {
    let (previous, next) = (delimiters[delimiter].previous, delimiters[delimiter].next)
    if previous >= 0 { delimiters[previous].next = next }
    if next >= 0 { delimiters[next].previous = previous } else { lastDelimiter = previous }
  }
}

/// Below which no opener is to be looked for, for each kind of closer.
private struct OpenersBottom {
  private var bottoms: InlineArray<16, Int>

  init(_ bottom: Int) { bottoms = .init(repeating: bottom) }

  private func index(_ closer: Delimiter) -> Int {
    switch closer.mark {
    case UInt8(ascii: "*"): (closer.canOpen ? 3 : 0) + closer.length % 3
    case UInt8(ascii: "_"): 6 + (closer.canOpen ? 3 : 0) + closer.length % 3
    default: 12
    }
  }

  subscript(closer: Delimiter) -> Int {
    get { bottoms[index(closer)] }
    set { bottoms[index(closer)] = newValue }
  }
}
