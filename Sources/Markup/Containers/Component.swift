// Components (identity.md §5). Held: an open tag until its `>`; while a component is open, a suffix that begins
// its close tag.

import ByteStorage

/// A component's attribute, as its tag or directive gives it.
struct ComponentAttribute {
  var name: [UInt8]
  /// The value's bytes, character references resolved but in braces; `nil` if there is none.
  var value: [UInt8]?
}

/// Whether a close tag that counts begins at a `<`.
enum CloseTag {
  case none
  case undecided
  /// It closes the container at this place of the spine (the raw component: the spine's end).
  case tag(container: Int, end: Int)
}

extension MarkupParser {
  // MARK: - Open tags

  mutating func startComponent(_ start: BlockStart) -> Recognition {
    guard grammar.hasComponents && line.plainTag != start.offset else { return .no }
    guard let second = required(start.offset + 1) else { return .hold }
    if second == UInt8(ascii: "/") { return readUnmatchedCloseTag(start) }
    var scanner = OpenTagScanner(begin: start.offset)
    if let memory = memory.openTag, memory.begin == start.offset { scanner = memory }
    memory.openTag = nil
    switch scanOpenTag(&scanner) {
    case .goesOn:
      memory.openTag = scanner
      return .hold
    case .complete:
      if scanner.isPartial {
        scanner = OpenTagScanner(begin: start.offset)
        memory.unclosedBraces = UnclosedBraces()
        guard scanOpenTag(&scanner) == .complete else { break }
      }
      return openComponent(start, scanner)
    case .noName: return .no
    case .nameEnds, .fails: break
    }
    memory.unclosedBraces = UnclosedBraces(
      offsets: scanner.openBraces, position: scanner.position, isAtLineStart: scanner.isAtLineStart)
    line.plainTag = start.offset
    return .no
  }

  /// Reads an open tag as far as it goes: `goesOn` if more bytes decide, `noName` if the element is none that
  /// can be a component.
  private mutating func scanOpenTag(_ scanner: inout OpenTagScanner) -> OpenTagScanner.Result {
    while true {
      guard let byte = tagByte(&scanner) else { return .goesOn }
      steps += 1
      var result = scanner.read(byte)
      if result == .nameEnds {
        guard grammar.component(named: scanner.name) != nil else { return .noName }
        result = scanner.confirmName(byte)
      }
      if result != .goesOn { return result }
      if scanner.beginsBraces { skipUnclosedBraces(&scanner) }
      if scanner.position - scanner.begin >= OpenTagScanner.maxBytes {
        reach = max(reach, scanner.position)
        return .fails
      }
    }
  }

  private mutating func skipUnclosedBraces(_ scanner: inout OpenTagScanner) {
    let known = memory.unclosedBraces
    guard let brace = scanner.openBraces.first else { return }
    let index = known.offsets.indices.partitionPoint { known.offsets[$0] < brace }
    guard index < known.offsets.count, known.offsets[index] == brace else { return }
    scanner.skip(to: known.offsets[index...], position: known.position, isAtLineStart: known.isAtLineStart)
  }

  /// A close tag that matches no open component: text, and never HTML of type 7, if its name is a component's.
  private mutating func readUnmatchedCloseTag(_ start: BlockStart) -> Recognition {
    let nameBegin = start.offset + 2
    guard let first = required(nameBegin) else { return .hold }
    guard ASCII.isLetter(first) else { return .no }
    guard let nameEnd = runEnd(.elementName, from: nameBegin) else { return .hold }
    let name = Array(input[nameBegin..<nameEnd])
    if grammar.component(named: name) != nil { line.plainTag = start.offset }
    return .no
  }

  /// The next byte of an open tag, container prefixes skipped; a line end is LF; -1 where the tag cannot go on.
  private mutating func tagByte(_ scanner: inout OpenTagScanner) -> Int? {
    if scanner.isAtLineStart {
      guard let continues = skipTagPrefix(&scanner) else { return nil }
      if !continues { return -1 }
    }
    let byte = rawPeek(scanner.position)
    if byte == Peek.more { return nil }
    guard byte == Peek.lineEnd else {
      scanner.position += 1
      return byte
    }
    guard scanner.position < available else { return -1 }
    let isCRLF =
      self.byte(at: scanner.position) == 0x0D && scanner.position + 1 < total
      && self.byte(at: scanner.position + 1) == 0x0A
    scanner.position += isCRLF ? 2 : 1
    scanner.startLine()
    return 0x0A
  }

  /// Skips the prefixes of the containers around an open tag on a further line; `false` if the line does not
  /// continue them or is blank.
  private mutating func skipTagPrefix(_ scanner: inout OpenTagScanner) -> Bool? {
    var offset = scanner.position
    var column = 0
    var index = 1
    while index < line.matched {
      let container = spine[index]
      steps += 1
      index = container.kind == .component ? container.runEnd : index + 1
      switch container.kind {
      case .document, .list, .component: continue
      case .directive:
        guard let ends = closes(container, at: offset, column: column) else { return nil }
        if ends { return false }
      case .blockQuote:
        guard let after = skipQuoteMarker(&offset, &column) else { return nil }
        if !after { return false }
      case .listItem, .footnoteDefinition:
        let target = column + container.indent
        while column < target {
          guard let byte = requiredRaw(offset) else { return nil }
          guard ASCII.isSpaceOrTab(byte) else { return false }
          column += byte == 0x09 ? 4 - column % 4 : 1
          offset += 1
        }
      }
    }
    // A blank line ends the tag.
    var end = offset
    while true {
      guard let byte = requiredRaw(end) else { return nil }
      if byte == Peek.lineEnd { return false }
      if !ASCII.isSpaceOrTab(byte) { break }
      end += 1
    }
    scanner.position = offset
    scanner.isAtLineStart = false
    return true
  }

  private mutating func skipQuoteMarker(_ offset: inout Int, _ column: inout Int) -> Bool? {
    let limit = column + 4
    while true {
      guard let byte = requiredRaw(offset) else { return nil }
      offset += 1
      if byte == UInt8(ascii: ">") {
        column += 1
        break
      }
      guard ASCII.isSpaceOrTab(byte) else { return false }
      column += byte == 0x09 ? 4 - column % 4 : 1
      guard column < limit else { return false }
    }
    guard let space = requiredRaw(offset) else { return nil }
    if ASCII.isSpaceOrTab(space) {
      offset += 1
      column += 1
    }
    return true
  }

  private mutating func requiredRaw(_ offset: Int) -> Int? {
    let byte = rawPeek(offset)
    return byte == Peek.more ? nil : byte
  }

  private mutating func openComponent(_ start: BlockStart, _ scanner: OpenTagScanner) -> Recognition {
    let end = scanner.position
    reach = max(reach, end)
    guard let component = grammar.component(named: scanner.name) else { return .no }
    prepareForBlock()
    let content = component.content
    let attributes = scanner.attributes()
    let name = addComponent(scanner.name, content, attributes)
    let key = componentKey(scanner.name, attributes)
    showComponent(
      name: name, isContained: component.isContained, content: content, begin: start.offset, end: end,
      isClosed: scanner.isSelfClosing || content == .none, key: key)
    cursor = end
    if leaf.kind == .rawComponent {
      decided = end
      return .yes
    }
    startLineAfterTag()
    return .yes
  }

  /// Adds a component's fields to the table; answers where its name is among the table's strings.
  mutating func addComponent(
    _ name: [UInt8], _ content: ComponentContent, _ attributes: [ComponentAttribute]
  ) -> Range<Int> {
    let name = componentName(name)
    blocks.components.growByQuarter()
    blocks.components.append(
      ComponentFields(
        name: name, content: content,
        attributes: blocks.intern(
          ComponentAttributes.encoded(
            attributes.map { ComponentAttribute(name: $0.name, value: $0.value.map(UTF8Text.repaired)) }))))
    return name
  }

  /// The name among the table's strings; components often have the name of the one before.
  private mutating func componentName(_ name: [UInt8]) -> Range<Int> {
    if let last = blocks.components.last?.name, blocks.strings[last].elementsEqual(name) { return last }
    return blocks.intern(name)
  }

  /// A component's key: its template and first key, or its offset.
  mutating func componentKey(_ name: [UInt8], _ attributes: [ComponentAttribute]) -> Block.Key {
    let value = { (name: [UInt8]) in
      attributes.first { $0.name == name }.flatMap { $0.value }.flatMap { $0.isEmpty ? nil : $0 }
    }
    for attribute in grammar.keyAttributes {
      guard let key = value(attribute) else { continue }
      return templateKey(
        TemplateKey.encoded(template: value(grammar.templateAttribute) ?? name, key: key))
    }
    return Self.offsetKey
  }

  private mutating func showComponent(
    name: Range<Int>, isContained: Bool, content: ComponentContent, begin: Int, end: Int, isClosed: Bool,
    key: Block.Key
  ) {
    addChild()
    let isRaw = content == .raw
    let row = openRow(
      .component, begin: begin, payload: blocks.components.count - 1, flags: isRaw ? .rawContent : [],
      key: key)
    if isClosed {
      blocks.seal(row, end: end, at: now)
      noteEnd(end)
      return
    }
    if isRaw {
      leaf = Leaf()
      leaf.kind = .rawComponent
      leaf.row = row
      leaf.begin = begin
      leaf.end = end
      leaf.textStart = blocks.text.count
      leaf.textEnd = leaf.textStart
      startVerbatimLine()
      return
    }
    var container = Container(kind: .component, row: row, end: end)
    container.name = name
    container.isContained = isContained
    push(container)
  }

  /// Opens a component that the stream begins in.
  mutating func openFromStart(_ name: [UInt8]) {
    let component = grammar.component(named: name) ?? Dialect.Component(content: .markdown)
    let range = blocks.intern(name)
    blocks.components.append(ComponentFields(name: range, content: component.content, attributes: 0..<0))
    let key = templateKey(TemplateKey.encoded(template: Array("open".utf8), key: name))
    showComponent(
      name: range, isContained: component.isContained, content: component.content, begin: 0, end: 0,
      isClosed: component.content == .none, key: key)
    if leaf.kind == .rawComponent { phase = .content }
  }

  // MARK: - Close tags

  /// Whether a close tag that counts on this line begins at `offset`.
  mutating func closeTag(at offset: Int, onlyContained: Bool = false) -> CloseTag {
    guard let slash = requiredRaw(offset + 1) else { return .undecided }
    guard slash == UInt8(ascii: "/") else { return .none }
    // A line that does not continue what is around a raw component is none of its content.
    let isRaw = leaf.kind == .rawComponent && (phase == .content || line.matched == spine.count)
    var isUndecided = false
    var left = isRaw ? 1 : onlyContained ? openComponents : line.closableComponents
    var index = spine.count - 1
    while left > 0 {
      if !isRaw {
        while spine[index].kind != .component || spine[index].components > left { index -= 1 }
      }
      left -= 1
      if onlyContained && !spine[index].isContained {
        index -= 1
        continue
      }
      let name = isRaw ? rawComponentName : spine[index].name
      steps += 1
      switch closeTagEnd(at: offset + 2, name) {
      case .some(let end) where end > 0:
        return .tag(container: isRaw ? spine.count : index, end: end)
      case .none: isUndecided = true
      default: break
      }
      index -= 1
    }
    return isUndecided ? .undecided : .none
  }

  private var rawComponentName: Range<Int> { blocks.component(of: BlockIndex(leaf.row)).name }

  /// The end of a close tag with this name, whose name begins at `offset`; 0 if it is none, `nil` if more bytes
  /// decide.
  private mutating func closeTagEnd(at offset: Int, _ name: Range<Int>) -> Int? {
    var position = offset
    for index in name {
      guard let byte = requiredRaw(position) else { return nil }
      guard byte == Int(blocks.strings[index]) else { return 0 }
      position += 1
    }
    while true {
      guard let byte = requiredRaw(position) else { return nil }
      position += 1
      if byte == UInt8(ascii: ">") { return position }
      guard ASCII.isSpaceOrTab(byte) else { return 0 }
    }
  }

  /// Closes the component whose close tag is at `offset`, and all in it; the rest of the line is a line of its
  /// own.
  mutating func closeComponent(at offset: Int, onlyContained: Bool = false) {
    guard case .tag(let container, let end) = closeTag(at: offset, onlyContained: onlyContained) else {
      preconditionFailure("the line ended at a close tag")
    }
    if leaf.kind == .rawComponent {
      sealLeaf(end: end)
    } else {
      closeLeaf()
      while spine.count > container + 1 { closeLastContainer() }
      noteEnd(end)
      closeLastContainer()
    }
    cursor = end
    startLineAfterTag()
  }

  // MARK: - Raw content

  mutating func readRawComponent() -> Step {
    line.closableComponents = 1
    defer { line.closableComponents = 0 }
    guard showCutTab() else { return .hold }
    while true {
      switch nextText(hasSpans: false) {
      case .text(let end):
        extendText(from: cursor, to: end, shownTo: end)
        cursor = end
      case .replacement(let end):
        commit()
        extendText(with: replacementCharacter, end: end)
        cursor = end
      case .lineEnd:
        commit()
        let offset = cursor
        let isLineEnding = offset < available && isTrueLineEnd(offset)
        endLine(at: offset)
        if isLineEnding {
          extendText(with: CollectionOfOne(0x0A), end: cursor)
        }
        return .done
      case .stop: preconditionFailure("raw text has no stops of its own")
      case .hold: return .hold
      }
      leaf.hasLineText = true
      decided = cursor
    }
  }
}
