// Autolinks and raw HTML (CommonMark 0.31.2 §6.5 and §6.6).

extension InlineParser {
  mutating func readAngle(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int {
    healing.touchesEnd = position + 1 == bytes.count
    if let end = autolinkEnd(bytes, at: position + 1) {
      let url = position + 1..<end - 1
      appendAutolink(url, begin: position, prefix: [], bytes)
      return end
    }
    if let end = emailEnd(bytes, at: position + 1) {
      appendAutolink(position + 1..<end - 1, begin: position, prefix: Array("mailto:".utf8), bytes)
      return end
    }
    if hasComponents, let end = readComponentTag(bytes, at: position) { return end }
    if let end = rawHTMLEnd(bytes, at: position) {
      items.append(InlineItem(.html, position..<end))
      return end
    }
    // What may become a tag is not shown before it is one.
    if healing.touchesEnd && leavesOpen(position) { return bytes.count }
    items.append(InlineItem(.text, position..<position + 1))
    return position + 1
  }

  mutating func appendAutolink(
    _ range: Range<Int>, begin: Int, prefix: [UInt8], _ bytes: borrowing Span<UInt8>
  ) {
    content.destinations.append(
      LinkDestination(url: content.intern(prefix, bytes.extracting(range)), title: nil))
    items.append(InlineItem(.autolink, range, begin: begin, payload: content.destinations.count - 1))
  }

  /// `scheme:…>`: the index after it.
  private mutating func autolinkEnd(_ bytes: borrowing Span<UInt8>, at begin: Int) -> Int? {
    var index = begin
    defer {
      steps += index - begin
      if index >= bytes.count { healing.touchesEnd = true }
    }
    guard index < bytes.count && ASCII.isLetter(Int(bytes[index])) else { return nil }
    while index < bytes.count && index - begin <= 32 {
      let byte = Int(bytes[index])
      if byte == 0x3A { break }
      guard ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2B || byte == 0x2E || byte == 0x2D
      else { return nil }
      index += 1
    }
    guard index < bytes.count, bytes[index] == 0x3A, index - begin >= 2, index - begin <= 32 else {
      return nil
    }
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ">"): return index + 1
      case 0...0x20, UInt8(ascii: "<"), 0x7F: return nil
      default: index += 1
      }
    }
    return nil
  }

  /// An address and `>`: the index after it.
  private mutating func emailEnd(_ bytes: borrowing Span<UInt8>, at begin: Int) -> Int? {
    var index = begin
    defer {
      steps += index - begin
      if index >= bytes.count { healing.touchesEnd = true }
    }
    while index < bytes.count && Self.isEmailLocal(bytes[index]) { index += 1 }
    guard index > begin && index < bytes.count && bytes[index] == UInt8(ascii: "@") else { return nil }
    while true {
      index += 1
      let labelBegin = index
      while index < bytes.count
        && (ASCII.isLetter(Int(bytes[index])) || ASCII.isDigit(Int(bytes[index])) || bytes[index] == 0x2D)
      {
        index += 1
      }
      guard index > labelBegin, index - labelBegin <= 63, index < bytes.count,
        bytes[labelBegin] != 0x2D, bytes[index - 1] != 0x2D
      else { return nil }
      if bytes[index] == UInt8(ascii: ">") { return index + 1 }
      guard bytes[index] == UInt8(ascii: ".") else { return nil }
    }
  }

  private static func isEmailLocal(_ byte: UInt8) -> Bool {
    if ASCII.isLetter(Int(byte)) || ASCII.isDigit(Int(byte)) { return true }
    return switch byte {
    case 0x2E, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2F, 0x3D, 0x3F, 0x5E, 0x5F, 0x60, 0x7B...0x7E, 0x2D: true
    default: false
    }
  }

  /// Raw HTML that begins with the `<` at `position`: the index after it.
  mutating func rawHTMLEnd(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int? {
    let second = position + 1
    guard second < bytes.count else { return nil }
    switch bytes[second] {
    case UInt8(ascii: "?"): return end(bytes, after: second + 1, of: "?>", .instruction)
    case UInt8(ascii: "!"): return declarationEnd(bytes, at: second + 1)
    case UInt8(ascii: "/"): return closingTagEnd(bytes, at: second + 1)
    default: return openTagEnd(bytes, at: second)
    }
  }

  private mutating func declarationEnd(_ bytes: borrowing Span<UInt8>, at begin: Int) -> Int? {
    guard begin < bytes.count else { return nil }
    if hasPrefix(bytes, "--", at: begin) {
      if hasPrefix(bytes, "-->", at: begin) { return begin + 3 }
      if hasPrefix(bytes, "--->", at: begin) { return begin + 4 }
      return end(bytes, after: begin + 2, of: "-->", .comment)
    }
    // Of these, only a part may be there.
    if bytes.count - begin < 7 {
      healing.touchesEnd = healing.touchesEnd || isPrefix(bytes, of: "[CDATA[", at: begin)
    }
    if bytes.count - begin < 2 {
      healing.touchesEnd = healing.touchesEnd || isPrefix(bytes, of: "--", at: begin)
    }
    if hasPrefix(bytes, "[CDATA[", at: begin) { return end(bytes, after: begin + 7, of: "]]>", .cdata) }
    guard ASCII.isLetter(Int(bytes[begin])) else { return nil }
    return end(bytes, after: begin, of: ">", .declaration)
  }

  private func hasPrefix(_ bytes: borrowing Span<UInt8>, _ prefix: String, at begin: Int) -> Bool {
    var index = begin
    for byte in prefix.utf8 {
      guard index < bytes.count && bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// Whether the text ends with the beginning of `word`.
  private func isPrefix(_ bytes: borrowing Span<UInt8>, of word: String, at begin: Int) -> Bool {
    for (index, byte) in zip(begin..<bytes.count, word.utf8) where bytes[index] != byte { return false }
    return true
  }

  /// The index after the next `terminator`; if there is none, that is remembered.
  private mutating func end(
    _ bytes: borrowing Span<UInt8>, after begin: Int, of terminator: String, _ kind: MissingEnds
  ) -> Int? {
    guard !missingEnds.contains(kind) else {
      healing.touchesEnd = true
      return nil
    }
    var index = begin
    defer { steps += index - begin }
    while index < bytes.count {
      if hasPrefix(bytes, terminator, at: index) { return index + terminator.utf8.count }
      index += 1
    }
    missingEnds.insert(kind)
    healing.touchesEnd = true
    return nil
  }

  private mutating func closingTagEnd(_ bytes: borrowing Span<UInt8>, at begin: Int) -> Int? {
    guard let nameEnd = tagNameEnd(bytes, at: begin) else { return nil }
    let index = skipTagSpace(bytes, from: nameEnd)
    return index < bytes.count && bytes[index] == UInt8(ascii: ">") ? index + 1 : nil
  }

  private mutating func tagNameEnd(_ bytes: borrowing Span<UInt8>, at begin: Int) -> Int? {
    if begin >= bytes.count { healing.touchesEnd = true }
    guard begin < bytes.count && ASCII.isLetter(Int(bytes[begin])) else { return nil }
    var index = begin
    while index < bytes.count {
      let byte = Int(bytes[index])
      guard ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D else { break }
      index += 1
    }
    return index
  }

  mutating func skipTagSpace(_ bytes: borrowing Span<UInt8>, from begin: Int) -> Int {
    let index = bytes.whitespaceEnd(from: begin)
    if index >= bytes.count { healing.touchesEnd = true }
    return index
  }

  private mutating func openTagEnd(_ bytes: borrowing Span<UInt8>, at begin: Int) -> Int? {
    guard var index = tagNameEnd(bytes, at: begin) else { return nil }
    defer { steps += index - begin }
    while true {
      let attribute = skipTagSpace(bytes, from: index)
      guard attribute < bytes.count else { return nil }
      switch bytes[attribute] {
      case UInt8(ascii: ">"): return attribute + 1
      case UInt8(ascii: "/"):
        if attribute + 1 >= bytes.count { healing.touchesEnd = true }
        return attribute + 1 < bytes.count && bytes[attribute + 1] == UInt8(ascii: ">")
          ? attribute + 2 : nil
      default: break
      }
      guard attribute > index, HTMLTagScanner.beginsAttributeName(Int(bytes[attribute])) else { return nil }
      index = attribute
      while index < bytes.count && HTMLTagScanner.isAttributeName(Int(bytes[index])) { index += 1 }
      let equals = skipTagSpace(bytes, from: index)
      if equals < bytes.count && bytes[equals] == UInt8(ascii: "=") {
        guard let end = attributeValueEnd(bytes, at: skipTagSpace(bytes, from: equals + 1)) else {
          return nil
        }
        index = end
      }
    }
  }

  mutating func attributeValueEnd(_ bytes: borrowing Span<UInt8>, at begin: Int) -> Int? {
    guard begin < bytes.count else { return nil }
    let quote = bytes[begin]
    var index = begin
    defer {
      steps += index - begin
      if index >= bytes.count { healing.touchesEnd = true }
    }
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      index += 1
      while index < bytes.count && bytes[index] != quote { index += 1 }
      return index < bytes.count ? index + 1 : nil
    }
    while index < bytes.count {
      let byte = Int(bytes[index])
      if byte <= 0x20 || byte == 0x3E || HTMLTagScanner.isExcludedFromBareValue(byte) { break }
      index += 1
    }
    return index > begin ? index : nil
  }
}
