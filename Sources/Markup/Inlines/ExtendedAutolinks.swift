// GFM's extended autolinks (GFM §6.9): `www.…`, `http://…`, `https://…`, `ftp://…`, and e-mail addresses.

extension InlineParser {
  /// At a `:` or `w`: an extended autolink; the index after it.
  mutating func readExtendedAutolink(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int? {
    guard isGFM else { return nil }
    // Inside a bracket that may become a link's there is none yet: see `linkAddresses`.
    guard brackets.isEmpty else {
      hasBracketedAutolink = true
      return nil
    }
    healing.touchesEnd = false
    return bytes[position] == UInt8(ascii: "w") ? readWWW(bytes, at: position) : readURL(bytes, at: position)
  }

  private mutating func readWWW(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int? {
    guard let end = wwwEnd(bytes, at: position) else {
      if healing.touchesEnd { _ = leavesOpen(position) }
      return nil
    }
    // What an address begins with is not shown before the address is one.
    if hides(position, to: position + 4, bytes) { return bytes.count }
    return appendExtendedAutolink(position..<end, prefix: Self.http, bytes)
  }

  /// Appends an address; one that may still grow leads nowhere yet, and the punctuation behind it, which may be a part of
  /// it, is not shown. Returns where to go on.
  private mutating func appendExtendedAutolink(
    _ range: Range<Int>, prefix: [UInt8], _ bytes: borrowing Span<UInt8>
  ) -> Int {
    if healing.touchesEnd && leavesOpen(range.lowerBound) {
      items.append(InlineItem(.autolink, range))
      return bytes.count
    }
    appendAutolink(range, begin: range.lowerBound, prefix: prefix, bytes)
    return range.upperBound
  }

  private static let http = Array("http://".utf8)

  private mutating func wwwEnd(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int? {
    guard position + 4 <= bytes.count, bytes[position + 1] == UInt8(ascii: "w"),
      bytes[position + 2] == UInt8(ascii: "w"), bytes[position + 3] == UInt8(ascii: "."),
      isAutolinkBoundary(bytes, before: position)
    else { return nil }
    guard let domainEnd = domainEnd(bytes, at: position) else { return nil }
    return autolinkEnd(bytes, begin: position, from: domainEnd)
  }

  private mutating func readURL(_ bytes: borrowing Span<UInt8>, at colon: Int) -> Int? {
    guard let range = urlRange(bytes, around: colon, from: healing.begin) else {
      if healing.touchesEnd { _ = leavesOpen(max(healing.begin, colon - 5)) }
      return nil
    }
    // The scheme is the end of the text before the colon.
    guard takeBack(bytes, from: range.lowerBound, to: colon) else { return nil }
    return appendExtendedAutolink(range, prefix: [], bytes)
  }

  /// The URL whose scheme ends at `colon` and begins at `limit` at the earliest.
  private mutating func urlRange(_ bytes: borrowing Span<UInt8>, around colon: Int, from limit: Int) -> Range<
    Int
  >? {
    guard colon + 3 < bytes.count, bytes[colon + 1] == 0x2F, bytes[colon + 2] == 0x2F else { return nil }
    var begin = colon
    while begin > limit && colon - begin <= 5 && ASCII.isLetter(Int(bytes[begin - 1])) { begin -= 1 }
    let scheme = copy(bytes, begin..<colon).map(ASCII.lowercased)
    guard Self.schemes.contains(scheme) else { return nil }
    let host = colon + 3
    let first = Int(bytes[host])
    guard ASCII.isLetter(first) || ASCII.isDigit(first) || first >= 0x80,
      let domainEnd = domainEnd(bytes, at: host, allowsShort: true)
    else { return nil }
    return begin..<autolinkEnd(bytes, begin: begin, from: domainEnd)
  }

  private static let schemes = ["http", "https", "ftp"].map { Array($0.utf8) }

  /// Takes the bytes from `begin` to `end` back from the last items, if they are text.
  private mutating func takeBack(_ bytes: borrowing Span<UInt8>, from begin: Int, to end: Int) -> Bool {
    var limit = end
    var index = items.count
    while limit > begin {
      guard index > 0, items[index - 1].kind == .text, items[index - 1].range.upperBound == limit else {
        return false
      }
      index -= 1
      limit = items[index].range.lowerBound
    }
    items.removeSubrange(index...)
    if limit < begin { items.append(InlineItem(.text, limit..<begin)) }
    return true
  }

  private func isAutolinkBoundary(_ bytes: borrowing Span<UInt8>, before position: Int) -> Bool {
    guard position > 0 else { return true }
    return switch bytes[position - 1] {
    case 0x20, 0x09, 0x0A, UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "("): true
    default: false
    }
  }

  /// The end of a domain: letters, digits, `-`, `_` and periods; at least one period unless `allowsShort`, and
  /// no underscore in the last two parts.
  private mutating func domainEnd(
    _ bytes: borrowing Span<UInt8>, at begin: Int, allowsShort: Bool = false
  ) -> Int? {
    var index = begin
    var periods = 0
    var underscores = (0, 0)
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "_") {
        underscores.1 += 1
      } else if byte == UInt8(ascii: ".") {
        underscores = (underscores.1, 0)
        periods += 1
      } else if !(ASCII.isLetter(Int(byte)) || ASCII.isDigit(Int(byte)) || byte == 0x2D || byte >= 0x80) {
        break
      } else if byte >= 0x80 && Flanking.after(index, in: bytes) != .other {
        break
      }
      index += 1
    }
    if index >= bytes.count { healing.touchesEnd = true }
    guard underscores == (0, 0) || periods > 10 else { return nil }
    return periods > 0 || allowsShort ? index : nil
  }

  /// The end of the link from its domain's end on: up to white space or `<`, without trailing punctuation, an
  /// unbalanced closing parenthesis or what looks like a character reference.
  private mutating func autolinkEnd(_ bytes: borrowing Span<UInt8>, begin: Int, from domainEnd: Int) -> Int {
    var end = domainEnd
    while end < bytes.count && bytes[end] > 0x20 && bytes[end] != UInt8(ascii: "<") { end += 1 }
    if end >= bytes.count { healing.touchesEnd = true }
    var opening = 0
    var closing = 0
    for index in begin..<end {
      if bytes[index] == UInt8(ascii: "(") { opening += 1 }
      if bytes[index] == UInt8(ascii: ")") { closing += 1 }
    }
    while end > begin {
      switch bytes[end - 1] {
      case UInt8(ascii: ")"):
        guard closing > opening else { return end }
        closing -= 1
        end -= 1
      case UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"),
        UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "'"), UInt8(ascii: "\""):
        end -= 1
      case UInt8(ascii: ";"):
        var name = end - 1
        while name > begin && (ASCII.isLetter(Int(bytes[name - 1])) || ASCII.isDigit(Int(bytes[name - 1]))) {
          name -= 1
        }
        end = name > begin && name < end - 1 && bytes[name - 1] == UInt8(ascii: "&") ? name - 1 : end - 1
      default: return end
      }
    }
    return end
  }

  /// An address in merged text; `destination` is -1 where it may still grow.
  struct Address {
    var range: Range<Int>
    var destination: Int
  }

  /// The addresses in merged text, in order: e-mail addresses, and what stood in brackets that are no link's.
  mutating func addresses(_ bytes: borrowing Span<UInt8>, in range: Range<Int>) -> [Address] {
    var result: [Address] = []
    var from = range.lowerBound
    var index = range.lowerBound
    while index < range.upperBound {
      healing.touchesEnd = false
      var found: Range<Int>?
      var prefix: [UInt8] = []
      switch bytes[index] {
      case UInt8(ascii: "@"):
        found = address(bytes, around: index, from..<range.upperBound)
        prefix = Self.mailto
        healing.touchesEnd = found?.upperBound == bytes.count
      case UInt8(ascii: "w") where hasBracketedAutolink:
        found = wwwEnd(bytes, at: index).map { index..<$0 }
        prefix = Self.http
      case UInt8(ascii: ":") where hasBracketedAutolink:
        found = urlRange(bytes, around: index, from: from)
      default: break
      }
      guard let found, found.upperBound <= range.upperBound else {
        index += 1
        continue
      }
      result.append(Address(range: found, destination: destination(prefix, bytes, found)))
      index = found.upperBound
      from = index
    }
    return result
  }

  private mutating func destination(
    _ prefix: [UInt8], _ bytes: borrowing Span<UInt8>, _ range: Range<Int>
  ) -> Int {
    if healing.touchesEnd && leavesOpen(range.lowerBound) { return -1 }
    content.destinations.append(
      LinkDestination(url: content.intern(prefix, bytes.extracting(range)), title: nil))
    return content.destinations.count - 1
  }

  static let mailto = Array("mailto:".utf8)

  private func address(_ bytes: borrowing Span<UInt8>, around at: Int, _ range: Range<Int>) -> Range<Int>? {
    var begin = at
    while begin > range.lowerBound {
      let byte = bytes[begin - 1]
      guard
        ASCII.isLetter(Int(byte)) || ASCII.isDigit(Int(byte)) || byte == 0x2E || byte == 0x2B || byte == 0x2D
          || byte == 0x5F
      else { break }
      begin -= 1
    }
    guard begin < at else { return nil }
    var end = at + 1
    var periods = 0
    while end < range.upperBound {
      let byte = bytes[end]
      if byte == UInt8(ascii: ".") && end + 1 < range.upperBound
        && (ASCII.isLetter(Int(bytes[end + 1])) || ASCII.isDigit(Int(bytes[end + 1])))
      {
        periods += 1
      } else if !(ASCII.isLetter(Int(byte)) || ASCII.isDigit(Int(byte)) || byte == 0x2D || byte == 0x5F) {
        break
      }
      end += 1
    }
    guard periods > 0, end - at >= 2 else { return nil }
    let last = bytes[end - 1]
    guard ASCII.isLetter(Int(last)) || last == UInt8(ascii: ".") || ASCII.isDigit(Int(last)),
      last != 0x2D, last != 0x5F
    else { return nil }
    return begin..<end
  }
}
