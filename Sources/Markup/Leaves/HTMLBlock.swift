// HTML blocks (CommonMark 0.31.2 §4.6). Held: from the `<` until the type is sure; type 7 until the line's end.

import ByteStorage

extension MarkupParser {
  /// The longest name that opens a block of type 1 or 6.
  private static let maxBlockName = 10

  mutating func startHTML(_ start: BlockStart) -> Recognition {
    switch htmlType(start) {
    case .hold: return .hold
    case .no: return .no
    case .type(let type):
      prepareForBlock()
      openLeaf(.html, .html, begin: start.offset, end: start.offset, key: Self.offsetKey)
      leaf.htmlType = type
      startVerbatimLine()
      leaf.meetsHTMLEnd = false
      return .yes
    }
  }

  private enum HTMLStart {
    case no, hold
    case type(Int)
  }

  private mutating func htmlType(_ start: BlockStart) -> HTMLStart {
    guard let second = required(start.offset + 1) else { return .hold }
    switch second {
    case Int(UInt8(ascii: "?")): return .type(3)
    case Int(UInt8(ascii: "!")): return declarationType(at: start.offset + 2)
    default: return elementType(start, second)
    }
  }

  /// After `<!`: a comment, a declaration or CDATA.
  private mutating func declarationType(at offset: Int) -> HTMLStart {
    guard let byte = required(offset) else { return .hold }
    if ASCII.isLetter(byte) { return .type(4) }
    if byte == UInt8(ascii: "-") {
      guard let next = required(offset + 1) else { return .hold }
      return next == UInt8(ascii: "-") ? .type(2) : .no
    }
    var index = 0
    for expected in "[CDATA[".utf8 {
      guard let byte = required(offset + index) else { return .hold }
      guard byte == Int(expected) else { return .no }
      index += 1
    }
    return .type(5)
  }

  /// After `<`: an element's name, or a slash and it.
  private mutating func elementType(_ start: BlockStart, _ second: Int) -> HTMLStart {
    let isClosing = second == UInt8(ascii: "/")
    let nameBegin = start.offset + (isClosing ? 2 : 1)
    var name: [UInt8] = []
    var offset = nameBegin
    guard let first = required(offset) else { return .hold }
    guard ASCII.isLetter(first) else { return .no }
    var byte = first
    while ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") {
      if name.count > Self.maxBlockName { break }
      name.append(ASCII.lowercased(UInt8(byte)))
      offset += 1
      guard let next = required(offset) else { return .hold }
      byte = next
    }
    let endsName = byte == Peek.lineEnd || ASCII.isSpaceOrTab(byte) || byte == UInt8(ascii: ">")
    if endsName && !isClosing && HTMLElements.verbatim.contains(name) { return .type(1) }
    if HTMLElements.block.contains(name) {
      if endsName { return .type(6) }
      if byte == UInt8(ascii: "/") {
        guard let next = required(offset + 1) else { return .hold }
        if next == UInt8(ascii: ">") { return .type(6) }
      }
    }
    // A complete tag alone on its line; one that would be a component's is text.
    if start.isInParagraph || line.plainTag == start.offset { return .no }
    return completeTag(start.offset, nameBegin: nameBegin, isClosing: isClosing)
  }

  private mutating func completeTag(_ begin: Int, nameBegin: Int, isClosing: Bool) -> HTMLStart {
    var scanner = HTMLTagScanner(begin: begin, position: nameBegin, isClosing: isClosing)
    if let memory = memory.htmlTag, memory.begin == begin { scanner = memory }
    while true {
      let byte = peek(scanner.position)
      if byte == Peek.more {
        memory.htmlTag = scanner
        return .hold
      }
      steps += 1
      if let nameEnd = scanner.read(byte) {
        // The name is complete.
        let name = Array(input[nameBegin..<nameEnd])
        if grammar.hasComponents && grammar.component(named: name) != nil { return .no }
        if !isClosing && HTMLElements.verbatim.contains(name.map(ASCII.lowercased)) { return .no }
      }
      switch scanner.state {
      case .dead: return .no
      case .complete: return .type(7)
      default: break
      }
    }
  }

  /// The line goes on with the block, but a blank one ends types 6 and 7.
  mutating func matchHTML() -> Step {
    guard leaf.htmlType >= 6 else {
      line.closableComponents = 0
      startVerbatimLine()
      leaf.meetsHTMLEnd = false
      return .done
    }
    guard let (offset, _) = indentEnd() else { return .hold }
    let byte = peek(offset)
    if byte == Peek.more { return .hold }
    if byte == Peek.lineEnd {
      commit()
      if isTrueLineEnd(offset) {
        sealLeaf(end: leaf.end)
        markBlank()
      }
      endLine(at: offset)
      return .done
    }
    startVerbatimLine()
    return .done
  }

  /// Looks for the end condition of types 1 to 5: each ends in `>`.
  mutating func checkHTMLEnd(from begin: Int, to end: Int) {
    guard leaf.htmlType < 6 && !leaf.meetsHTMLEnd else { return }
    for offset in begin..<end where byte(at: offset) == UInt8(ascii: ">") {
      if meetsHTMLEnd(before: blocks.text.count - (end - offset) + 1) { return leaf.meetsHTMLEnd = true }
    }
  }

  /// Whether the leaf's text before `end` ends as its type's end condition says.
  private func meetsHTMLEnd(before end: Int) -> Bool {
    let text = blocks.text.span.extracting(leaf.textStart..<end)
    return switch leaf.htmlType {
    case 1: Self.verbatimEnds.contains { text.hasSuffix($0, ignoringCase: true) }
    case 2: text.hasSuffix(Array("-->".utf8))
    case 3: text.hasSuffix(Array("?>".utf8))
    case 4: true
    default: text.hasSuffix(Array("]]>".utf8))
    }
  }

  private static let verbatimEnds = HTMLElements.verbatim.map { Array("</".utf8) + $0 + Array(">".utf8) }
}

extension Span<UInt8> {
  fileprivate func hasSuffix(_ suffix: [UInt8], ignoringCase: Bool = false) -> Bool {
    guard count >= suffix.count else { return false }
    var index = count - suffix.count
    for expected in suffix {
      let byte = ignoringCase ? ASCII.lowercased(self[index]) : self[index]
      if byte != expected { return false }
      index += 1
    }
    return true
  }
}

/// Reads a complete open or closing tag and the white space after it (CommonMark 0.31.2 §6.6), byte by byte.
struct HTMLTagScanner {
  enum State {
    case name, between, attributeName, afterAttributeName, beforeValue, bareValue
    case quotedValue(UInt8)
    case afterValue, selfClosing, closing, afterTag
    case dead, complete
  }

  var begin: Int
  var position: Int
  var isClosing: Bool
  private(set) var state = State.name

  init(begin: Int, position: Int, isClosing: Bool) {
    self.begin = begin
    self.position = position
    self.isClosing = isClosing
  }

  /// Reads the byte, or line end, at `position`; returns the end of the name where this byte ends it.
  mutating func read(_ byte: Int) -> Int? {
    let offset = position
    position += 1
    if case .name = state {
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") { return nil }
      state = isClosing ? .closing : .between
      readRest(byte, mayBeginAttribute: false)
      return offset
    }
    readRest(byte, mayBeginAttribute: true)
    return nil
  }

  private mutating func readRest(_ byte: Int, mayBeginAttribute: Bool) {
    let isSpace = ASCII.isSpaceOrTab(byte)
    switch state {
    case .between, .afterAttributeName, .attributeName:
      if case .attributeName = state, Self.isAttributeName(byte) { return }
      readBetween(byte, isSpace, mayBeginAttribute)
    case .beforeValue: readValueStart(byte, isSpace)
    case .bareValue:
      if isSpace {
        state = .between
      } else if byte == UInt8(ascii: ">") {
        state = .afterTag
      } else if Self.isExcludedFromBareValue(byte) {
        state = .dead
      }
    case .quotedValue(let quote):
      if byte == Int(quote) { state = .afterValue } else if byte < 0 { state = .dead }
    case .afterValue: readBetween(byte, isSpace, false)
    case .selfClosing: state = byte == UInt8(ascii: ">") ? .afterTag : .dead
    case .closing:
      if byte == UInt8(ascii: ">") { state = .afterTag } else if !isSpace { state = .dead }
    case .afterTag:
      if byte == Peek.lineEnd { state = .complete } else if !isSpace { state = .dead }
    case .name, .dead, .complete: break
    }
  }

  private mutating func readBetween(_ byte: Int, _ isSpace: Bool, _ mayBeginAttribute: Bool) {
    if isSpace {
      if case .attributeName = state { state = .afterAttributeName }
      if case .afterValue = state { state = .between }
      return
    }
    switch byte {
    case Int(UInt8(ascii: ">")): state = .afterTag
    case Int(UInt8(ascii: "/")): state = .selfClosing
    case Int(UInt8(ascii: "=")):
      switch state {
      case .attributeName, .afterAttributeName: state = .beforeValue
      default: state = .dead
      }
    default:
      if case .attributeName = state { return state = .dead }
      state = mayBeginAttribute && Self.beginsAttributeName(byte) ? .attributeName : .dead
    }
  }

  private mutating func readValueStart(_ byte: Int, _ isSpace: Bool) {
    if isSpace { return }
    if byte == 0x22 || byte == 0x27 {
      state = .quotedValue(UInt8(byte))
    } else {
      state = byte < 0 || Self.isExcludedFromBareValue(byte) || byte == UInt8(ascii: ">") ? .dead : .bareValue
    }
  }

  static func beginsAttributeName(_ byte: Int) -> Bool {
    ASCII.isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
  }

  static func isAttributeName(_ byte: Int) -> Bool {
    beginsAttributeName(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }

  /// Line ends too.
  static func isExcludedFromBareValue(_ byte: Int) -> Bool {
    switch byte {
    case 0x22, 0x27, 0x3D, 0x3C, 0x60, Peek.lineEnd: true
    default: false
    }
  }
}
