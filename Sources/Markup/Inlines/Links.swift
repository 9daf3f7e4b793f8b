// Links and images (CommonMark 0.31.2 §6.3 and §6.4), footnote references.

/// An opening bracket whose partner has not come.
struct Bracket: Sendable {
  var item: Int
  /// The index after it.
  var contentBegin: Int
  /// The last delimiter before it.
  var delimiter: Int
  var isImage: Bool
  /// The index of the last bracket before it that is no image's, or -1.
  var previousLink: Int
  /// Brackets before a link are not active: links hold no links.
  var isActive = true
  /// Another bracket follows, so this one's text is no label.
  var hasBracketAfter = false
}

extension InlineParser {
  mutating func openBracket(_ bytes: borrowing Span<UInt8>, at position: Int, isImage: Bool) -> Int {
    let end = position + (isImage ? 2 : 1)
    var previousLink = -1
    if let last = brackets.indices.last {
      brackets[last].hasBracketAfter = true
      previousLink = brackets[last].isImage ? brackets[last].previousLink : last
    }
    brackets.append(
      Bracket(
        item: items.count, contentBegin: end, delimiter: lastDelimiter, isImage: isImage,
        previousLink: previousLink))
    items.append(InlineItem(.text, position..<end))
    return end
  }

  mutating func closeBracket(
    _ bytes: borrowing Span<UInt8>, at position: Int, references: borrowing References,
    table: borrowing BlockTable
  ) -> Int {
    let after = position + 1
    guard let bracket = brackets.last else { return text(position..<after) }
    guard bracket.isActive else {
      brackets.removeLast()
      return text(position..<after)
    }
    healing.touchesEnd = after == bytes.count
    if let (destination, end) = inlineLink(bytes, at: after) {
      return link(bracket, position, destination, end: end)
    }
    let label = fullLabel(bytes, at: after)
    // Open: what follows the bracket is not all there yet.
    if healing.touchesEnd && leavesOpen(items[bracket.item].range.lowerBound) { return bytes.count }
    var key: Range<Int>?
    if let label, !label.isEmpty {
      key = label
    } else if !bracket.hasBracketAfter {
      key = bracket.contentBegin..<position
    }
    if let key, let fields = definition(bytes, key, references, table) {
      let destination = LinkDestination(
        url: content.intern(table.strings[fields.url]),
        title: fields.title.map { content.intern(table.strings[$0]) })
      return link(bracket, position, destination, end: label.map { $0.upperBound + 1 } ?? after)
    }
    if let end = footnoteReference(bytes, bracket, position, references) { return end }
    if let key { content.waiting.append(WaitingLabel(range: key, isFootnote: false)) }
    brackets.removeLast()
    return text(position..<after)
  }

  private mutating func text(_ range: Range<Int>) -> Int {
    items.append(InlineItem(.text, range))
    return range.upperBound
  }

  /// The brackets are a link's or an image's.
  private mutating func link(
    _ bracket: Bracket, _ position: Int, _ destination: LinkDestination, end: Int
  ) -> Int {
    content.destinations.append(destination)
    let payload = content.destinations.count - 1
    items[bracket.item] = InlineItem(
      bracket.isImage ? .imageBegin : .linkBegin, items[bracket.item].range, payload: payload)
    items.append(InlineItem(bracket.isImage ? .imageEnd : .linkEnd, position..<end, payload: payload))
    processEmphasis(above: bracket.delimiter)
    dropOpeners(after: bracket.item)
    brackets.removeLast()
    if !bracket.isImage { deactivateLinks(from: bracket.previousLink) }
    return end
  }

  /// The bracket at this index and those before it are no links: there is a link in them. Images' are left as they are.
  mutating func deactivateLinks(from last: Int) {
    var index = last
    while index >= 0 && brackets[index].isActive {
      steps += 1
      brackets[index].isActive = false
      index = brackets[index].previousLink
    }
  }

  private func definition(
    _ bytes: borrowing Span<UInt8>, _ label: Range<Int>, _ references: borrowing References,
    _ table: borrowing BlockTable
  ) -> DefinitionFields? {
    // A label has at most 999 characters, of at most four bytes.
    guard !references.links.isEmpty && label.count <= 3_996 else { return nil }
    let identifier = Label.identifier(copy(bytes, label))
    guard !identifier.isEmpty, let index = references.links[identifier] else { return nil }
    return table.definitions[index]
  }

  func copy(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    Array(copying: bytes.extracting(range))
  }

  /// `[label]`, or `[]`: the range inside the brackets.
  private mutating func fullLabel(_ bytes: borrowing Span<UInt8>, at begin: Int) -> Range<Int>? {
    guard begin < bytes.count && bytes[begin] == UInt8(ascii: "[") else { return nil }
    var index = begin + 1
    defer { steps += index - begin }
    let limit = min(bytes.count, begin + 3_998)
    defer { if index >= bytes.count { healing.touchesEnd = true } }
    while index < limit {
      switch bytes[index] {
      case UInt8(ascii: "]"): return begin + 1..<index
      case UInt8(ascii: "["): return nil
      case UInt8(ascii: "\\") where index + 1 < limit && ASCII.isPunctuation(Int(bytes[index + 1])):
        index += 1
      default: break
      }
      index += 1
    }
    return nil
  }

  private mutating func footnoteReference(
    _ bytes: borrowing Span<UInt8>, _ bracket: Bracket, _ position: Int, _ references: borrowing References
  ) -> Int? {
    let label = bracket.contentBegin..<position
    guard extensions.contains(.footnotes), label.count > 1, label.count <= 3_996,
      bytes[label.lowerBound] == UInt8(ascii: "^")
    else { return nil }
    let name = label.lowerBound + 1..<label.upperBound
    guard references.footnote(labelled: copy(bytes, name)) != nil else {
      content.waiting.append(WaitingLabel(range: name, isFootnote: true))
      return nil
    }
    let range = items[bracket.item].range
    items.removeSubrange((bracket.item + 1)...)
    while lastDelimiter > bracket.delimiter { remove(lastDelimiter) }
    dropOpeners(after: bracket.item)
    if bracket.isImage {
      items[bracket.item] = InlineItem(.text, range.lowerBound..<range.lowerBound + 1)
      items.append(InlineItem(.footnoteReference, name, begin: range.lowerBound + 1))
    } else {
      items[bracket.item] = InlineItem(.footnoteReference, name, begin: range.lowerBound)
    }
    brackets.removeLast()
    return position + 1
  }

  // MARK: - Inline links

  /// `(destination "title")`: the destination and where it ends.
  private mutating func inlineLink(
    _ bytes: borrowing Span<UInt8>, at begin: Int
  ) -> (LinkDestination, Int)? {
    guard begin < bytes.count && bytes[begin] == UInt8(ascii: "(") else { return nil }
    let urlBegin = bytes.whitespaceEnd(from: begin + 1)
    guard let (url, urlEnd) = linkURL(bytes, at: urlBegin) else { return nil }
    var end = bytes.whitespaceEnd(from: urlEnd)
    var title: Range<Int>?
    if end > urlEnd, let (range, titleEnd) = linkTitle(bytes, at: end) {
      title = range
      end = bytes.whitespaceEnd(from: titleEnd)
    }
    guard end < bytes.count && bytes[end] == UInt8(ascii: ")") else {
      if end >= bytes.count { healing.touchesEnd = true }
      return nil
    }
    let destination = LinkDestination(
      url: content.intern(Escapes.removed(from: copy(bytes, url))),
      title: title.map { content.intern(Escapes.removed(from: copy(bytes, $0))) })
    return (destination, end + 1)
  }

  private mutating func linkURL(_ bytes: borrowing Span<UInt8>, at begin: Int) -> (Range<Int>, Int)? {
    var index = begin
    defer {
      steps += index - begin
      if index >= bytes.count { healing.touchesEnd = true }
    }
    if index < bytes.count && bytes[index] == UInt8(ascii: "<") {
      index += 1
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: ">"): return (begin + 1..<index, index + 1)
        case UInt8(ascii: "<"), 0x0A: return nil
        case UInt8(ascii: "\\"): index += 1
        default: break
        }
        index += 1
      }
      return nil
    }
    var depth = 0
    scan: while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\\") where index + 1 < bytes.count && ASCII.isPunctuation(Int(bytes[index + 1])):
        index += 1
      case UInt8(ascii: "("):
        depth += 1
        if depth > 32 { return nil }
      case UInt8(ascii: ")"):
        if depth == 0 { break scan }
        depth -= 1
      case 0...0x20, 0x7F: break scan
      default: break
      }
      index += 1
    }
    return depth == 0 ? (begin..<index, index) : nil
  }

  private mutating func linkTitle(_ bytes: borrowing Span<UInt8>, at begin: Int) -> (Range<Int>, Int)? {
    guard begin < bytes.count, DefinitionScanner.opensTitle(Int(bytes[begin])) else { return nil }
    let opener = bytes[begin]
    let closer = opener == UInt8(ascii: "(") ? UInt8(ascii: ")") : opener
    var index = begin + 1
    defer {
      steps += index - begin
      if index >= bytes.count { healing.touchesEnd = true }
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == closer { return (begin + 1..<index, index + 1) }
      if byte == UInt8(ascii: "(") && opener == byte { return nil }
      if byte == UInt8(ascii: "\\") { index += 1 }
      index += 1
    }
    return nil
  }
}
