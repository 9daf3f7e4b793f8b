// The end of an open leaf (identity.md §8). What has not closed there is shown as if it did, what may still become
// something else is not shown, and how far the content is settled is found on the way.

/// Whether a leaf's text can still grow.
package enum InlineEnding: Sendable, Equatable {
  /// It cannot: exactly the specification's content.
  case final
  /// It can. What begins before `givingUpBefore` and is still open is taken as text, so that the part of a text that
  /// is not settled has a bound.
  case open(givingUpBefore: Int)
}

/// What the end of an open leaf leaves undecided.
struct Healing: Sendable {
  let isOpen: Bool
  let givingUpBefore: Int
  /// Where the text that is parsed begins.
  let begin: Int
  /// Where the first thing begins that more text may change; the text's end if there is none.
  var unresolved: Int
  /// Whether what was looked for went on to the text's end.
  var touchesEnd = false

  init() { self.init(.final, from: 0, to: 0) }

  init(_ ending: InlineEnding, from begin: Int, to end: Int) {
    self.begin = begin
    unresolved = end
    switch ending {
    case .final: (isOpen, givingUpBefore) = (false, 0)
    case .open(let limit): (isOpen, givingUpBefore) = (true, limit)
    }
  }
}

extension InlineParser {
  /// Whether what begins at `position` and has not ended may end in text to come.
  mutating func leavesOpen(_ position: Int) -> Bool {
    guard healing.isOpen else { return false }
    guard position >= healing.givingUpBefore else {
      content.hasGivenUp = true
      return false
    }
    healing.unresolved = min(healing.unresolved, position)
    return true
  }

  /// Whether what begins at `position` ends at the end of an open text, so that it may grow: it is not shown.
  mutating func hides(_ position: Int, to end: Int, _ bytes: borrowing Span<UInt8>) -> Bool {
    end == bytes.count && leavesOpen(position)
  }

  /// Whether a closer that ends at `end` may still grow, and be none.
  func isUndecided(_ end: Int, _ bytes: borrowing Span<UInt8>) -> Bool {
    healing.isOpen && end == bytes.count
  }

  /// The end of content that has not closed: the text's, less what may be a part of the closer.
  func contentEnd(_ bytes: borrowing Span<UInt8>, from begin: Int, before mark: UInt8) -> Int {
    var end = bytes.count
    while end > begin && bytes[end - 1] == mark { end -= 1 }
    return end
  }

  /// Decides what is shown of everything that is open at the end.
  mutating func resolveOpenEnd(_ bytes: borrowing Span<UInt8>) {
    holdLastWord(bytes)
    for bracket in brackets.reversed() {
      while let last = components.openers.last, last.item > bracket.item { resolveOpenComponent(bytes) }
      guard leavesOpen(items[bracket.item].begin), bracket.isActive else { continue }
      // As a link's, its delimiters match among themselves.
      processEmphasis(above: bracket.delimiter)
      items[bracket.item].kind = isHidden(bracket, bytes) ? .hiddenRest : .openLink
    }
    while !components.openers.isEmpty { resolveOpenComponent(bytes) }
  }

  /// White space at the end may belong to a line end, and a word there to an address.
  private mutating func holdLastWord(_ bytes: borrowing Span<UInt8>) {
    var begin = bytes.count
    while begin > healing.begin && ASCII.isWhitespace(bytes[begin - 1]) { begin -= 1 }
    if begin == bytes.count && isGFM {
      while begin > healing.begin && Self.isInAddress(bytes[begin - 1]) { begin -= 1 }
    }
    guard begin < bytes.count else { return }
    if isGFM { hideScheme(bytes, from: begin) }
    // The first of them may be escaped.
    var backslashes = begin
    while backslashes > healing.begin && bytes[backslashes - 1] == UInt8(ascii: "\\") { backslashes -= 1 }
    if (begin - backslashes) % 2 == 1 { begin -= 1 }
    _ = leavesOpen(begin)
  }

  private static let schemes = ["http://", "https://", "ftp://", "www."].map { Array($0.utf8) }

  /// What an address begins with, from its first letter on, is not shown before the address is one.
  private mutating func hideScheme(_ bytes: borrowing Span<UInt8>, from word: Int) {
    for scheme in Self.schemes {
      for length in 1...scheme.count where bytes.count - length >= word {
        let begin = bytes.count - length
        guard begin == healing.begin || !ASCII.isLetter(Int(bytes[begin - 1])) else { continue }
        var index = 0
        while index < length && ASCII.lowercased(bytes[begin + index]) == scheme[index] { index += 1 }
        if index == length && leavesOpen(begin) { return hide(from: begin) }
      }
    }
  }

  /// Takes the text from `begin` on out of the items.
  private mutating func hide(from begin: Int) {
    while let last = items.last, last.kind == .text, last.range.upperBound > begin {
      if last.begin < begin {
        items[items.count - 1].range = last.range.lowerBound..<begin
      } else {
        items.removeLast()
      }
    }
  }

  /// Whether a byte may stand in an e-mail address, or before the host of a URL.
  private static func isInAddress(_ byte: UInt8) -> Bool {
    if ASCII.isLetter(Int(byte)) || ASCII.isDigit(Int(byte)) { return true }
    return switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"),
      UInt8(ascii: "/"), UInt8(ascii: "@"):
      true
    default: false
    }
  }

  /// Whether nothing is shown of what an open bracket may become: an image, or a footnote reference.
  private func isHidden(_ bracket: Bracket, _ bytes: borrowing Span<UInt8>) -> Bool {
    if bracket.isImage { return true }
    guard extensions.contains(.footnotes), bracket.contentBegin < bytes.count,
      bytes[bracket.contentBegin] == UInt8(ascii: "^")
    else { return false }
    for index in bracket.contentBegin..<bytes.count where ASCII.isWhitespace(bytes[index]) { return false }
    return true
  }

  /// A run of delimiters that has no closer yet is shown as if it had one at the end.
  mutating func leaveOpen(_ delimiter: Delimiter) {
    guard delimiter.canOpen, leavesOpen(items[delimiter.item].begin), !delimiter.isBeforeNumber else {
      return
    }
    items[delimiter.item].kind = .openDelimiters
  }
}
