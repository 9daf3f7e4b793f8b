/// Parses the inline content of leaves (CommonMark 0.31.2 §6 and appendix, phase 2; GFM's extensions).
///
/// One parser serves many leaves and keeps its buffers. It reads the text once, left to right, into `items`;
/// delimiter runs and brackets are items that are given their meaning when their partners come. Then one walk
/// over the items gives the events. What the end of an open leaf leaves undecided is in `Healing.swift`.
package struct InlineParser: Sendable {
  let extensions: Dialect.Extensions
  package let plainText: PlainText

  /// Steps of work done: bytes looked at, openers and brackets walked over. Only for tests of the cost.
  package internal(set) var steps = 0

  /// The content of the leaf that was parsed last.
  package internal(set) var content = InlineContent()

  var items = ReusedArray<InlineItem>()
  var delimiters = ReusedArray<Delimiter>()
  /// The last delimiter that may still match, or -1.
  var lastDelimiter = -1
  var brackets: [Bracket] = []
  /// The dialect's named components, and whether any element can be one.
  let componentKinds: [String: Dialect.Component]
  let hasComponents: Bool
  var components = InlineComponents()
  /// The matches of delimiters, linked from their items.
  var matches = ReusedArray<DelimiterMatch>()
  /// Where the last run of backticks of each length begins, of those that were walked over: of all, once a closer was
  /// looked for in vain.
  var lastBackticks = BacktickRuns()
  var hasScannedBackticks = false
  /// What may be an extended autolink stood inside a bracket.
  var hasBracketedAutolink = false
  /// An at sign was seen: there may be an e-mail address.
  var hasAtSign = false
  /// Ends of raw HTML and of math that are known not to come any more.
  var missingEnds: MissingEnds = []
  /// What the end of an open leaf leaves undecided.
  var healing = Healing()

  struct MissingEnds: OptionSet, Sendable {
    var rawValue: UInt8
    static let comment = MissingEnds(rawValue: 1)
    static let instruction = MissingEnds(rawValue: 2)
    static let declaration = MissingEnds(rawValue: 4)
    static let cdata = MissingEnds(rawValue: 8)
    static let math = MissingEnds(rawValue: 16)
    static let displayMath = MissingEnds(rawValue: 32)
    static let parenthesisMath = MissingEnds(rawValue: 64)
    static let bracketMath = MissingEnds(rawValue: 128)
  }

  package init(dialect: Dialect) {
    extensions = dialect.extensions
    componentKinds = dialect.components
    hasComponents = !dialect.components.isEmpty || dialect.extensions.contains(.anyComponent)
    plainText = PlainText(extensions)
  }

  /// GFM's inline extensions come with its tables.
  var isGFM: Bool { extensions.contains(.tables) }

  /// Parses a leaf's text from `begin` on; the result is `content`.
  ///
  /// - Parameters:
  ///   - text: the leaf's text, best with what follows it, which makes its end quicker to read.
  ///   - begin: where to begin: 0, or what an earlier parse of a shorter text gave as `content.settledEnd`.
  ///   - end: the leaf's end; that of `text` if it is `nil`.
  ///   - plain: a place up to which nothing begins, as far as that is known.
  ///   - ending: whether the text can still grow.
  /// - Complexity: O(bytes), but for the bracket and emphasis bounds of the specification's algorithm.
  package mutating func parse(
    _ text: borrowing Span<UInt8>, from begin: Int = 0, to end: Int? = nil, plainTo plain: Int = 0,
    ending: InlineEnding = .final, references: borrowing References, table: borrowing BlockTable
  ) {
    let bytes = text.extracting(0..<(end ?? text.count))
    reset()
    healing = Healing(ending, from: begin, to: bytes.count)
    readItems(text, from: begin, to: bytes.count, plainTo: plain, references: references, table: table)
    if healing.isOpen { resolveOpenEnd(bytes) }
    processEmphasis(above: -1)
    emit(bytes)
  }

  /// Reads text into items.
  @inline(__always)
  mutating func readItems(
    _ text: borrowing Span<UInt8>, from begin: Int, to end: Int, plainTo plain: Int = 0,
    references: borrowing References, table: borrowing BlockTable
  ) {
    let bytes = text.extracting(0..<end)
    var marks = TextMarks()
    var position = begin
    while position < bytes.count {
      let end = plainText.end(text, from: max(position, plain), before: bytes.count, &marks)
      steps += end - position + 1
      if end > position {
        items.append(InlineItem(.text, position..<end))
        position = end
      }
      guard position < bytes.count else { break }
      position = readSpecial(bytes, at: position, references: references, table: table)
    }
  }

  private mutating func reset() {
    content.removeAll()
    items.empty()
    delimiters.empty()
    brackets.empty()
    matches.empty()
    lastDelimiter = -1
    components.removeAll()
    lastBackticks.removeAll()
    hasScannedBackticks = false
    missingEnds = []
    hasBracketedAutolink = false
    hasAtSign = false
  }

  /// Reads what begins with the special byte at `position`; returns where to go on.
  private mutating func readSpecial(
    _ bytes: borrowing Span<UInt8>, at position: Int, references: borrowing References,
    table: borrowing BlockTable
  ) -> Int {
    switch bytes[position] {
    case UInt8(ascii: "\n"): return readLineEnd(bytes, at: position)
    case UInt8(ascii: "\\"): return readBackslash(bytes, at: position)
    case UInt8(ascii: "`"): return readCodeSpan(bytes, at: position)
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
      return readDelimiterRun(bytes, at: position)
    case UInt8(ascii: "["): return openBracket(bytes, at: position, isImage: false)
    case UInt8(ascii: "!"):
      if position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "[") {
        return openBracket(bytes, at: position, isImage: true)
      }
      if hides(position, to: position + 1, bytes) { return bytes.count }
    case UInt8(ascii: "]"):
      return closeBracket(bytes, at: position, references: references, table: table)
    case UInt8(ascii: "<"): return readAngle(bytes, at: position)
    case UInt8(ascii: "&"): return readReference(bytes, at: position)
    case UInt8(ascii: "$"): return readDollar(bytes, at: position)
    case UInt8(ascii: "@"): hasAtSign = true
    case UInt8(ascii: ":"), UInt8(ascii: "w"):
      if let end = readExtendedAutolink(bytes, at: position) { return end }
      if let end = readDirective(bytes, at: position, references: references, table: table) { return end }
    default: break
    }
    items.append(InlineItem(.text, position..<position + 1))
    return position + 1
  }

  // MARK: - Line ends, escapes, references

  private mutating func readLineEnd(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int {
    var spaces = 0
    if let last = items.last, last.kind == .text {
      var end = last.range.upperBound
      while end > last.range.lowerBound && bytes[end - 1] == 0x20 { end -= 1 }
      spaces = last.range.upperBound - end
      // As in cmark, a tab goes, too.
      while end > last.range.lowerBound && ASCII.isSpaceOrTab(Int(bytes[end - 1])) { end -= 1 }
      items[items.count - 1].range = last.range.lowerBound..<end
    }
    items.append(InlineItem(spaces >= 2 ? .hardBreak : .softBreak, position..<position + 1))
    return skipSpaces(bytes, from: position + 1)
  }

  private func skipSpaces(_ bytes: borrowing Span<UInt8>, from begin: Int) -> Int {
    var index = begin
    while index < bytes.count && ASCII.isSpaceOrTab(Int(bytes[index])) { index += 1 }
    return index
  }

  private mutating func readBackslash(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int {
    let next = position + 1
    if hides(position, to: next, bytes) { return next }
    if let end = readBracketMath(bytes, at: position) { return end }
    if next < bytes.count {
      if bytes[next] == 0x0A {
        items.append(InlineItem(.hardBreak, position..<next + 1))
        return skipSpaces(bytes, from: next + 1)
      }
      if ASCII.isPunctuation(Int(bytes[next])) {
        items.append(InlineItem(.escapedText, next..<next + 1, begin: position))
        return next + 1
      }
    }
    items.append(InlineItem(.text, position..<next))
    return next
  }

  private mutating func readReference(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int {
    let limit = min(bytes.count, position + 34)
    var candidate: [UInt8] = []
    for index in position..<limit { candidate.append(bytes[index]) }
    guard let (text, end) = Escapes.reference(in: candidate, at: 0) else {
      if hides(position, to: referenceNameEnd(bytes, from: position + 1, limit: limit), bytes) {
        return bytes.count
      }
      items.append(InlineItem(.text, position..<position + 1))
      return position + 1
    }
    items.append(InlineItem(.replacedText, content.intern(text), begin: position))
    return position + end
  }

  /// The end of what may be the beginning of a reference.
  private func referenceNameEnd(_ bytes: borrowing Span<UInt8>, from begin: Int, limit: Int) -> Int {
    var index = begin
    while index < limit {
      let byte = Int(bytes[index])
      guard ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x23 else { break }
      index += 1
    }
    return index
  }

  // MARK: - Code spans

  private mutating func readCodeSpan(_ bytes: borrowing Span<UInt8>, at position: Int) -> Int {
    let contentBegin = runEnd(bytes, from: position)
    let length = contentBegin - position
    if hides(position, to: contentBegin, bytes) { return contentBegin }
    guard let closer = closingBackticks(bytes, length: length, from: contentBegin),
      !isUndecided(closer + length, bytes)
    else {
      if leavesOpen(position) {
        let end = contentEnd(bytes, from: contentBegin, before: UInt8(ascii: "`"))
        items.append(InlineItem(.openCode, contentBegin..<end, begin: position))
        return bytes.count
      }
      items.append(InlineItem(.text, position..<contentBegin))
      return contentBegin
    }
    items.append(InlineItem(.code, codeContent(bytes, contentBegin..<closer), begin: position))
    return closer + length
  }

  private func codeContent(_ bytes: borrowing Span<UInt8>, _ content: Range<Int>) -> Range<Int> {
    var range = content
    // One space at both ends is dropped, unless there is nothing else.
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x0A }
    if range.count >= 2 && isSpace(bytes[range.lowerBound]) && isSpace(bytes[range.upperBound - 1]) {
      var hasText = false
      for index in range where !isSpace(bytes[index]) {
        hasText = true
        break
      }
      if hasText { range = range.lowerBound + 1..<range.upperBound - 1 }
    }
    return range
  }

  private func runEnd(_ bytes: borrowing Span<UInt8>, from begin: Int) -> Int {
    var index = begin
    while index < bytes.count && bytes[index] == bytes[begin] { index += 1 }
    return index
  }

  private mutating func closingBackticks(
    _ bytes: borrowing Span<UInt8>, length: Int, from begin: Int
  ) -> Int? {
    if hasScannedBackticks, lastBackticks.place(ofLength: length) < begin { return nil }
    var index = begin
    defer { steps += index - begin }
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "`") else {
        index &+= 1
        continue
      }
      let end = runEnd(bytes, from: index)
      if end - index == length { return index }
      lastBackticks.note(index, length: end - index)
      index = end
    }
    hasScannedBackticks = true
    return nil
  }
}

/// Where the last run of backticks of each length begins.
struct BacktickRuns: Sendable {
  private struct Run {
    let length: Int
    var place: Int
  }

  /// The shorter ones come first: finding one takes no more steps than it has backticks.
  private var runs: [Run] = []

  /// The place of the last run of a length; -1 if there is none.
  func place(ofLength length: Int) -> Int {
    let index = index(ofLength: length)
    return index < runs.count && runs[index].length == length ? runs[index].place : -1
  }

  mutating func note(_ place: Int, length: Int) {
    let index = index(ofLength: length)
    if index < runs.count && runs[index].length == length {
      runs[index].place = place
    } else {
      runs.insert(Run(length: length, place: place), at: index)
    }
  }

  private func index(ofLength length: Int) -> Int {
    var index = 0
    while index < runs.count && runs[index].length < length { index += 1 }
    return index
  }

  mutating func removeAll() { runs.empty() }
}

/// A piece of a leaf's text, before the events are made.
struct InlineItem: Sendable {
  enum Kind: Sendable {
    case text, escapedText, replacedText, softBreak, hardBreak, code, html, footnoteReference
    case math, displayMath
    /// A run of delimiters: `payload` is the first of its matches, or -1.
    case delimiters
    /// The same, and what is left of the run is shown as if it closed at the end.
    case openDelimiters
    /// Code and math that have not closed, up to the end.
    case openCode, openMath, openDisplayMath
    /// An open bracket of what may become a link: its text is shown.
    case openLink
    /// Nothing is shown from here on: what may become an image.
    case hiddenRest
    case linkBegin, linkEnd, imageBegin, imageEnd
    /// The tags of a component.
    case componentBegin, componentEnd
    /// A whole component: its content is raw, or there is none.
    case component
    /// An open tag, and raw content: shown as if the component were closed at the end.
    case openComponent
    /// A link of its own text: an autolink; without a destination (`payload` is -1) where it may still grow.
    case autolink
  }

  var kind: Kind
  private var lower: UInt32
  private var upper: UInt32
  private let compactBegin: UInt32
  private var compactPayload: Int32

  /// Where the item begins in the text: before its `range`, where that is its content.
  var begin: Int { Int(compactBegin) }

  var payload: Int {
    get { Int(compactPayload) }
    set { compactPayload = Int32(newValue) }
  }

  /// A range of the text: the item's content.
  var range: Range<Int> {
    get { Int(lower)..<Int(upper) }
    set { (lower, upper) = (UInt32(newValue.lowerBound), UInt32(newValue.upperBound)) }
  }

  init(_ kind: Kind, _ range: Range<Int>, begin: Int? = nil, payload: Int = -1) {
    self.kind = kind
    (lower, upper) = (UInt32(range.lowerBound), UInt32(range.upperBound))
    compactBegin = UInt32(begin ?? range.lowerBound)
    compactPayload = Int32(payload)
  }
}
