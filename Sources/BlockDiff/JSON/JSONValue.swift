/// UTF-8 text that compares and hashes by its bytes, never by canonical equivalence as `String` does
/// (identity.md §2).
package struct ByteString: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package var utf8: [UInt8]

  package init(_ utf8: [UInt8]) { self.utf8 = utf8 }
  package init(_ string: String) { utf8 = Array(string.utf8) }
  package init(stringLiteral literal: String) { self.init(literal) }

  package var description: String { String(decoding: utf8, as: UTF8.self) }
}

/// A JSON value that was read.
package enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  case fraction(Double)
  case string(ByteString)
  case array([JSONValue])
  /// The members in the order of the text; no name comes twice.
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: ByteString
    package var value: JSONValue

    package init(name: ByteString, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The member `name` of an object, if this is one that has it.
  package subscript(name: ByteString) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var string: ByteString? { if case .string(let value) = self { value } else { nil } }
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
}

/// Why a text is no JSON; the offsets are bytes from its start.
package enum JSONError: Error, Equatable, Sendable {
  case unexpectedByte(offset: Int)
  case unexpectedEnd
  case repeatedName(ByteString, offset: Int)
  /// Arrays and objects in one another, deeper than `JSONReader.depthLimit`.
  case tooDeep(offset: Int)
  case malformedEscape(offset: Int)
  case malformedNumber(offset: Int)
}
