// Directives that are blocks (dialects with the extension `directives`): `::name[label]{attributes}` alone on a line, and
// with three or more colons what it holds up to a line of at least as many colons. Both are components, keyed as such; a
// label is their first child, a paragraph. Held: the opening line until its end; a prefix of a line that could be the
// closing fence.
//
// The fence is looked for behind the prefixes of what is around the directive, whatever is open in it, so that it closes
// code, too. No line is a lazy continuation of a paragraph in a directive that it does not continue.

import ByteStorage

extension MarkupParser {
  /// The fewest colons of a directive that holds blocks.
  private static let minFence = 3
  /// The most directives that may be open in one another, since each line is asked whether it closes one.
  private static let maxOpen: UInt8 = 32

  mutating func startDirective(_ start: BlockStart) -> Recognition {
    guard grammar.has(.directives) else { return .no }
    guard let nameBegin = runEnd(.colon, from: start.offset) else { return .hold }
    let length = nameBegin - start.offset
    guard length >= 2 else { return .no }
    if length >= Self.minFence && spine[line.matched - 1].directives == Self.maxOpen { return .no }
    guard let nameEnd = runEnd(.directiveName, from: nameBegin) else { return .hold }
    guard nameEnd > nameBegin, mayFollowName(peek(nameEnd)) else { return .no }
    guard let lineEnd = runEnd(.info, from: nameEnd) else { return .hold }
    guard lineEnd - start.offset <= OpenTagScanner.maxBytes else { return .no }
    let source = Array(input[nameBegin..<lineEnd])
    let text = UTF8Text.repaired(source)
    steps += source.count
    guard let directive = DirectiveSyntax.directive(in: text.span) else { return .no }
    prepareForBlock()
    let row = openDirective(directive, text, start, nameBegin: nameBegin, lineEnd: lineEnd)
    if let label = directive.label {
      let place = { nameBegin + UTF8Text.sourceLength(of: $0, in: source, repaired: text) }
      openLabel(label, text, of: row, place)
    }
    endLine(at: lineEnd)
    return .yes
  }

  private func mayFollowName(_ byte: Int) -> Bool {
    byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") || ASCII.isSpaceOrTab(byte) || byte == Peek.lineEnd
  }

  /// Shows a directive and, where it holds blocks, enters it; answers its row.
  private mutating func openDirective(
    _ directive: Directive, _ text: [UInt8], _ start: BlockStart, nameBegin: Int, lineEnd: Int
  ) -> Int {
    let length = nameBegin - start.offset
    let isContainer = length >= Self.minFence
    let name = Array(text[directive.name])
    let attributes = directive.attributes.values(in: text.span)
    let content = isContainer || directive.hasLabelText(in: text) ? ComponentContent.markdown : .none
    let end = input.trimmedEnd(start.offset, lineEnd)
    _ = addComponent(name, content, attributes)
    addChild()
    let row = openRow(
      .component, begin: start.offset, payload: blocks.components.count - 1,
      key: componentKey(name, attributes))
    if isContainer {
      var container = Container(kind: .directive, row: row, end: end)
      container.indent = start.indent
      container.fenceLength = UInt16(length)
      push(container)
    } else {
      blocks.seal(row, end: end, at: now)
      noteEnd(end)
    }
    return row
  }

  /// Shows the label, if there is more in it than white space. `place`: the offset of a place in `text`.
  private mutating func openLabel(_ label: Range<Int>, _ text: [UInt8], of row: Int, _ place: (Int) -> Int) {
    let shown = text[label].trimmed
    guard !shown.isEmpty else { return }
    let paragraph = openRow(
      .paragraph, parent: row, begin: place(shown.startIndex), flags: .directiveLabel, key: unkeyedKey())
    blocks.text.append(contentsOf: shown)
    blocks.rows[paragraph].textLength = UInt32(shown.count)
    blocks.seal(paragraph, end: place(shown.endIndex), at: now)
    blocks.growth.jump(to: blocks.text.count, at: now)
  }

  // MARK: - Lines in a directive

  /// A line of colons, which closes directives of as many or fewer.
  struct ClosingFence {
    /// At most what a directive's fence may have.
    var length: UInt16
    var end: Int
    var lineEnd: Int
  }

  /// The line closes the directive that is to be matched, or one that is directly in it and has fewer colons, or is a
  /// line in all of them.
  mutating func matchDirective() -> Step {
    guard let fence = closingFence(at: cursor, column: line.column) else { return .hold }
    var index = line.matched
    while index < spine.count && spine[index].kind == .directive {
      if let fence, fence.length >= spine[index].fenceLength {
        closeDirective(index, fence)
        return .done
      }
      index += 1
      if spine[index - 1].indent > 0 {
        removeIndent(spine[index - 1].indent)
        break
      }
    }
    commit()
    line.matched = index - 1
    matchContainer()
    return .done
  }

  private mutating func closeDirective(_ index: Int, _ fence: ClosingFence) {
    commit()
    closeLeaf()
    while spine.count > index + 1 { closeLastContainer() }
    noteEnd(fence.end)
    closeLastContainer()
    line.closableComponents = openComponents
    endLine(at: fence.lineEnd)
  }

  /// What the opening fence was indented by, a line in the directive may be.
  private mutating func removeIndent(_ columns: Int) {
    let place = fencePlace(from: cursor, column: line.column)
    advanceColumns(min(columns, min(place.column - line.column, 3)))
  }

  /// The line of colons at `offset`, if it is one; `nil` if more bytes decide.
  private mutating func closingFence(at offset: Int, column: Int) -> ClosingFence?? {
    let place = fencePlace(from: offset, column: column)
    guard place.column - column < 4 else { return .some(nil) }
    if place.byte == Peek.more { return nil }
    guard place.byte == UInt8(ascii: ":") else { return .some(nil) }
    guard let end = runEnd(.colon, from: place.offset) else { return nil }
    guard end - place.offset >= Self.minFence else { return .some(nil) }
    guard let lineEnd = runEnd(.space, from: end) else { return nil }
    guard peek(lineEnd) == Peek.lineEnd else { return .some(nil) }
    return ClosingFence(length: UInt16(clamping: end - place.offset), end: end, lineEnd: lineEnd)
  }

  /// Whether the line at `offset` closes a directive; `nil` if more bytes decide.
  mutating func closes(_ directive: Container, at offset: Int, column: Int) -> Bool? {
    guard let fence = closingFence(at: offset, column: column) else { return nil }
    return fence.map { $0.length >= directive.fenceLength } ?? false
  }

  /// Whether the line does not continue one of the open directives: then it is in no paragraph that lies in it.
  @inline(__always)
  var leavesDirective: Bool { spine[line.matched - 1].directives < spine[spine.count - 1].directives }
}

extension Directive {
  /// Whether there is more in its label than white space.
  fileprivate func hasLabelText(in text: [UInt8]) -> Bool { label.map { !text[$0].trimmed.isEmpty } ?? false }
}

extension ArraySlice<UInt8> {
  /// Without spaces and tabs at its ends.
  fileprivate var trimmed: ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in ASCII.isSpaceOrTab(Int(byte)) }
    let rest = drop(while: isBlank)
    return rest.prefix((rest.lastIndex { !isBlank($0) } ?? rest.startIndex - 1) + 1 - rest.startIndex)
  }
}

extension UTF8Text {
  /// How many bytes of the source the first `count` bytes of its repaired text stand for.
  fileprivate static func sourceLength(of count: Int, in source: [UInt8], repaired text: [UInt8]) -> Int {
    if source.count == text.count { return count }
    var (length, shown) = (0, 0)
    while shown < count {
      let (sourceLength, isValid) = sequence(in: source, at: length)
      shown += isValid && source[length] != 0 ? sourceLength : replacementCharacter.count
      length += sourceLength
    }
    return length
  }
}
