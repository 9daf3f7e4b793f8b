import ByteStorage

/// Reads what may be a link reference definition, byte by byte (CommonMark 0.31.2 §4.7).
///
/// It sees exactly the bytes that are added to the paragraph's text, so what it finds are ranges of that text.
struct DefinitionScanner {
  private enum State {
    case dead
    case label, afterLabel
    case beforeURL, angleURL, bareURL, afterAngleURL, afterURL
    case title, afterTitle
    /// Complete; a title may follow on the next line.
    case complete
  }

  private var state = State.dead
  private var isEscaped = false
  /// The number of bytes read.
  private var position = 0
  private var characters = 0
  private var hasLabelText = false
  private var lines = 0
  private var depth = 0
  private var quote: UInt8 = 0
  private(set) var label = 0..<0
  private(set) var url = 0..<0
  private(set) var title: Range<Int>?
  private var start = 0

  /// The most characters that a link label may have.
  private static let maxLabelCharacters = 999
  /// The most parentheses that may be open in a link destination, as in cmark.
  private static let maxParentheses = 32

  /// Whether what was read so far may still be (part of) a definition.
  var isAlive: Bool { state != .dead }
  /// Whether a title on a later line is being read.
  var isInTitle: Bool { state == .title || state == .afterTitle }
  /// Whether the next line may begin with a title.
  var awaitsTitle: Bool { state == .complete && title == nil }

  /// Begins with the bracket of a label.
  mutating func begin() {
    self = DefinitionScanner()
    state = .label
    position = 0
    start = -1
  }

  mutating func stop() { state = .dead }

  /// Whether `byte` can begin a title.
  static func opensTitle(_ byte: Int) -> Bool { byte == 0x22 || byte == 0x27 || byte == 0x28 }

  /// Reads a byte of a line; returns whether a definition is still possible.
  mutating func read(_ byte: UInt8) -> Bool {
    step(byte)
    position += 1
    return state != .dead
  }

  private mutating func step(_ byte: UInt8) {
    let isSpace = byte == 0x20 || byte == 0x09
    switch state {
    case .dead: break
    case .label: readLabel(byte)
    case .afterLabel: state = byte == UInt8(ascii: ":") ? .beforeURL : .dead
    case .beforeURL:
      guard !isSpace else { return }
      start = position
      if byte == UInt8(ascii: "<") {
        state = .angleURL
        start = position + 1
      } else {
        state = .bareURL
        readBareURL(byte)
      }
    case .angleURL:
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: ">") {
        url = start..<position
        state = .afterAngleURL
      } else if byte == UInt8(ascii: "<") {
        state = .dead
      } else {
        isEscaped = byte == UInt8(ascii: "\\")
      }
    case .bareURL:
      if isSpace { endBareURL() } else { readBareURL(byte) }
    case .afterAngleURL: state = isSpace ? .afterURL : .dead
    case .afterURL, .complete:
      guard !isSpace else { return }
      guard Self.opensTitle(Int(byte)) else { return state = .dead }
      quote = byte == UInt8(ascii: "(") ? UInt8(ascii: ")") : byte
      start = position + 1
      isEscaped = false
      state = .title
    case .title:
      if isEscaped {
        isEscaped = false
      } else if byte == quote {
        title = start..<position
        state = .afterTitle
      } else if byte == UInt8(ascii: "(") && quote == UInt8(ascii: ")") {
        state = .dead
      } else {
        isEscaped = byte == UInt8(ascii: "\\")
      }
    case .afterTitle: if !isSpace { state = .dead }
    }
  }

  private mutating func readLabel(_ byte: UInt8) {
    // The opening bracket itself.
    if start < 0 { return start = 1 }
    if byte & 0xC0 != 0x80 { characters += 1 }
    if characters > Self.maxLabelCharacters + 1 { return state = .dead }
    if isEscaped {
      isEscaped = false
      hasLabelText = true
      return
    }
    switch byte {
    case UInt8(ascii: "]"):
      label = start..<position
      state = hasLabelText ? .afterLabel : .dead
    case UInt8(ascii: "["): state = .dead
    case UInt8(ascii: "\\"):
      isEscaped = true
      hasLabelText = true
    case 0x20, 0x09, 0x0A: break
    default: hasLabelText = true
    }
  }

  private mutating func readBareURL(_ byte: UInt8) {
    if isEscaped && ASCII.isPunctuation(Int(byte)) { return isEscaped = false }
    isEscaped = byte == UInt8(ascii: "\\")
    switch byte {
    case 0..<0x20, 0x7F: state = .dead
    case UInt8(ascii: "("):
      depth += 1
      if depth > Self.maxParentheses { state = .dead }
    case UInt8(ascii: ")"):
      depth -= 1
      if depth < 0 { state = .dead }
    default: break
    }
  }

  private mutating func endBareURL() {
    url = start..<position
    isEscaped = false
    state = depth == 0 ? .afterURL : .dead
  }

  /// What a line's end makes of it.
  enum LineEnd {
    /// No definition.
    case dead
    /// The next lines may complete it.
    case open
    case complete
  }

  /// The line ends.
  mutating func endLine() -> LineEnd {
    switch state {
    case .dead: return .dead
    case .label: return .open
    case .beforeURL:
      lines += 1
      if lines > 1 { state = .dead }
    case .bareURL:
      endBareURL()
      if state == .afterURL { state = .complete }
    case .afterAngleURL, .afterURL, .afterTitle: state = .complete
    case .title: return .open
    case .complete: break
    case .afterLabel, .angleURL: state = .dead
    }
    switch state {
    case .dead: return .dead
    case .complete: return .complete
    default: return .open
    }
  }

  /// The line end that joins the next line to the text.
  mutating func startLine() {
    if state == .label {
      _ = read(0x0A)
    } else {
      isEscaped = false
      position += 1
    }
  }
}

extension MarkupParser {
  /// The fields of the definition that was read from the text at `textStart`.
  mutating func definitionFields(_ textStart: Int) -> DefinitionFields {
    let scanner = leaf.definition
    let label = bytes(of: scanner.label, textStart)
    return DefinitionFields(
      identifier: blocks.intern(Label.identifier(label)),
      label: blocks.intern(Escapes.removed(from: Label.collapsed(label))),
      url: blocks.intern(Escapes.removed(from: bytes(of: scanner.url, textStart))),
      title: scanner.title.map { blocks.intern(Escapes.removed(from: bytes(of: $0, textStart))) })
  }

  private func bytes(of range: Range<Int>, _ textStart: Int) -> [UInt8] {
    blocks.text[range.lowerBound + textStart..<range.upperBound + textStart]
  }

  /// The open paragraph turns out to be a definition, complete for now, at `now`.
  mutating func becomeDefinition() {
    blocks.definitions.growByQuarter()
    blocks.definitions.append(definitionFields(leaf.textStart))
    let payload = blocks.definitions.count - 1
    if leaf.row < 0 {
      showRow(as: .definition, payload: payload)
    } else {
      blocks.rows[leaf.row].type = .definition
      blocks.rows[leaf.row].payload = UInt32(payload)
      blocks.change(leaf.row, .type, at: now)
    }
    leaf.kind = .definition
    if leaf.isHidden { showText() }
    leaf.definitionTextEnd = leaf.textEnd
    leaf.definitionEnd = leaf.end
  }

  /// A title on a later line is complete at that line's end.
  mutating func setDefinitionTitle() {
    if leaf.isHidden { showText() }
    if let title = leaf.definition.title {
      let bytes = Escapes.removed(from: bytes(of: title, leaf.textStart))
      let row = Int(blocks.rows[leaf.row].payload)
      blocks.definitions[row].title = blocks.intern(bytes)
      blocks.change(leaf.row, .title, at: now)
    }
    leaf.definitionTextEnd = leaf.textEnd
    leaf.definitionEnd = leaf.end
  }

  /// What began as a title on a later line is none: the definition ends before it, and its lines are a
  /// paragraph's, which is not shown yet.
  mutating func splitDefinition() {
    let row = leaf.row
    let length = leaf.definitionTextEnd - leaf.textStart
    if Int(blocks.rows[row].textLength) > length {
      blocks.rows[row].textLength = UInt32(length)
      blocks.change(row, .text, at: now)
    }
    blocks.seal(row, end: leaf.definitionEnd, at: now)
    noteEnd(leaf.definitionEnd)
    leaf.kind = .paragraph
    leaf.row = -1
    leaf.isHidden = true
    leaf.isSeparated = false
    leaf.definition.stop()
    leaf.textStart = leaf.titleTextStart
    leaf.begin = leaf.titleBegin
  }

  mutating func closeDefinition() {
    if leaf.definition.isInTitle {
      splitDefinition()
      closeParagraph()
      return
    }
    dropText(after: leaf.textEnd)
    sealLeaf(end: leaf.definitionEnd)
  }
}
