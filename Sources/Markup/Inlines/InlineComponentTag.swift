// A component's open tag in text, by the grammar of identity.md §5. Where blocks begin, `OpenTagScanner` reads the same
// byte by byte, as the tag arrives.

/// An open tag that was read: ranges of the text.
struct InlineComponentTag {
  struct Attribute {
    var name: Range<Int>
    /// Without its quotes, but with its braces.
    var value: Range<Int>?
    var isBraced = false
  }

  let begin: Int
  let name: Range<Int>
  let content: ComponentContent
  var attributes: [Attribute] = []
  var isSelfClosing = false
  var end = 0
}

extension InlineParser {
  /// What elements of this name are, if they are components.
  private func component(named name: [UInt8]) -> Dialect.Component? {
    if let component = componentKinds[String(decoding: name, as: UTF8.self)] { return component }
    return extensions.contains(.anyComponent) && Grammar.isAnyComponent(name)
      ? Dialect.Component(content: .markdown) : nil
  }

  /// The end of a component's name, which may still grow at the end of an open text.
  mutating func componentNameEnd(_ bytes: borrowing Span<UInt8>, from begin: Int) -> Int {
    var index = begin
    while index < bytes.count && OpenTagScanner.isName(Int(bytes[index])) { index += 1 }
    if index == bytes.count { healing.touchesEnd = true }
    steps += index - begin
    return index
  }

  /// The open tag that begins with the `<` at `position`, if it is a component's.
  mutating func componentTag(_ bytes: borrowing Span<UInt8>, at position: Int) -> InlineComponentTag? {
    let nameBegin = position + 1
    guard ASCII.isLetter(Int(bytes[nameBegin])) else { return nil }
    var index = componentNameEnd(bytes, from: nameBegin)
    // The byte after it is looked at first: most of what follows a `<` is no tag.
    guard index < bytes.count, Self.endsName(bytes[index]) else { return nil }
    let name = nameBegin..<index
    guard let kind = component(named: copy(bytes, name)) else { return nil }
    var tag = InlineComponentTag(begin: position, name: name, content: kind.content)
    while true {
      let begin = skipTagSpace(bytes, from: index)
      steps += begin - index + 1
      guard begin < bytes.count else { return nil }
      if bytes[begin] == UInt8(ascii: ">") || bytes[begin] == UInt8(ascii: "/") {
        return end(bytes, of: tag, at: begin)
      }
      guard begin > index, let attribute = componentAttribute(bytes, at: begin, end: &index) else {
        return nil
      }
      tag.attributes.append(attribute)
      guard index - position <= InlineComponents.maxTagBytes else { return nil }
    }
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    ASCII.isWhitespace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
  }

  /// The tag with its end, `>` or `/>`.
  private mutating func end(
    _ bytes: borrowing Span<UInt8>, of tag: InlineComponentTag, at position: Int
  ) -> InlineComponentTag? {
    var result = tag
    result.isSelfClosing = bytes[position] == UInt8(ascii: "/")
    let last = result.isSelfClosing ? position + 1 : position
    if last == bytes.count { healing.touchesEnd = true }
    guard last < bytes.count, bytes[last] == UInt8(ascii: ">") else { return nil }
    result.end = last + 1
    return result.end - result.begin <= InlineComponents.maxTagBytes ? result : nil
  }

  private mutating func componentAttribute(
    _ bytes: borrowing Span<UInt8>, at begin: Int, end: inout Int
  ) -> InlineComponentTag.Attribute? {
    guard HTMLTagScanner.beginsAttributeName(Int(bytes[begin])) else { return nil }
    end = begin
    while end < bytes.count && HTMLTagScanner.isAttributeName(Int(bytes[end])) { end += 1 }
    if end == bytes.count { healing.touchesEnd = true }
    steps += end - begin
    var attribute = InlineComponentTag.Attribute(name: begin..<end)
    let equals = skipTagSpace(bytes, from: end)
    guard equals < bytes.count && bytes[equals] == UInt8(ascii: "=") else { return attribute }
    let value = skipTagSpace(bytes, from: equals + 1)
    guard value < bytes.count else { return nil }
    if bytes[value] == UInt8(ascii: "{") {
      guard let brace = closingBrace(bytes, at: value) else {
        if bytes.count - begin <= InlineComponents.maxTagBytes { healing.touchesEnd = true }
        return nil
      }
      end = brace + 1
      attribute.value = value..<end
      attribute.isBraced = true
      return attribute
    }
    guard let valueEnd = attributeValueEnd(bytes, at: value) else { return nil }
    end = valueEnd
    let isQuoted = bytes[value] == UInt8(ascii: "\"") || bytes[value] == UInt8(ascii: "'")
    attribute.value = isQuoted ? value + 1..<end - 1 : value..<end
    return attribute
  }

  /// The brace that closes the one at `position`. Which it is does not depend on the tags they stand in, so that all of
  /// them are matched at once, from the first that is asked for on.
  private mutating func closingBrace(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int? {
    if !components.hasMatchedBraces {
      components.hasMatchedBraces = true
      steps += bytes.count - position
      var open: [Int] = []
      for index in position..<bytes.count {
        if bytes[index] == UInt8(ascii: "{") { open.append(index) }
        if bytes[index] == UInt8(ascii: "}"), let last = open.popLast() {
          components.closingBraces[last] = index
        }
      }
    }
    return components.closingBraces[position]
  }
}
