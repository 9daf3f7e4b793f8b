/// The grammar of directives: `name[label]{attributes}` behind one or more colons.
///
/// CommonMark has none; this is what the "generic directives" proposal became in micromark's extension for it. A name is
/// anything but white space and punctuation, and `-` and `_` but at its end. Brackets in a label are balanced or escaped.
/// Attributes are `#id`, `.class`, `name`, `name=value`, `name="value"`.
///
/// Blocks are read as whole lines, text as far as it goes: each function says where its text ends in something.
enum DirectiveSyntax {
  /// How far a part of a directive goes.
  enum Part: Equatable {
    /// To this index, which is behind it.
    case complete(end: Int)
    /// The text ends in it.
    case cut
    /// There is none.
    case none
  }

  /// The most brackets in one another that a label may have, as for the parentheses of a link's destination.
  private static let maxBrackets = 32

  /// The end of what may be a name, which is the text's end where it may go on, and whether it is one.
  static func name(in bytes: borrowing Span<UInt8>, from begin: Int) -> (end: Int, isName: Bool) {
    var end = begin
    while end < bytes.count && (isPlain(bytes, at: end) || (end > begin && isHyphen(bytes[end]))) {
      end += characterLength(bytes, at: end)
    }
    return (end, end > begin && !isHyphen(bytes[end - 1]))
  }

  /// The label that begins with the bracket at `bracket`.
  static func label(in bytes: borrowing Span<UInt8>, at bracket: Int) -> Part {
    var depth = 0
    var index = bracket + 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "["):
        depth += 1
        if depth > maxBrackets { return .none }
      case UInt8(ascii: "]"):
        if depth == 0 { return .complete(end: index + 1) }
        depth -= 1
      case UInt8(ascii: "\\"): index += 1
      default: break
      }
      index += 1
    }
    return .cut
  }

  /// A directive that is all of the text, but for white space at its end.
  static func directive(in bytes: borrowing Span<UInt8>) -> Directive? {
    let (nameEnd, isName) = name(in: bytes, from: 0)
    guard isName else { return nil }
    var result = Directive(name: 0..<nameEnd)
    var end = nameEnd
    if end < bytes.count && bytes[end] == UInt8(ascii: "[") {
      guard case .complete(let labelEnd) = label(in: bytes, at: end) else { return nil }
      result.label = end + 1..<labelEnd - 1
      end = labelEnd
    }
    if end < bytes.count && bytes[end] == UInt8(ascii: "{") {
      guard case .complete(let attributesEnd) = result.attributes.read(bytes, at: end) else { return nil }
      end = attributesEnd
    }
    while end < bytes.count {
      guard ASCII.isSpaceOrTab(Int(bytes[end])) else { return nil }
      end += 1
    }
    return result
  }

  /// Whether the character is neither white space nor punctuation.
  fileprivate static func isPlain(_ bytes: borrowing Span<UInt8>, at index: Int) -> Bool {
    Flanking.after(index, in: bytes) == .other
  }

  fileprivate static func isHyphen(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// The length of the character at `index`; the text is well-formed.
  fileprivate static func characterLength(_ bytes: borrowing Span<UInt8>, at index: Int) -> Int {
    let first = bytes[index]
    return first < 0x80 ? 1 : min(first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4, bytes.count - index)
  }
}

/// What a directive says: ranges of the text that it stands in.
struct Directive {
  var name: Range<Int>
  /// Without the brackets.
  var label: Range<Int>?
  var attributes = DirectiveAttributes()

  init(name: Range<Int>) { self.name = name }
}

/// A directive's attributes, as they are written.
struct DirectiveAttributes {
  private enum Kind { case id, classes, named }

  private struct Written {
    var kind: Kind
    var name: Range<Int>
    var value: Range<Int>?
  }

  private var list: [Written] = []

  /// Reads the attributes that begin with the brace at `brace`.
  mutating func read(_ bytes: borrowing Span<UInt8>, at brace: Int) -> DirectiveSyntax.Part {
    var index = brace + 1
    while index < bytes.count {
      let byte = bytes[index]
      let part: DirectiveSyntax.Part
      switch byte {
      case UInt8(ascii: "}"): return .complete(end: index + 1)
      case 0x20, 0x09, 0x0A:
        index += 1
        continue
      case UInt8(ascii: "#"): part = readShortcut(.id, bytes, at: index)
      case UInt8(ascii: "."): part = readShortcut(.classes, bytes, at: index)
      default:
        guard DirectiveSyntax.isPlain(bytes, at: index) || DirectiveSyntax.isHyphen(byte) else {
          return .none
        }
        part = readNamed(bytes, at: index)
      }
      guard case .complete(let end) = part else { return part }
      index = end
    }
    return .cut
  }

  /// `#id` or `.class`, which another may follow at once.
  private mutating func readShortcut(
    _ kind: Kind, _ bytes: borrowing Span<UInt8>, at mark: Int
  ) -> DirectiveSyntax.Part {
    var index = mark + 1
    scan: while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "#"), UInt8(ascii: "."), UInt8(ascii: "}"), 0x20, 0x09, 0x0A: break scan
      case let byte where Self.isExcluded(byte): return .none
      default: index += 1
      }
    }
    guard index < bytes.count else { return .cut }
    guard index > mark + 1 else { return .none }
    list.append(Written(kind: kind, name: mark..<mark, value: mark + 1..<index))
    return .complete(end: index)
  }

  private mutating func readNamed(_ bytes: borrowing Span<UInt8>, at begin: Int) -> DirectiveSyntax.Part {
    var end = begin
    while end < bytes.count && Self.isInName(bytes, at: end) {
      end += DirectiveSyntax.characterLength(bytes, at: end)
    }
    list.append(Written(kind: .named, name: begin..<end))
    let equals = bytes.whitespaceEnd(from: end)
    guard equals < bytes.count else { return .cut }
    guard bytes[equals] == UInt8(ascii: "=") else { return .complete(end: equals) }
    return readValue(bytes, at: bytes.whitespaceEnd(from: equals + 1))
  }

  private mutating func readValue(_ bytes: borrowing Span<UInt8>, at begin: Int) -> DirectiveSyntax.Part {
    guard begin < bytes.count else { return .cut }
    let quote = bytes[begin]
    var index = begin
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      index += 1
      while index < bytes.count && bytes[index] != quote { index += 1 }
      guard index + 1 < bytes.count else { return .cut }
      list[list.count - 1].value = begin + 1..<index
      let next = bytes[index + 1]
      return next == UInt8(ascii: "}") || ASCII.isWhitespace(next) ? .complete(end: index + 1) : .none
    }
    while index < bytes.count && bytes[index] != UInt8(ascii: "}") && !ASCII.isWhitespace(bytes[index]) {
      if Self.isExcluded(bytes[index]) { return .none }
      index += 1
    }
    guard index < bytes.count else { return .cut }
    guard index > begin else { return .none }
    list[list.count - 1].value = begin..<index
    return .complete(end: index)
  }

  /// Whether a byte may stand in no value without quotes.
  private static func isExcluded(_ byte: UInt8) -> Bool {
    HTMLTagScanner.isExcludedFromBareValue(Int(byte)) || byte == UInt8(ascii: ">")
  }

  private static func isInName(_ bytes: borrowing Span<UInt8>, at index: Int) -> Bool {
    let byte = bytes[index]
    return DirectiveSyntax.isPlain(bytes, at: index) || DirectiveSyntax.isHyphen(byte)
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
  }

  /// The attributes in order. Classes add up; of other equal names the last one's value counts.
  func values(in bytes: borrowing Span<UInt8>) -> [ComponentAttribute] {
    var result: [ComponentAttribute] = []
    var places: [[UInt8]: Int] = [:]
    for written in list {
      let name =
        switch written.kind {
        case .id: Array("id".utf8)
        case .classes: Array("class".utf8)
        case .named: Array(copying: bytes.extracting(written.name))
        }
      let value = written.value.map { Escapes.referencesResolved(in: Array(copying: bytes.extracting($0))) }
      guard let place = places[name] else {
        places[name] = result.count
        result.append(ComponentAttribute(name: name, value: value))
        continue
      }
      if name == Array("class".utf8), let earlier = result[place].value, !earlier.isEmpty {
        result[place].value = earlier + [0x20] + (value ?? [])
      } else {
        result[place].value = value
      }
    }
    return result
  }
}
