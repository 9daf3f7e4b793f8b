// Directives in text (dialects with the extension `directives`): `:name[label]{attributes}` is a component, its label the
// inline content. A name alone is text: `at 10:30`, `a:b`.
//
// A label is a text of its own, to its end, which is found first: nothing that begins in it ends behind it, and nothing
// from before it ends in it. What holds for components in text holds for directives: how deep they may lie in one another,
// how long what they say may be.

extension InlineParser {
  /// At a colon: a directive; the index after it.
  mutating func readDirective(
    _ bytes: borrowing Span<UInt8>, at position: Int, references: borrowing References,
    table: borrowing BlockTable
  ) -> Int? {
    guard extensions.contains(.directives), bytes[position] == UInt8(ascii: ":"),
      !isAfterColon(bytes, position)
    else { return nil }
    let (nameEnd, isName) = DirectiveSyntax.name(in: bytes, from: position + 1)
    steps += nameEnd - position
    guard nameEnd - position <= InlineComponents.maxTagBytes else { return nil }
    if nameEnd == bytes.count { return hidesDirective(at: position, bytes) ? bytes.count : nil }
    guard isName else { return nil }
    var directive = Directive(name: position + 1..<nameEnd)
    var end = nameEnd
    if bytes[end] == UInt8(ascii: "[") {
      switch DirectiveSyntax.label(in: bytes, at: end) {
      case .none: return nil
      case .cut:
        steps += bytes.count - end
        return openLabel(of: directive, bytes, at: position, contentBegin: end + 1)
      case .complete(let labelEnd):
        steps += labelEnd - end
        directive.label = end + 1..<labelEnd - 1
        end = labelEnd
      }
    } else if bytes[end] != UInt8(ascii: "{") {
      return nil
    }
    return readAttributes(
      of: &directive, bytes, from: position, to: end, references: references, table: table)
  }

  /// Whether what may become a directive at the end of open text is not shown: behind a letter or a digit it is not
  /// likely to (`10:30`).
  private mutating func hidesDirective(at position: Int, _ bytes: borrowing Span<UInt8>) -> Bool {
    leavesOpen(position) && isHealed(position, bytes)
  }

  /// Whether the colon is the second of two, of which the first is not escaped.
  private mutating func isAfterColon(_ bytes: borrowing Span<UInt8>, _ position: Int) -> Bool {
    guard position > 0, bytes[position - 1] == UInt8(ascii: ":") else { return false }
    var index = position - 1
    while index > 0 && bytes[index - 1] == UInt8(ascii: "\\") { index -= 1 }
    steps += position - index
    return (position - 1 - index) % 2 == 0
  }

  /// The attributes behind a label that ends at `end`, or behind a name, and what they make complete.
  private mutating func readAttributes(
    of directive: inout Directive, _ bytes: borrowing Span<UInt8>, from begin: Int, to end: Int,
    references: borrowing References, table: borrowing BlockTable
  ) -> Int? {
    var end = end
    var isCut = end == bytes.count
    if !isCut && bytes[end] == UInt8(ascii: "{") {
      var attributes = DirectiveAttributes()
      let part = attributes.read(bytes, at: end)
      if case .complete(let attributesEnd) = part {
        steps += attributesEnd - end
        end = attributesEnd
        directive.attributes = attributes
      } else {
        isCut = part == .cut
        if isCut { steps += bytes.count - end }
        if directive.label == nil && !isCut { return nil }
      }
    }
    guard end - begin - (directive.label?.count ?? 0) <= InlineComponents.maxTagBytes else { return nil }
    guard let label = directive.label else {
      if isCut { return hidesDirective(at: begin, bytes) ? bytes.count : nil }
      addDirective(directive, bytes, at: begin, .component, end..<end)
      return end
    }
    guard makeRoom() else { return nil }
    if isCut && leavesOpen(begin) {
      // What is said of it is not all there: the label shows, attributes do not.
      addDirective(directive, bytes, at: begin, .openComponent)
      readLabel(label, of: bytes, references: references, table: table)
      items.append(InlineItem(.hiddenRest, bytes.count..<bytes.count))
      return bytes.count
    }
    let component = addDirective(directive, bytes, at: begin, .componentBegin)
    readLabel(label, of: bytes, references: references, table: table)
    items.append(InlineItem(.componentEnd, label.upperBound..<end, payload: component))
    return end
  }

  /// A label that has not closed in open text: what there is of it is shown as if it had.
  private mutating func openLabel(
    of directive: Directive, _ bytes: borrowing Span<UInt8>, at position: Int, contentBegin: Int
  ) -> Int? {
    guard leavesOpen(position), makeRoom() else { return nil }
    let component = addDirective(directive, .markdown, bytes)
    components.openers.append(
      InlineComponents.Opener(
        item: items.count, delimiter: lastDelimiter, component: component, isDirective: true))
    items.append(InlineItem(.text, position..<contentBegin))
    return contentBegin
  }

  @discardableResult
  private mutating func addDirective(
    _ directive: Directive, _ bytes: borrowing Span<UInt8>, at position: Int, _ kind: InlineItem.Kind,
    _ range: Range<Int>? = nil
  ) -> Int {
    let component = addDirective(directive, directive.label == nil ? .none : .markdown, bytes)
    items.append(
      InlineItem(kind, range ?? position..<directive.name.upperBound + 1, begin: position, payload: component)
    )
    return component
  }

  private mutating func addDirective(
    _ directive: Directive, _ kind: ComponentContent, _ bytes: borrowing Span<UInt8>
  ) -> Int {
    let attributes = directive.attributes.values(in: bytes).map { attribute in
      InlineComponent.Attribute(
        name: content.intern(attribute.name), value: attribute.value.map { content.intern($0) })
    }
    content.components.append(
      InlineComponent(
        name: content.intern(copy(bytes, directive.name)), content: kind, attributes: attributes))
    return content.components.count - 1
  }

  // MARK: - Labels

  /// Reads a label that is all there.
  private mutating func readLabel(
    _ label: Range<Int>, of bytes: borrowing Span<UInt8>, references: borrowing References,
    table: borrowing BlockTable
  ) {
    let first = items.count
    let bottom = lastDelimiter
    let outer = (healing, brackets, components, lastBackticks, hasScannedBackticks, missingEnds)
    healing = Healing(.final, from: label.lowerBound, to: label.upperBound)
    brackets = []
    components = InlineComponents()
    components.depthAround = outer.2.depthAround + outer.2.openers.count + 1
    lastBackticks = BacktickRuns()
    hasScannedBackticks = false
    missingEnds = []
    readNested(bytes, label, references: references, table: table)
    processEmphasis(above: bottom)
    (healing, brackets, components, lastBackticks, hasScannedBackticks, missingEnds) = outer
    // A link in the label is a link in what is around it.
    guard let last = brackets.indices.last else { return }
    for index in first..<items.count where items[index].kind == .linkBegin {
      return deactivateLinks(from: brackets[last].isImage ? brackets[last].previousLink : last)
    }
  }

  @inline(never)
  private mutating func readNested(
    _ bytes: borrowing Span<UInt8>, _ label: Range<Int>, references: borrowing References,
    table: borrowing BlockTable
  ) {
    readItems(bytes, from: label.lowerBound, to: label.upperBound, references: references, table: table)
  }
}
