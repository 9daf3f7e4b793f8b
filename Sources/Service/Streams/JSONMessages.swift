/// The messages of a JSON stream (Durable Streams 1.0 §9.1), as they are stored: each a line, that is a JSON text without
/// white space between its tokens and with a line feed after it (Decision 0001).
///
/// Text is checked against RFC 8259 byte by byte, without recursion and without making values of it.
struct JSONMessages {
  /// The most arrays and objects in one another (RFC 8259 §9 leaves it open): readers' parsers recurse.
  static let maxDepth = 1000

  private let input: [UInt8]
  private var position = 0
  private var output: [UInt8] = []
  /// The brackets that are open, by their closing bytes.
  private var open: [UInt8] = []

  private init(_ input: [UInt8]) {
    self.input = input
    output.reserveCapacity(input.count + 1)
  }

  /// The lines of a request's content: one for each element of an array, one for any other value. None of an empty
  /// array; `nil` where the content is no JSON text.
  static func lines(of content: [UInt8]) -> [UInt8]? {
    guard String(validating: content, as: UTF8.self) != nil else { return nil }
    var messages = JSONMessages(content)
    return messages.read() ? messages.output : nil
  }

  private mutating func read() -> Bool {
    skipWhiteSpace()
    guard position < input.count else { return false }
    if input[position] == UInt8(ascii: "[") {
      position += 1
      skipWhiteSpace()
      if !skip(UInt8(ascii: "]")) {
        repeat {
          guard message() else { return false }
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { return false }
      }
    } else {
      guard message() else { return false }
    }
    skipWhiteSpace()
    return position == input.count
  }

  private mutating func message() -> Bool {
    guard value() else { return false }
    output.append(0x0A)
    skipWhiteSpace()
    return true
  }

  // MARK: - Values

  /// Reads a value with all that is in it.
  private mutating func value() -> Bool {
    while true {
      skipWhiteSpace()
      guard position < input.count else { return false }
      switch input[position] {
      case UInt8(ascii: "{"):
        guard enter(UInt8(ascii: "}")) else { return false }
        if !leave() {
          guard name() else { return false }
          continue
        }
      case UInt8(ascii: "["):
        guard enter(UInt8(ascii: "]")) else { return false }
        if !leave() { continue }
      case UInt8(ascii: "\""): if !string() { return false }
      case UInt8(ascii: "t"): if !word("true") { return false }
      case UInt8(ascii: "f"): if !word("false") { return false }
      case UInt8(ascii: "n"): if !word("null") { return false }
      default: if !number() { return false }
      }
      // What comes after a value: more of what it is in, or the end of that, which is a value, too.
      repeat {
        if open.isEmpty { return true }
        skipWhiteSpace()
      } while leave()
      guard skip(UInt8(ascii: ",")) else { return false }
      output.append(UInt8(ascii: ","))
      if open.last == UInt8(ascii: "}"), !name() { return false }
    }
  }

  private mutating func enter(_ close: UInt8) -> Bool {
    output.append(input[position])
    position += 1
    open.append(close)
    skipWhiteSpace()
    return open.count <= Self.maxDepth
  }

  /// Ends the innermost array or object, if its end is here.
  private mutating func leave() -> Bool {
    guard let close = open.last, skip(close) else { return false }
    output.append(close)
    open.removeLast()
    return true
  }

  /// Reads a member's name and its colon.
  private mutating func name() -> Bool {
    skipWhiteSpace()
    guard string() else { return false }
    skipWhiteSpace()
    guard skip(UInt8(ascii: ":")) else { return false }
    output.append(UInt8(ascii: ":"))
    return true
  }

  // MARK: - Tokens

  private mutating func string() -> Bool {
    let start = position
    guard skip(UInt8(ascii: "\"")) else { return false }
    while position < input.count {
      let byte = input[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        output.append(contentsOf: input[start..<position])
        return true
      case UInt8(ascii: "\\"): if !escape() { return false }
      case 0..<0x20: return false
      default: break
      }
    }
    return false
  }

  private mutating func escape() -> Bool {
    guard position < input.count else { return false }
    let byte = input[position]
    position += 1
    guard byte == UInt8(ascii: "u") else { return Self.escapes.contains(byte) }
    guard position + 4 <= input.count else { return false }
    for _ in 0..<4 {
      switch input[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        position += 1
      default: return false
      }
    }
    return true
  }

  private static let escapes = Array("\"\\/bfnrt".utf8)

  private mutating func word(_ word: StaticString) -> Bool {
    let start = position
    for byte in word.description.utf8 where !skip(byte) { return false }
    output.append(contentsOf: input[start..<position])
    return true
  }

  private mutating func number() -> Bool {
    let start = position
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")), !digits() { return false }
    if skip(UInt8(ascii: ".")), !digits() { return false }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
      if !digits() { return false }
    }
    output.append(contentsOf: input[start..<position])
    return true
  }

  private mutating func digits() -> Bool {
    let start = position
    while position < input.count, input[position] >= 0x30, input[position] <= 0x39 { position += 1 }
    return position > start
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard position < input.count, input[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while position < input.count, [0x20, 0x09, 0x0A, 0x0D].contains(input[position]) { position += 1 }
  }
}

extension JSONMessages {
  /// The array of the messages that lines hold.
  static func array(ofLines lines: [UInt8]) -> [UInt8] {
    var array: [UInt8] = []
    array.reserveCapacity(lines.count + 2)
    array.append(UInt8(ascii: "["))
    for byte in lines.dropLast() { array.append(byte == 0x0A ? UInt8(ascii: ",") : byte) }
    array.append(UInt8(ascii: "]"))
    return array
  }
}
