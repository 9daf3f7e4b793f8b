// Math in text (dialect `chat`): `$…$`, `$$…$$`, `\(…\)` and `\[…\]`.
//
// Prices stay text: a single dollar opens only before a byte that is no white space and not after a digit, and the
// next one that is not escaped closes only after such a byte and not before a digit. Where that one does not close,
// the first is text: no formula has a dollar in it, so what is between two prices is none.

extension InlineParser {
  var hasMath: Bool { extensions.contains(.math) }

  /// At a dollar: math, or text; returns where to go on.
  mutating func readDollar(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int {
    var end = position
    while end < bytes.count && bytes[end] == UInt8(ascii: "$") { end += 1 }
    let length = end - position
    let isDisplay = length == 2
    if hides(position, to: end, bytes) { return end }
    let isAfterDigit = position > 0 && ASCII.isDigit(Int(bytes[position - 1]))
    if isDisplay || length == 1 && !isAfterDigit,
      let closer = closingDollar(bytes, from: end, isDisplay: isDisplay)
    {
      if closer < bytes.count && !isUndecided(closer + length, bytes) {
        items.append(InlineItem(isDisplay ? .displayMath : .math, end..<closer, begin: position))
        return closer + length
      }
      // A digit: more likely a price, so it is shown as text, though it may still turn out to be math.
      if leavesOpen(position) && (isDisplay || !ASCII.isDigit(Int(bytes[end]))) {
        let contentEnd = contentEnd(bytes, from: end, before: UInt8(ascii: "$"))
        items.append(InlineItem(isDisplay ? .openDisplayMath : .openMath, end..<contentEnd, begin: position))
        return bytes.count
      }
    }
    items.append(InlineItem(.text, position..<end))
    return end
  }

  /// Where the closer begins, `bytes.count` if it may come; `nil` if there is none and will be none.
  private mutating func closingDollar(
    _ bytes: borrowing Span<UInt8>, from begin: Int, isDisplay: Bool
  ) -> Int? {
    let kind: MissingEnds = isDisplay ? .displayMath : .math
    guard begin < bytes.count, isDisplay || !ASCII.isWhitespace(bytes[begin]) else { return nil }
    if missingEnds.contains(kind) { return bytes.count }
    var index = begin
    defer { steps += index - begin }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      guard byte == UInt8(ascii: "$") else {
        index += 1
        continue
      }
      if !isDisplay { return closes(bytes, at: index, from: begin) ? index : nil }
      var end = index
      while end < bytes.count && bytes[end] == byte { end += 1 }
      if end - index == 2 && index > begin { return index }
      index = end
    }
    missingEnds.insert(kind)
    return bytes.count
  }

  private func closes(_ bytes: borrowing Span<UInt8>, at index: Int, from begin: Int) -> Bool {
    guard index > begin, !ASCII.isWhitespace(bytes[index - 1]) else { return false }
    return index + 1 == bytes.count || !ASCII.isDigit(Int(bytes[index + 1]))
  }

  /// At a backslash before `(` or `[`: math up to `\)` or `\]`; `nil` if there is no such end.
  mutating func readBracketMath(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int? {
    guard hasMath, position + 1 < bytes.count else { return nil }
    let isDisplay = bytes[position + 1] == UInt8(ascii: "[")
    guard isDisplay || bytes[position + 1] == UInt8(ascii: "(") else { return nil }
    let kind: MissingEnds = isDisplay ? .bracketMath : .parenthesisMath
    let closer = isDisplay ? UInt8(ascii: "]") : UInt8(ascii: ")")
    if let end = closedBracketMath(bytes, at: position, closer, kind) {
      items.append(InlineItem(isDisplay ? .displayMath : .math, position + 2..<end, begin: position))
      return end + 2
    }
    guard leavesOpen(position) else { return nil }
    let end = contentEnd(bytes, from: position + 2, before: UInt8(ascii: "\\"))
    items.append(InlineItem(isDisplay ? .openDisplayMath : .openMath, position + 2..<end, begin: position))
    return bytes.count
  }

  private mutating func closedBracketMath(
    _ bytes: borrowing Span<UInt8>, at position: Int, _ closer: UInt8, _ kind: MissingEnds
  ) -> Int? {
    guard !missingEnds.contains(kind) else { return nil }
    var index = position + 2
    defer { steps += index - position }
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "\\") {
        if bytes[index + 1] == closer { return index }
        index += 1
      }
      index += 1
    }
    missingEnds.insert(kind)
    return nil
  }
}
