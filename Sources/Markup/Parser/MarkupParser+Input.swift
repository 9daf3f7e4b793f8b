/// What `peek` says where there is no byte.
enum Peek {
  /// The line ends here: at a line ending, at the end of the input, or at a close tag that counts.
  static let lineEnd = -1
  /// The byte has not arrived.
  static let more = -2
}

/// The places that long scans have reached, so that a decision made again goes on instead of starting over.
/// Each is keyed by where its scan began.
struct ScanMemory {
  var indent = (begin: -1, column: 0, reached: 0, endColumn: 0)
  /// The last run of white space, of what may fill the rest of a line, of a directive's name, and of any other class: one
  /// decision may need one of each.
  private var spaces = Run()
  private var rest = Run()
  private var name = Run()
  private var run = Run()
  var delimiterRow: DelimiterRowScanner?
  var htmlTag: HTMLTagScanner?
  var openTag: OpenTagScanner?
  var unclosedBraces = UnclosedBraces()
  var mathLine: MathLineScanner?

  private struct Run {
    var begin = -1
    var byteClass = ByteClass.space
    var reached = 0
  }

  private subscript(byteClass: ByteClass) -> Run {
    get {
      switch byteClass {
      case .space: spaces
      case .info, .infoWithoutBacktick, .footnoteLabel: rest
      case .directiveName: name
      default: run
      }
    }
    set {
      switch byteClass {
      case .space: spaces = newValue
      case .info, .infoWithoutBacktick, .footnoteLabel: rest = newValue
      case .directiveName: name = newValue
      default: run = newValue
      }
    }
  }

  /// Where the scan of the run of a class that begins at `begin` goes on.
  func reached(_ byteClass: ByteClass, from begin: Int) -> Int {
    let run = self[byteClass]
    return run.begin == begin && run.byteClass == byteClass ? run.reached : begin
  }

  mutating func remember(_ byteClass: ByteClass, from begin: Int, reached: Int) {
    self[byteClass] = Run(begin: begin, byteClass: byteClass, reached: reached)
  }
}

/// The classes of bytes that lines are skipped by.
enum ByteClass {
  case space
  /// `=`, for a setext underline.
  case equals
  /// `-`, for a setext underline.
  case hyphen
  /// A thematic break's character, or space and tab.
  case asteriskOrSpace, hyphenOrSpace, underscoreOrSpace
  case backtick, tilde
  /// `:`, for a directive.
  case colon
  /// What a directive's name may be made of: letters, digits, `-`, `_`, and all that is not ASCII.
  case directiveName
  /// What a component's name is made of.
  case elementName
  /// A footnote's label: all but white space, control bytes and the closing bracket.
  case footnoteLabel
  /// All but line ends, and all but them and the backtick: an info string.
  case info, infoWithoutBacktick

  /// Whether a byte is of the class that is surely no line end, and so need not be peeked at: what is peeked at behind
  /// it tells how far a decision looked.
  @inline(__always)
  func plainlyContains(_ byte: UInt8) -> Bool {
    ASCII.isPrintable(byte) && byte != UInt8(ascii: "<") && contains(Int(byte))
  }

  /// Whether runs of it are often more than a few bytes: they are looked for 16 bytes at a time.
  @inline(__always)
  var isLong: Bool {
    switch self {
    case .backtick, .tilde, .info, .infoWithoutBacktick: true
    case .space, .equals, .hyphen, .asteriskOrSpace, .hyphenOrSpace, .underscoreOrSpace, .elementName,
      .footnoteLabel, .colon, .directiveName:
      false
    }
  }

  /// A bit for each of 16 bytes that a long class does not plainly contain, the first one's the lowest.
  @inline(__always)
  func others(of bytes: SIMD16<UInt8>) -> UInt16 {
    switch self {
    case .backtick: (bytes .!= .all("`")).bits
    case .tilde: (bytes .!= .all("~")).bits
    case .info: Self.notPlainInfo(bytes).bits
    case .infoWithoutBacktick: (Self.notPlainInfo(bytes) .| (bytes .== .all("`"))).bits
    case .space, .equals, .hyphen, .asteriskOrSpace, .hyphenOrSpace, .underscoreOrSpace, .elementName,
      .footnoteLabel, .colon, .directiveName:
      .max
    }
  }

  @inline(__always)
  private static func notPlainInfo(_ bytes: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    ((bytes &- .all(" ")) .>= .all(0x5F)) .| (bytes .== .all("<"))
  }

  @inline(__always)
  func contains(_ byte: Int) -> Bool {
    switch self {
    case .space: ASCII.isSpaceOrTab(byte)
    case .equals: byte == 0x3D
    case .hyphen: byte == 0x2D
    case .asteriskOrSpace: byte == 0x2A || ASCII.isSpaceOrTab(byte)
    case .hyphenOrSpace: byte == 0x2D || ASCII.isSpaceOrTab(byte)
    case .underscoreOrSpace: byte == 0x5F || ASCII.isSpaceOrTab(byte)
    case .backtick: byte == 0x60
    case .tilde: byte == 0x7E
    case .colon: byte == 0x3A
    case .directiveName:
      ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x5F || byte >= 0x80
    case .elementName: OpenTagScanner.isName(byte)
    case .footnoteLabel: byte > 0x20 && byte != 0x5D
    case .info: byte >= 0
    case .infoWithoutBacktick: byte >= 0 && byte != 0x60
    }
  }
}

extension MarkupParser {
  @inline(__always)
  var total: Int { input.total }
  @inline(__always)
  var available: Int { input.available }

  /// The byte at an offset that has arrived.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { input[offset] }

  /// The byte at `offset`, `Peek.lineEnd` or `Peek.more`. A line ending is seen only once it is known where
  /// it ends: CR waits for the byte after it.
  @inline(__always)
  mutating func rawPeek(_ offset: Int) -> Int {
    guard offset < available else {
      if !isFinishing { return Peek.more }
      reach = total + 1
      return Peek.lineEnd
    }
    let byte = input[offset]
    guard ASCII.isPrintable(byte) || byte == 0x0A else { return peekOther(offset, byte) }
    reach = max(reach, offset + 1)
    return byte == 0x0A ? Peek.lineEnd : Int(byte)
  }

  /// As `rawPeek`, where the byte is no ASCII, or a control byte but no line feed.
  private mutating func peekOther(_ offset: Int, _ byte: UInt8) -> Int {
    if byte >= 0x80 { return peekCharacter(offset) }
    if byte == 0x0D { return peekCarriageReturn(offset) }
    reach = max(reach, offset + 1)
    return Int(byte)
  }

  private mutating func peekCarriageReturn(_ offset: Int) -> Int {
    if offset + 1 < total {
      reach = max(reach, offset + 2)
    } else {
      if !isFinishing { return Peek.more }
      reach = total + 1
    }
    return Peek.lineEnd
  }

  /// A byte of a non-ASCII character counts as seen when the whole character is.
  private mutating func peekCharacter(_ offset: Int) -> Int {
    reach = max(reach, input.characterEnd(at: offset).decidedAt)
    return Int(input[offset])
  }

  /// As `rawPeek`, but a close tag of an open component that counts on this line is a line end, too.
  @inline(__always)
  mutating func peek(_ offset: Int) -> Int {
    let byte = rawPeek(offset)
    if byte == 0x3C && line.closableComponents > 0 { return peekCloseTag(offset) }
    return byte
  }

  private mutating func peekCloseTag(_ offset: Int) -> Int {
    switch closeTag(at: offset) {
    case .none: 0x3C
    case .undecided: Peek.more
    case .tag: Peek.lineEnd
    }
  }

  /// The end of the run of bytes of a class that begins at `begin`; `nil` if it may go on.
  ///
  /// - Complexity: O(bytes that have come since it was asked last for the same run).
  @inline(__always)
  mutating func runEnd(_ class: ByteClass, from begin: Int) -> Int? {
    var offset = memory.reached(`class`, from: begin)
    while true {
      let first = offset
      offset =
        `class`.isLong
        ? input.runEnd(from: offset, others: { `class`.others(of: $0) })
        : input.runEnd(from: offset) { `class`.plainlyContains($0) }
      steps += offset - first
      let byte = peek(offset)
      if byte == Peek.more {
        memory.remember(`class`, from: begin, reached: offset)
        return nil
      }
      steps += 1
      guard `class`.contains(byte) else { return offset }
      offset += 1
    }
  }

  /// As `runEnd` of white space, which mostly is one space or none.
  @inline(__always)
  mutating func spaceEnd(from begin: Int) -> Int? {
    if begin + 1 < available {
      if ASCII.isGraphic(byte(at: begin)) { return begin }
      if byte(at: begin) == 0x20 && ASCII.isGraphic(byte(at: begin + 1)) { return begin + 1 }
    }
    return runEnd(.space, from: begin)
  }

  /// The end of the white space at `cursor` and the column there; `nil` if it may go on.
  @inline(__always)
  mutating func indentEnd() -> (offset: Int, column: Int)? {
    // Mostly there is none.
    guard cursor < available, ASCII.isGraphic(byte(at: cursor)) else { return scannedIndentEnd() }
    return (cursor, line.column)
  }

  private mutating func scannedIndentEnd() -> (offset: Int, column: Int)? {
    var offset = cursor
    var column = line.column
    if memory.indent.begin == cursor && memory.indent.column == column {
      offset = memory.indent.reached
      column = memory.indent.endColumn
    }
    while true {
      let byte = peek(offset)
      if byte == 0x20 {
        column += 1
      } else if byte == 0x09 {
        column += 4 - column % 4
      } else if byte == Peek.more {
        memory.indent = (cursor, line.column, offset, column)
        return nil
      } else {
        return (offset, column)
      }
      steps += 1
      offset += 1
    }
  }
}
