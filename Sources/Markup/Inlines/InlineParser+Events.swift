// From items to events: runs of text are merged, matched delimiters become elements.

extension InlineParser {
  mutating func emit(_ bytes: borrowing Span<UInt8>) {
    var linkDepth = 0
    for item in items {
      switch item.kind {
      case .text, .escapedText: appendText(item.range)
      case .replacedText: content.events.append(InlineEvent(.replacedText, item.range))
      case .softBreak: content.events.append(InlineEvent(.softBreak, item.range))
      case .hardBreak: content.events.append(InlineEvent(.hardBreak, item.range))
      case .code: content.events.append(InlineEvent(.code, item.range))
      case .math: content.events.append(InlineEvent(.math, item.range))
      case .displayMath: content.events.append(InlineEvent(.displayMath, item.range))
      case .html: content.events.append(InlineEvent(.html, item.range))
      case .footnoteReference: content.events.append(InlineEvent(.footnoteReference, item.range))
      case .delimiters: emitDelimiters(item)
      case .linkBegin, .imageBegin:
        linkDepth += 1
        content.events.append(
          InlineEvent(item.kind == .linkBegin ? .linkBegin : .imageBegin, payload: item.payload))
      case .linkEnd, .imageEnd:
        linkDepth -= 1
        content.events.append(
          InlineEvent(item.kind == .linkEnd ? .linkEnd : .imageEnd, payload: item.payload))
      case .autolink:
        if linkDepth > 0 && !isAngled(bytes, item.range) {
          appendText(item.range)
        } else {
          content.events.append(InlineEvent(.linkBegin, payload: item.payload))
          content.events.append(InlineEvent(.text, item.range))
          content.events.append(InlineEvent(.linkEnd, payload: item.payload))
        }
      }
    }
    if isGFM { linkAddresses(bytes) }
  }

  private func isAngled(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    range.lowerBound > 0 && bytes[range.lowerBound - 1] == UInt8(ascii: "<")
  }

  /// Appends text, to the text before it where that is adjacent.
  private mutating func appendText(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let last = content.events.count - 1
    if last >= 0 && content.events[last].kind == .text
      && content.events[last].range.upperBound == range.lowerBound
    {
      content.events[last].range = content.events[last].range.lowerBound..<range.upperBound
    } else {
      content.events.append(InlineEvent(.text, range))
    }
  }

  /// A run's closers in the order of their matches, what is left of it, its openers with the last matched first.
  private mutating func emitDelimiters(_ item: InlineItem) {
    var closers: [InlineEvent.Kind] = []
    var openers: [InlineEvent.Kind] = []
    var match = item.payload
    while match >= 0 {
      if matches[match].isOpener {
        openers.append(matches[match].kind)
      } else {
        closers.append(matches[match].kind)
      }
      match = matches[match].next
    }
    for kind in closers.reversed() { content.events.append(InlineEvent(kind)) }
    appendText(item.range)
    for kind in openers { content.events.append(InlineEvent(kind)) }
  }

  /// GFM links the addresses in text outside of links.
  private mutating func linkAddresses(_ bytes: borrowing Span<UInt8>) {
    var depth = 0
    var index = 0
    while index < content.events.count {
      let event = content.events[index]
      switch event.kind {
      case .linkBegin, .imageBegin: depth += 1
      case .linkEnd, .imageEnd: depth -= 1
      case .text where depth == 0:
        let addresses = addresses(bytes, in: event.range)
        if !addresses.isEmpty {
          let parts = linked(addresses, in: event.range, bytes)
          content.events.replaceSubrange(index...index, with: parts)
          index += parts.count - 1
        }
      default: break
      }
      index += 1
    }
  }

  private mutating func linked(
    _ addresses: [(range: Range<Int>, prefix: [UInt8])], in range: Range<Int>, _ bytes: borrowing Span<UInt8>
  ) -> [InlineEvent] {
    var parts: [InlineEvent] = []
    var begin = range.lowerBound
    for (address, prefix) in addresses {
      if address.lowerBound > begin { parts.append(InlineEvent(.text, begin..<address.lowerBound)) }
      content.destinations.append(
        LinkDestination(url: content.intern(prefix + copy(bytes, address)), title: nil))
      let payload = content.destinations.count - 1
      parts.append(InlineEvent(.linkBegin, payload: payload))
      parts.append(InlineEvent(.text, address))
      parts.append(InlineEvent(.linkEnd, payload: payload))
      begin = address.upperBound
    }
    if begin < range.upperBound { parts.append(InlineEvent(.text, begin..<range.upperBound)) }
    return parts
  }
}
