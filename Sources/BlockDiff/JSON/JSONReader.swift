/// Reads JSON (RFC 8259) from bytes, strictly: one value, no repeated names, nothing after it.
///
/// It exists so that the reference client needs no Foundation and compares text by bytes. Strings are taken
/// to be well-formed UTF-8.
package struct JSONReader {
  /// The most arrays and objects in one another: the wire's deepest, an op's attributes in a diff, has four.
  package static let depthLimit = 64

  private let input: [UInt8]
  private var position = 0

  private init(_ input: [UInt8]) { self.input = input }

  /// The value that `input` holds.
  ///
  /// - Throws: what is wrong with it, and where.
  package static func value(of input: [UInt8]) throws(JSONError) -> JSONValue {
    var reader = JSONReader(input)
    let value = try reader.value(depth: 0)
    reader.skipWhiteSpace()
    guard reader.position == input.count else { throw .unexpectedByte(offset: reader.position) }
    return value
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    skipWhiteSpace()
    switch try peek() {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < Self.depthLimit else { throw .tooDeep(offset: position) }
    position += 1
    var members: [JSONValue.Member] = []
    skipWhiteSpace()
    if try skip(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipWhiteSpace()
      let start = position
      guard try peek() == UInt8(ascii: "\"") else { throw .unexpectedByte(offset: position) }
      let name = try string()
      if members.contains(where: { $0.name == name }) { throw .repeatedName(name, offset: start) }
      skipWhiteSpace()
      guard try skip(UInt8(ascii: ":")) else { throw .unexpectedByte(offset: position) }
      members.append(JSONValue.Member(name: name, value: try value(depth: depth + 1)))
      skipWhiteSpace()
    } while try skip(UInt8(ascii: ","))
    guard try skip(UInt8(ascii: "}")) else { throw .unexpectedByte(offset: position) }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < Self.depthLimit else { throw .tooDeep(offset: position) }
    position += 1
    var values: [JSONValue] = []
    skipWhiteSpace()
    if try skip(UInt8(ascii: "]")) { return .array(values) }
    repeat {
      values.append(try value(depth: depth + 1))
      skipWhiteSpace()
    } while try skip(UInt8(ascii: ","))
    guard try skip(UInt8(ascii: "]")) else { throw .unexpectedByte(offset: position) }
    return .array(values)
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for byte in word.description.utf8 where try !skip(byte) { throw .unexpectedByte(offset: position) }
    return value
  }

  private mutating func string() throws(JSONError) -> ByteString {
    position += 1
    var bytes: [UInt8] = []
    var runStart = position
    while true {
      let byte = try peek()
      if byte == UInt8(ascii: "\"") { break }
      if byte < 0x20 { throw .unexpectedByte(offset: position) }
      guard byte == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      bytes.append(contentsOf: input[runStart..<position])
      position += 1
      try escape(into: &bytes)
      runStart = position
    }
    bytes.append(contentsOf: input[runStart..<position])
    position += 1
    return ByteString(bytes)
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(JSONError) {
    let start = position - 1
    let byte = try peek()
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if code & 0xFC00 == 0xD800 {
        guard try skip(UInt8(ascii: "\\")), try skip(UInt8(ascii: "u")) else {
          throw .malformedEscape(offset: start)
        }
        let low = try hexadecimal()
        guard low & 0xFC00 == 0xDC00 else { throw .malformedEscape(offset: start) }
        code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF)
      }
      guard let scalar = Unicode.Scalar(code) else { throw .malformedEscape(offset: start) }
      bytes.append(contentsOf: String(Character(scalar)).utf8)
    default: throw .malformedEscape(offset: start)
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      let byte = try peek()
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 128 else {
        throw .malformedEscape(offset: position)
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    var isInteger = true
    scan: while position < input.count {
      switch input[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"): isInteger = false
      default: break scan
      }
      position += 1
    }
    guard position > start else { throw .unexpectedByte(offset: start) }
    let digits = String(decoding: input[start..<position], as: UTF8.self)
    if isInteger, let number = Int(digits) { return .integer(number) }
    guard let number = Double(digits) else { throw .malformedNumber(offset: start) }
    return .fraction(number)
  }

  // MARK: - Bytes

  private func peek() throws(JSONError) -> UInt8 {
    guard position < input.count else { throw .unexpectedEnd }
    return input[position]
  }

  private mutating func skip(_ byte: UInt8) throws(JSONError) -> Bool {
    guard try peek() == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while position < input.count {
      switch input[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }
}
