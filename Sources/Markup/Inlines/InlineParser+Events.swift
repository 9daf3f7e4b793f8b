// From items to events: runs of text are merged, matched delimiters become elements, and what is open at the end of
// an open leaf is closed there.

/// What is known on the way over the items.
private struct Emission {
  /// Elements that have begun and not ended, and of these links and images.
  var depth = 0
  var linkDepth = 0
  /// The ends of what is shown as if it closed at the end, outermost first.
  var openEnds: [InlineEvent] = []
  /// Whether what comes is behind what is settled.
  var isPastSettled = false
}

extension InlineParser {
  mutating func emit(_ bytes: borrowing Span<UInt8>) {
    var emission = Emission()
    // Of a final text all is settled.
    emission.isPastSettled = !healing.isOpen
    for index in items.indices {
      let item = items[index]
      if !emission.isPastSettled && settle(before: item, &emission) { continue }
      if item.kind == .hiddenRest { break }
      if item.kind == .text { appendText(item.range) } else { emit(item, &emission, bytes) }
    }
    if !healing.isOpen || !emission.isPastSettled && emission.depth == 0 { settle(at: healing.unresolved) }
    closeOpen(&emission)
    if isGFM && (hasAtSign || hasBracketedAutolink) { linkAddresses(bytes) }
  }

  private mutating func emit(
    _ item: InlineItem, _ emission: inout Emission, _ bytes: borrowing Span<UInt8>
  ) {
    switch item.kind {
    case .text, .escapedText: appendText(item.range)
    case .replacedText: content.events.append(InlineEvent(.replacedText, item.range))
    case .softBreak: content.events.append(InlineEvent(.softBreak, item.range))
    case .hardBreak: content.events.append(InlineEvent(.hardBreak, item.range))
    case .code: content.events.append(InlineEvent(.code, item.range))
    case .math: content.events.append(InlineEvent(.math, item.range))
    case .displayMath: content.events.append(InlineEvent(.displayMath, item.range))
    case .openCode: appendOpen(.code, item.range)
    case .openMath: appendOpen(.math, item.range)
    case .openDisplayMath: appendOpen(.displayMath, item.range)
    case .html: content.events.append(InlineEvent(.html, item.range))
    case .footnoteReference: content.events.append(InlineEvent(.footnoteReference, item.range))
    case .delimiters where item.payload < 0: appendText(item.range)
    case .delimiters:
      emitClosers(item, &emission)
      appendText(item.range)
      emitOpeners(item, &emission)
    case .openDelimiters:
      emitClosers(item, &emission)
      openDelimiters(bytes[item.begin], item.range.count, &emission)
      emitOpeners(item, &emission)
    case .openLink:
      // Links hold no links.
      if emission.linkDepth == 0 { open(.bracketBegin, until: .bracketEnd, &emission) }
    case .component, .componentBegin, .componentEnd, .openComponent: emitComponent(item, &emission)
    case .linkBegin, .imageBegin:
      emission.depth += 1
      emission.linkDepth += 1
      content.events.append(
        InlineEvent(item.kind == .linkBegin ? .linkBegin : .imageBegin, payload: item.payload))
    case .linkEnd, .imageEnd:
      emission.depth -= 1
      emission.linkDepth -= 1
      content.events.append(
        InlineEvent(item.kind == .linkEnd ? .linkEnd : .imageEnd, payload: item.payload))
    case .autolink:
      if emission.linkDepth > 0 && item.begin == item.range.lowerBound {
        appendText(item.range)
      } else {
        content.events.append(InlineEvent(.linkBegin, payload: item.payload))
        content.events.append(InlineEvent(.text, item.range))
        content.events.append(InlineEvent(.linkEnd, payload: item.payload))
      }
    case .hiddenRest: break
    }
  }

  /// Appends text, to the text before it where that is adjacent.
  private mutating func appendText(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if let last = content.events.last, last.kind == .text, Int(last.upper) == range.lowerBound,
      range.lowerBound != healing.unresolved
    {
      content.events[content.events.count - 1].upper = UInt32(range.upperBound)
    } else {
      content.events.append(InlineEvent(.text, range))
    }
  }

  /// A run's closers in the order of their matches, then what is left of it, then its openers with the last matched
  /// first.
  private mutating func emitClosers(_ item: InlineItem, _ emission: inout Emission) {
    let first = content.events.count
    var match = item.payload
    while match >= 0 {
      if !matches[match].isOpener {
        content.events.append(InlineEvent(matches[match].kind))
        emission.depth -= 1
      }
      match = matches[match].next
    }
    if content.events.count - first > 1 { content.events[first...].reverse() }
  }

  private mutating func emitOpeners(_ item: InlineItem, _ emission: inout Emission) {
    var match = item.payload
    while match >= 0 {
      if matches[match].isOpener {
        content.events.append(InlineEvent(matches[match].kind))
        emission.depth += 1
      }
      match = matches[match].next
    }
  }

  private mutating func emitComponent(_ item: InlineItem, _ emission: inout Emission) {
    let provisional = -1 - item.payload
    let isRaw = content.components[item.payload].content == .raw
    switch item.kind {
    case .componentBegin:
      content.events.append(InlineEvent(.componentBegin, payload: item.payload))
      emission.depth += 1
    case .componentEnd:
      content.events.append(InlineEvent(.componentEnd, payload: item.payload))
      emission.depth -= 1
    case .openComponent where !isRaw:
      open(.componentBegin, until: .componentEnd, payload: provisional, &emission)
    default:
      let isOpen = item.kind == .openComponent
      // One that has not closed and holds nothing yet is not shown.
      guard !isOpen || !item.range.isEmpty else { return }
      let payload = isOpen ? provisional : item.payload
      content.events.append(InlineEvent(.componentBegin, payload: payload))
      if !item.range.isEmpty { content.events.append(InlineEvent(.text, item.range)) }
      content.events.append(InlineEvent(.componentEnd, payload: payload))
    }
  }

  // MARK: - Open ends

  private mutating func appendOpen(_ kind: InlineEvent.Kind, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    content.events.append(InlineEvent(kind, range, payload: -1))
  }

  private mutating func open(
    _ kind: InlineEvent.Kind, until end: InlineEvent.Kind, payload: Int = -1, _ emission: inout Emission
  ) {
    content.events.append(InlineEvent(kind, payload: payload))
    emission.openEnds.append(InlineEvent(end, payload: payload))
    emission.depth += 1
    if kind == .bracketBegin { emission.linkDepth += 1 }
  }

  /// A run as its closer would match it: two by two from the inside.
  private mutating func openDelimiters(_ mark: UInt8, _ count: Int, _ emission: inout Emission) {
    if mark == UInt8(ascii: "~") { return open(.deleteBegin, until: .deleteEnd, &emission) }
    if count % 2 == 1 { open(.emphasisBegin, until: .emphasisEnd, &emission) }
    for _ in 0..<count / 2 { open(.strongBegin, until: .strongEnd, &emission) }
  }

  /// Closes what is open, and takes back what would hold nothing.
  private mutating func closeOpen(_ emission: inout Emission) {
    while let end = emission.openEnds.popLast() {
      if let last = content.events.last, last.kind.end == end.kind, last.isProvisional {
        content.events.removeLast()
      } else {
        content.events.append(end)
      }
    }
  }

  // MARK: - What is settled

  private mutating func settle(at position: Int) {
    content.settledEnd = position
    content.settledEvents = content.events.count
  }

  /// The content is settled up to the last place outside of all elements that lies before anything unresolved.
  ///
  /// - Returns: whether the item has been emitted: text in which that place lies, as two events.
  private mutating func settle(before item: InlineItem, _ emission: inout Emission) -> Bool {
    let unresolved = healing.unresolved
    guard item.begin < unresolved else {
      if emission.depth == 0 { settle(at: unresolved) }
      emission.isPastSettled = true
      return false
    }
    guard emission.depth == 0 else { return false }
    settle(at: item.begin)
    guard item.kind == .text, unresolved < item.range.upperBound else { return false }
    appendText(item.range.lowerBound..<unresolved)
    settle(at: unresolved)
    emission.isPastSettled = true
    content.events.append(InlineEvent(.text, unresolved..<item.range.upperBound))
    return true
  }

  // MARK: - Addresses

  /// GFM links the addresses in text outside of links.
  private mutating func linkAddresses(_ bytes: borrowing Span<UInt8>) {
    var linked: [InlineEvent] = []
    /// The events before this one are in `linked`, if there are any.
    var taken = 0
    var depth = 0
    var settledEvents = content.settledEvents
    for index in content.events.indices {
      if index == content.settledEvents && taken > 0 { settledEvents = linked.count + index - taken }
      let event = content.events[index]
      switch event.kind {
      case .linkBegin, .imageBegin, .bracketBegin: depth += 1
      case .linkEnd, .imageEnd, .bracketEnd: depth -= 1
      case .componentBegin where content.components[event.component].content == .raw: depth += 1
      case .componentEnd where content.components[event.component].content == .raw: depth -= 1
      case .text where depth == 0:
        let addresses = addresses(bytes, in: event.range)
        guard !addresses.isEmpty else { continue }
        linked.append(contentsOf: content.events[taken..<index])
        taken = index + 1
        append(addresses, in: event.range, to: &linked, &settledEvents)
      default: break
      }
    }
    guard taken > 0 else { return }
    linked.append(contentsOf: content.events[taken...])
    if content.settledEvents == content.events.count && settledEvents == content.settledEvents {
      settledEvents = linked.count
    }
    content.settledEvents = settledEvents
    content.events = linked
  }

  private mutating func append(
    _ addresses: [Address], in range: Range<Int>, to events: inout [InlineEvent], _ settledEvents: inout Int
  ) {
    var begin = range.lowerBound
    for address in addresses {
      let text = address.range
      if text.lowerBound > begin { events.append(InlineEvent(.text, begin..<text.lowerBound)) }
      if address.destination < 0 && text.lowerBound < content.settledEnd {
        content.settledEnd = text.lowerBound
        settledEvents = events.count
      }
      events.append(InlineEvent(.linkBegin, payload: address.destination))
      events.append(InlineEvent(.text, text))
      events.append(InlineEvent(.linkEnd, payload: address.destination))
      begin = text.upperBound
    }
    if begin < range.upperBound { events.append(InlineEvent(.text, begin..<range.upperBound)) }
  }
}

extension InlineEvent.Kind {
  /// What ends the element that an event of this kind begins.
  var end: InlineEvent.Kind? {
    switch self {
    case .emphasisBegin: .emphasisEnd
    case .strongBegin: .strongEnd
    case .deleteBegin: .deleteEnd
    case .linkBegin: .linkEnd
    case .imageBegin: .imageEnd
    case .bracketBegin: .bracketEnd
    case .componentBegin: .componentEnd
    case .text, .replacedText, .softBreak, .hardBreak, .code, .math, .displayMath, .html, .footnoteReference,
      .emphasisEnd, .strongEnd, .deleteEnd, .linkEnd, .imageEnd, .bracketEnd, .componentEnd:
      nil
    }
  }
}
