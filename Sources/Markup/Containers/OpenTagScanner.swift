/// The braces that were open where an open tag turned out to be none. Whether a brace is closed before a place
/// does not depend on the tag it stands in, so a tag whose value begins with one of these need not be read up to
/// there again: otherwise every line of `<X a={` would cost the most that a tag may take.
struct UnclosedBraces {
  var offsets: [Int] = []
  /// Where reading goes on, and whether container prefixes come first there.
  var position = 0
  var isAtLineStart = false
}

/// Reads a component's open tag (identity.md §5), byte by byte and over several lines.
struct OpenTagScanner {
  /// The most bytes of a tag: what a key, its attributes and their values may reasonably take, and the most
  /// that is ever held.
  static let maxBytes = 8192

  enum Result {
    case goesOn
    /// This byte ends the name.
    case nameEnds
    /// There is no tag's name at all.
    case noName
    case fails
    case complete
  }

  private enum State {
    case start, name, between, attributeName, afterAttributeName, beforeValue, bareValue, quotedValue
    case braces, afterValue, selfClosing
    case dead, complete
  }

  let begin: Int
  var position: Int
  /// Whether container prefixes come first.
  var isAtLineStart = false
  private var state = State.start
  /// The tag's bytes from the name on, without container prefixes, line ends as LF.
  private var content: [UInt8] = []
  private var nameEnd = 0
  private var quote: UInt8 = 0
  /// In a value in braces: the offsets of the braces that are open.
  private(set) var openBraces: [Int] = []
  /// Bytes were passed over (see `UnclosedBraces`): what was read cannot give the attributes.
  private(set) var isPartial = false
  private var spans: [(name: Range<Int>, value: Range<Int>?, isBraced: Bool)] = []
  private var tokenBegin = 0
  private(set) var isSelfClosing = false

  init(begin: Int) {
    self.begin = begin
    position = begin
  }

  var name: [UInt8] { Array(content[..<nameEnd]) }

  mutating func startLine() { isAtLineStart = true }

  static func isName(_ byte: Int) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x5F || byte == 0x2E
  }

  /// Reads the next byte; -1 is what ends every tag.
  mutating func read(_ byte: Int) -> Result {
    switch state {
    case .start:
      if byte == UInt8(ascii: "<") && content.isEmpty && nameEnd == 0 {
        nameEnd = -1
        return .goesOn
      }
      guard ASCII.isLetter(byte) else { return .noName }
      state = .name
      nameEnd = 0
      content.append(UInt8(byte))
      return .goesOn
    case .name:
      if Self.isName(byte) {
        content.append(UInt8(byte))
        return .goesOn
      }
      nameEnd = content.count
      return .nameEnds
    default: break
    }
    return readTag(byte)
  }

  /// The name is a component's: the byte that ended it belongs to the tag.
  mutating func confirmName(_ byte: Int) -> Result {
    state = .between
    return readTag(byte, afterName: true)
  }

  private mutating func readTag(_ byte: Int, afterName: Bool = false) -> Result {
    guard byte >= 0 else {
      state = .dead
      return .fails
    }
    let index = content.count
    content.append(UInt8(byte))
    step(byte, index, afterName)
    switch state {
    case .dead: return .fails
    case .complete: return .complete
    default: return .goesOn
    }
  }

  private mutating func step(_ byte: Int, _ index: Int, _ afterName: Bool) {
    let isSpace = ASCII.isSpaceOrTab(byte) || byte == 0x0A
    switch state {
    case .attributeName where HTMLTagScanner.isAttributeName(byte): break
    case .between, .attributeName, .afterAttributeName, .afterValue:
      stepBetween(byte, index, isSpace, afterName)
    case .beforeValue:
      if isSpace { return }
      beginValue(byte, index)
    case .bareValue:
      if isSpace || byte == UInt8(ascii: ">") {
        endValue(tokenBegin..<index, isBraced: false)
        state = isSpace ? .between : .complete
      } else if HTMLTagScanner.isExcludedFromBareValue(byte) {
        state = .dead
      }
    case .quotedValue:
      if byte == Int(quote) {
        endValue(tokenBegin..<index, isBraced: false)
        state = .afterValue
      }
    case .braces:
      if byte == UInt8(ascii: "{") { openBraces.append(position - 1) }
      if byte == UInt8(ascii: "}") {
        openBraces.removeLast()
        if openBraces.isEmpty {
          endValue(tokenBegin..<index + 1, isBraced: true)
          state = .afterValue
        }
      }
    case .selfClosing: state = byte == UInt8(ascii: ">") ? .complete : .dead
    case .start, .name, .dead, .complete: break
    }
  }

  private mutating func stepBetween(_ byte: Int, _ index: Int, _ isSpace: Bool, _ afterName: Bool) {
    if state == .attributeName { spans.append((tokenBegin..<index, nil, false)) }
    switch byte {
    case Int(UInt8(ascii: ">")): state = .complete
    case Int(UInt8(ascii: "/")):
      state = .selfClosing
      isSelfClosing = true
    case Int(UInt8(ascii: "=")):
      state = state == .attributeName || state == .afterAttributeName ? .beforeValue : .dead
    case _ where isSpace:
      if state == .attributeName { state = .afterAttributeName }
      if state == .afterValue { state = .between }
    default:
      let mayBegin = (state == .between && !afterName) || state == .afterAttributeName
      tokenBegin = index
      state = mayBegin && HTMLTagScanner.beginsAttributeName(byte) ? .attributeName : .dead
    }
  }

  private mutating func beginValue(_ byte: Int, _ index: Int) {
    switch byte {
    case 0x22, 0x27:
      quote = UInt8(byte)
      tokenBegin = index + 1
      state = .quotedValue
    case Int(UInt8(ascii: "{")):
      openBraces = [position - 1]
      tokenBegin = index
      state = .braces
    case Int(UInt8(ascii: ">")): state = .dead
    default:
      tokenBegin = index
      state = HTMLTagScanner.isExcludedFromBareValue(byte) ? .dead : .bareValue
    }
  }

  private mutating func endValue(_ range: Range<Int>, isBraced: Bool) {
    spans[spans.count - 1].value = range
    spans[spans.count - 1].isBraced = isBraced
  }

  /// Whether the byte just read opened a value in braces.
  var beginsBraces: Bool { state == .braces && openBraces.count == 1 && openBraces[0] == position - 1 }

  /// Passes over bytes in which none of the braces that are open now, nor `braces` after them, is closed.
  mutating func skip(to braces: ArraySlice<Int>, position: Int, isAtLineStart: Bool) {
    openBraces = Array(braces)
    self.position = position
    self.isAtLineStart = isAtLineStart
    isPartial = true
  }

  /// The attributes in order, the first of equal names winning.
  func attributes() -> [ComponentAttribute] {
    var result: [ComponentAttribute] = []
    var seen: Set<[UInt8]> = []
    for span in spans {
      let name = Array(content[span.name])
      guard seen.insert(name).inserted else { continue }
      let value = span.value.map { range in
        span.isBraced ? Array(content[range]) : Escapes.referencesResolved(in: Array(content[range]))
      }
      result.append(ComponentAttribute(name: name, value: value))
    }
    return result
  }
}
