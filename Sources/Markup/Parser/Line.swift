/// Where the parser stands in a line. After a component's tag the rest of the line is a line of its own.
struct Line {
  /// Counts lines, to tell whether the line before was blank.
  var number = 0
  /// The column of `cursor`, counted from the line's start; inside a tab's columns if a container prefix took
  /// only some of them (then `cursor` is still at the tab).
  var column = 0
  /// The cursor is at a tab of which a prefix took some columns.
  var isTabCut = false
  /// How many of the open containers the line continues, the document included.
  var matched = 1
  /// How many of the matched containers are components: their close tags count on this line.
  var closableComponents = 0
  /// White space at the cursor means nothing, and if nothing follows it is no blank line: after a tag, a math
  /// block or a footnote definition's colon.
  var skipsSpace = false
  /// The line begins after a tag or a math block, with a column of its own.
  var isRestOfLine = false
  /// A block quote's marker was just read: a space after it belongs to it.
  var takesOptionalSpace = false
  /// What follows can only be a paragraph's text.
  var isPlainText = false
  /// An element at this offset was found to be no component.
  var plainTag = -1
  /// Up to here the text is known to hold no close tag that counts.
  var plainUntil = 0
}

/// An open container block.
struct Container {
  enum Kind { case document, blockQuote, list, listItem, footnoteDefinition, component, directive }

  var kind: Kind
  /// The block's row; -1 for the document.
  var row: Int
  /// The offset after its last marker or last sealed child.
  var end = 0
  /// A list item: the columns of indentation that continue it. A directive: those before its fence.
  var indent = 0
  /// A list: its bullet, or the delimiter after its numbers.
  var marker: UInt8 = 0
  /// The number of directives among it and the containers around it.
  var directives: UInt8 = 0
  /// A directive: the number of its fence's colons.
  var fenceLength: UInt16 = 0
  /// Whether a block has been opened in it.
  var hasChild = false
  /// The number of the last blank line that lay at its end.
  var blankLine = -1
  /// The number of components among it and the containers around it.
  var components = 0
  /// A component: where the run of components begins that it is in.
  var runBegin = 0
  /// The first component of a run: where the run ends, which is at the spine's end if that is before it.
  var runEnd = Int.max
  /// A component's name, in the table's strings, and whether it is contained.
  var name = 0..<0
  var isContained = false

  /// Notes that it gets a child, and returns whether the line before it, a blank one, separates it from an earlier one.
  @inline(__always)
  mutating func noteChild(after lineBefore: Int) -> Bool {
    defer { hasChild = true }
    return hasChild && blankLine == lineBefore
  }
}

extension MarkupParser {
  mutating func startLine() -> Step {
    guard cursor < available else { return .hold }
    beginLine()
    phase = .prefix
    return .done
  }

  private mutating func beginLine() {
    line = Line(number: line.number + 1)
    if !spans.isInitial { spans = CodeSpans() }
    if deferredTag != nil { deferredTag = nil }
  }

  /// Goes on with a part of the line as a line of its own: what follows a tag or a math block.
  mutating func startLineAfterTag() {
    beginLine()
    line.matched = spine.count
    line.closableComponents = openComponents
    line.skipsSpace = true
    line.isRestOfLine = true
    decided = cursor
    phase = .blockStart
  }

  /// Consumes the line end at `offset`: a line ending, the end of the input, or a close tag.
  mutating func endLine(at offset: Int) {
    cursor = offset
    if offset < available {
      switch byte(at: offset) {
      case 0x0A: cursor += 1
      case 0x0D: cursor += offset + 1 < total && byte(at: offset + 1) == 0x0A ? 2 : 1
      default: return closeComponent(at: offset)
      }
    }
    decided = cursor
    phase = .lineStart
  }

  /// Whether the line end at `offset` is no close tag.
  @inline(__always)
  func isTrueLineEnd(_ offset: Int) -> Bool {
    offset >= available || byte(at: offset) == 0x0A || byte(at: offset) == 0x0D
  }

  /// Marks the next container as continued by this line.
  mutating func matchContainer() {
    steps += 1
    line.closableComponents = spine[line.matched].components
    line.matched += 1
    claim()
  }

  /// What lies before the cursor is decided, unless an earlier line is still held.
  mutating func claim() {
    if cursor > decided && (leaf.kind == .none || !leaf.isHidden) { decided = cursor }
  }

  mutating func matchPrefix() -> Step {
    if line.takesOptionalSpace {
      guard takeOptionalSpace() else { return .hold }
      return .done
    }
    guard line.matched < spine.count else { return matchLeaf() }
    switch spine[line.matched].kind {
    case .document, .list:
      matchContainer()
      return .done
    case .component:
      // However many there are, a line costs no more than its own bytes.
      line.matched = min(spine[line.matched].runEnd, spine.count) - 1
      matchContainer()
      return .done
    case .directive: return matchDirective()
    case .blockQuote: return matchBlockQuote()
    case .listItem, .footnoteDefinition: return matchIndentedContainer()
    }
  }

  /// Every container is continued; the open leaf says how its line is read.
  private mutating func matchLeaf() -> Step {
    switch leaf.kind {
    case .none, .paragraph, .definition, .table:
      phase = .blockStart
      return .done
    case .fencedCode: return matchFencedCode()
    case .indentedCode: return matchIndentedCode()
    case .html: return matchHTML()
    case .frontMatter: return matchFrontMatter()
    case .math, .rawComponent:
      startVerbatimLine()
      return .done
    case .heading:
      preconditionFailure("a heading ends with its line")
    }
  }

  /// The line continues a container by its indentation: a list item's content, a footnote definition's.
  private mutating func matchIndentedContainer() -> Step {
    let container = spine[line.matched]
    var offset = cursor
    var column = line.column
    let target = column + container.indent
    var isTabCut = line.isTabCut
    while column < target {
      let byte = peek(offset)
      if byte == Peek.more { return .hold }
      steps += 1
      isTabCut = false
      if byte == 0x20 {
        column += 1
        offset += 1
      } else if byte == 0x09 {
        let next = column + 4 - column % 4
        if next > target {
          column = target
          isTabCut = true
        } else {
          column = next
          offset += 1
        }
      } else {
        // A blank line continues it, but no item that has nothing in it yet.
        let mayBeEmpty = container.hasChild || container.kind == .footnoteDefinition
        guard byte == Peek.lineEnd && isTrueLineEnd(offset) && mayBeEmpty else {
          phase = .blockStart
          return .done
        }
        commit()
        advance(to: offset, column: column)
        matchContainer()
        return .done
      }
    }
    commit()
    advance(to: offset, column: column)
    line.isTabCut = isTabCut
    matchContainer()
    return .done
  }

  /// Moves to `offset`, whose column is `column`, within the line.
  mutating func advance(to offset: Int, column: Int) {
    cursor = offset
    line.column = column
    line.isTabCut = false
  }

  /// Takes `columns` columns of the white space at `cursor`, maybe part of a tab.
  mutating func advanceColumns(_ columns: Int) {
    let target = line.column + columns
    while line.column < target {
      let isTab = byte(at: cursor) == 0x09
      let next = isTab ? line.column + 4 - line.column % 4 : line.column + 1
      line.isTabCut = next > target
      line.column = min(next, target)
      if !line.isTabCut { cursor += 1 }
    }
  }

  /// The columns that a tab at `cursor`, of which a prefix took a part, has left; else 0.
  @inline(__always)
  func columnsLeftOfTab() -> Int {
    line.isTabCut ? 4 - line.column % 4 : 0
  }
}

// MARK: - Blank lines

extension MarkupParser {
  /// The line is blank from `cursor` to its end at `offset`.
  mutating func endBlankLine(at offset: Int) {
    commit()
    if line.skipsSpace {
      endLine(at: offset)
      return
    }
    closeUnmatched()
    switch leaf.kind {
    case .paragraph, .definition, .table: closeLeaf()
    default: break
    }
    markBlank()
    endLine(at: offset)
  }

  /// A blank line lies at the end of the deepest open container, and of those around it as long as it can
  /// separate their children: a block quote holds it.
  mutating func markBlank() {
    var index = spine.count - 1
    while index >= 0 {
      steps += 1
      spine[index].blankLine = line.number
      switch spine[index].kind {
      case .component: index = spine[index].runBegin - 1
      case .list, .listItem, .directive, .footnoteDefinition: index -= 1
      case .document, .blockQuote: return
      }
    }
  }
}
