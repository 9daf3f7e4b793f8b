// Components in text (identity.md §5 says which elements are components and what their tags are, §8 what is shown of
// those that are open).
//
// A tag binds as raw HTML does: before emphasis and links, after a code span that began before it. A pair of tags in
// one leaf is a component; so is an empty tag (`<Icon/>`), and the open tag alone where there is no content. Elements
// do not cross: where a component ends, the brackets and delimiters that are open in it are text, and where a link
// ends, the tags that are open in it are none of a component. A close tag of an outer component takes the tags that
// are open in it with it, likewise. Components in text are at most eight deep, and a tag has at most 1 KiB: every run of
// a component repeats what its tags say.
//
// An open tag without its close tag in a leaf that is sealed, and a close tag without its open tag, are what they are
// without components: raw HTML where CommonMark takes them for that, else text as it stands.

/// A component in a leaf's text: ranges of `InlineContent.strings`.
package struct InlineComponent: Sendable, Equatable {
  package struct Attribute: Sendable, Equatable {
    package var name: Range<Int>
    /// `nil` where the attribute was written without a value.
    package var value: Range<Int>?

    package init(name: Range<Int>, value: Range<Int>?) {
      self.name = name
      self.value = value
    }
  }

  package var name: Range<Int>
  /// How what is inside is read. `raw`: it is one piece of text.
  package var content: ComponentContent
  /// In the order of the text; the first of equal names.
  package var attributes: [Attribute]
}

/// What is known of the components of a text while it is read.
struct InlineComponents: Sendable {
  /// The most components that lie in one another. Where more are open, the outermost is none: it is the least likely to
  /// be closed.
  static let maxDepth = 8
  /// The most bytes of an open tag. With the depth it bounds how much more than the text its runs are.
  static let maxTagBytes = 1024

  /// An open tag whose close tag has not come.
  struct Opener: Sendable {
    var item: Int
    /// The last delimiter before it.
    var delimiter: Int
    /// The index of the component.
    var component: Int
    /// It is a directive with a label that has not closed: no close tag is its.
    var isDirective = false
  }

  var openers: [Opener] = []
  /// In a directive's label: how many components lie around it.
  var depthAround = 0
  /// How many of the openers have a name.
  var counts: [[UInt8]: Int] = [:]
  /// The raw components, by name, for which no close tag comes any more, and where one begins in which the text ends.
  var missingClosers: [[UInt8]: Int] = [:]
  /// Where the brace at a place is closed; filled when first asked.
  var closingBraces: [Int: Int] = [:]
  var hasMatchedBraces = false

  mutating func removeAll() {
    if !openers.isEmpty { openers.removeAll(keepingCapacity: true) }
    if !counts.isEmpty { counts.removeAll(keepingCapacity: true) }
    if !missingClosers.isEmpty { missingClosers.removeAll(keepingCapacity: true) }
    if hasMatchedBraces { closingBraces.removeAll(keepingCapacity: true) }
    hasMatchedBraces = false
    depthAround = 0
  }
}

extension InlineParser {
  /// A component's tag that begins with the `<` at `position`: the index after what was read; `nil` if there is none.
  mutating func readComponentTag(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int? {
    guard position + 1 < bytes.count else { return nil }
    if bytes[position + 1] == UInt8(ascii: "/") { return readComponentCloser(bytes, at: position) }
    guard let tag = componentTag(bytes, at: position) else { return nil }
    let component = add(tag, bytes)
    if tag.isSelfClosing || tag.content == .none {
      items.append(InlineItem(.component, tag.end..<tag.end, begin: position, payload: component))
      return tag.end
    }
    if tag.content == .raw {
      if let end = readRawContent(bytes, of: tag, component) { return end }
    } else if makeRoom() {
      components.counts[copy(bytes, tag.name), default: 0] += 1
      components.openers.append(
        InlineComponents.Opener(item: items.count, delimiter: lastDelimiter, component: component))
    }
    let isHTML = rawHTMLEnd(bytes, at: position) == tag.end
    items.append(InlineItem(isHTML ? .html : .text, position..<tag.end))
    return tag.end
  }

  /// Sees to it that one more component is not too deep, at the expense of the tag that has been open for the longest;
  /// `false` if it is.
  mutating func makeRoom() -> Bool {
    guard components.depthAround < InlineComponents.maxDepth else { return false }
    if components.depthAround + components.openers.count == InlineComponents.maxDepth {
      _ = dropOpener(at: 0)
    }
    return true
  }

  private mutating func add(_ tag: InlineComponentTag, _ bytes: borrowing Span<UInt8>) -> Int {
    var component = InlineComponent(
      name: content.intern(copy(bytes, tag.name)), content: tag.content, attributes: [])
    var names: Set<[UInt8]> = []
    for attribute in tag.attributes {
      let name = copy(bytes, attribute.name)
      guard names.insert(name).inserted else { continue }
      let value = attribute.value.map { range in
        let value = copy(bytes, range)
        return content.intern(attribute.isBraced ? value : Escapes.referencesResolved(in: value))
      }
      component.attributes.append(InlineComponent.Attribute(name: content.intern(name), value: value))
    }
    content.components.append(component)
    return content.components.count - 1
  }

  // MARK: - Close tags

  private mutating func readComponentCloser(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int? {
    guard !components.openers.isEmpty else { return nil }
    let nameBegin = position + 2
    let nameEnd = componentNameEnd(bytes, from: nameBegin)
    guard let end = closerEnd(bytes, after: nameEnd) else { return nil }
    let name = copy(bytes, nameBegin..<nameEnd)
    guard components.counts[name, default: 0] > 0 else { return nil }
    var opener = dropOpener(at: components.openers.count - 1)
    while opener.isDirective || content.strings[content.components[opener.component].name] != name[...] {
      opener = dropOpener(at: components.openers.count - 1)
    }
    processEmphasis(above: opener.delimiter)
    while let last = brackets.last, last.item > opener.item { brackets.removeLast() }
    items[opener.item] = InlineItem(
      .componentBegin, items[opener.item].range, payload: opener.component)
    items.append(InlineItem(.componentEnd, position..<end, payload: opener.component))
    return end
  }

  /// The index after the `>` of a close tag whose name ends at `nameEnd`.
  private mutating func closerEnd(_ bytes: borrowing Span<UInt8>, after nameEnd: Int) -> Int? {
    let end = skipTagSpace(bytes, from: nameEnd)
    return end < bytes.count && bytes[end] == UInt8(ascii: ">") ? end + 1 : nil
  }

  /// Takes an opener from the list: its tag is none of a component, unless the caller makes it one.
  private mutating func dropOpener(at index: Int) -> InlineComponents.Opener {
    steps += 1
    let opener = components.openers.remove(at: index)
    if opener.isDirective { return opener }
    let name = Array(content.strings[content.components[opener.component].name])
    components.counts[name, default: 1] -= 1
    return opener
  }

  /// The tags that are open where a link or a note ends that began at `item`.
  mutating func dropOpeners(after item: Int) {
    while let last = components.openers.last, last.item > item {
      _ = dropOpener(at: components.openers.count - 1)
    }
  }

  // MARK: - Raw content

  /// Reads the content of a raw component up to its close tag; where that has not come, all that there is, if it is
  /// shown as if it came.
  private mutating func readRawContent(
    _ bytes: borrowing Span<UInt8>, of tag: InlineComponentTag, _ component: Int
  ) -> Int? {
    let name = copy(bytes, tag.name)
    var index = tag.end
    if components.missingClosers[name] == nil {
      var begun = bytes.count
      defer { steps += index - tag.end }
      while index < bytes.count {
        if bytes[index] == UInt8(ascii: "<") {
          switch closer(bytes, at: index, of: name) {
          case .none: break
          case .begun: begun = index
          case .complete(let end):
            items.append(InlineItem(.component, tag.end..<index, begin: tag.begin, payload: component))
            return end
          }
        }
        index += 1
      }
      components.missingClosers[name] = begun
    }
    guard leavesOpen(tag.begin), isHealed(tag.begin, bytes) else { return nil }
    let end = max(tag.end, components.missingClosers[name] ?? bytes.count)
    items.append(InlineItem(.openComponent, tag.end..<end, begin: tag.begin, payload: component))
    return bytes.count
  }

  private enum Closer {
    case none
    /// The text ends in it.
    case begun
    case complete(end: Int)
  }

  private func closer(_ bytes: borrowing Span<UInt8>, at begin: Int, of name: [UInt8]) -> Closer {
    var index = begin + 1
    if index < bytes.count && bytes[index] != UInt8(ascii: "/") { return .none }
    index += 1
    for byte in name {
      guard index < bytes.count else { return .begun }
      guard bytes[index] == byte else { return .none }
      index += 1
    }
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: ">") { return .complete(end: index + 1) }
      guard ASCII.isWhitespace(bytes[index]) else { return .none }
      index += 1
    }
    return .begun
  }

  // MARK: - Open ends

  /// Shows the last open tag as if it were closed at the end of an open text.
  mutating func resolveOpenComponent(_ bytes: borrowing Span<UInt8>) {
    let opener = components.openers.removeLast()
    let tag = items[opener.item]
    guard leavesOpen(tag.begin), isHealed(tag.begin, bytes) else { return }
    processEmphasis(above: opener.delimiter)
    items[opener.item] = InlineItem(.openComponent, tag.range, payload: opener.component)
  }

  /// Whether an open tag is more likely a component's than a type's parameter (`Vec<String>`) or a title in double
  /// angle brackets: these are shown as they stand, though they may still turn out to be a component. A directive, too, is
  /// hardly one behind a letter or a digit.
  func isHealed(_ position: Int, _ bytes: borrowing Span<UInt8>) -> Bool {
    guard position > 0 else { return true }
    let before = Int(bytes[position - 1])
    return !ASCII.isLetter(before) && !ASCII.isDigit(before) && before != 0x5F && before != 0x3C
  }
}
