/// Field lines in the order they came, looked up without regard to case.
///
/// Names and values are ranges of one byte buffer, so a head of many fields costs two allocations. In a
/// request that buffer is the head as received.
package struct Fields: Sendable {
  /// One field line's place in `bytes`.
  struct Entry: Equatable, Sendable {
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    var valueEnd: UInt32

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
  }

  private(set) var bytes: [UInt8]
  private(set) var entries: [Entry]

  /// No fields.
  package init() {
    bytes = []
    entries = []
  }

  /// The fields of a head that was parsed; `entries` are ranges of `bytes`.
  init(bytes: [UInt8], entries: [Entry]) {
    self.bytes = bytes
    self.entries = entries
  }

  /// How many field lines there are.
  package var count: Int { entries.count }

  /// The value of the first field with this name, or `nil`. `name` is in small letters.
  ///
  /// - Complexity: O(`count`).
  package subscript(_ name: StaticString) -> ArraySlice<UInt8>? {
    for entry in entries where matches(entry, name) { return bytes[entry.value] }
    return nil
  }

  /// The value of the first field with this name as text, bytes that are no UTF-8 replaced.
  package func string(_ name: StaticString) -> String? {
    self[name].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The values of all fields with this name, in order. `name` is in small letters.
  ///
  /// - Complexity: O(`count`).
  package func all(_ name: StaticString) -> [ArraySlice<UInt8>] {
    entries.filter { matches($0, name) }.map { bytes[$0.value] }
  }

  /// All values of a list field as one (RFC 9110 §5.3), or `nil` where the field is absent.
  package func combined(_ name: StaticString) -> String? {
    let values = all(name)
    guard !values.isEmpty else { return nil }
    return values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
  }

  /// Whether there is a field with this name. `name` is in small letters.
  package func contains(_ name: StaticString) -> Bool { self[name] != nil }

  /// Whether a field's name begins with this text, which is in small letters.
  ///
  /// - Complexity: O(`count`).
  package func containsName(prefix: StaticString) -> Bool {
    let length = prefix.utf8CodeUnitCount
    for entry in entries where entry.name.count > length {
      let start = entry.name.lowerBound
      if bytes.span.extracting(start..<start + length).equalsIgnoringCase(prefix) { return true }
    }
    return false
  }

  /// All fields in order, as text.
  package var lines: [(name: String, value: String)] {
    entries.map {
      (String(decoding: bytes[$0.name], as: UTF8.self), String(decoding: bytes[$0.value], as: UTF8.self))
    }
  }

  private func matches(_ entry: Entry, _ name: StaticString) -> Bool {
    guard entry.name.count == name.utf8CodeUnitCount else { return false }
    return bytes.span.extracting(entry.name).equalsIgnoringCase(name)
  }

  // MARK: - Building

  /// Makes room for so many bytes and lines more, so that fields that begin as others do are copied once.
  package mutating func reserve(bytes count: Int, lines: Int) {
    bytes.reserveCapacity(bytes.count + count)
    entries.reserveCapacity(entries.count + lines)
  }

  /// Adds a field. Bytes that no field value may hold become spaces, so that no value can end its line.
  ///
  /// The server writes `Date`, `Connection`, `Content-Length` and `Transfer-Encoding`; they are not added here.
  package mutating func append(_ name: StaticString, _ value: some Sequence<UInt8>) {
    let nameStart = UInt32(bytes.count)
    bytes.append(name)
    let nameEnd = UInt32(bytes.count)
    bytes.append(": ")
    let valueStart = bytes.count
    bytes.append(contentsOf: value)
    for index in valueStart..<bytes.count where !ByteClass.isFieldValue(bytes[index]) {
      bytes[index] = ByteClass.space
    }
    entries.append(
      Entry(
        nameStart: nameStart, nameEnd: nameEnd, valueStart: UInt32(valueStart),
        valueEnd: UInt32(bytes.count)))
    bytes.append("\r\n")
  }

  /// As above, for what the hot path has: a generic is slow from another target.
  package mutating func append(_ name: StaticString, _ value: [UInt8]) {
    let start = bytes.count
    bytes.append(name)
    bytes.append(": ")
    let valueStart = bytes.count
    bytes.append(contentsOf: value)
    for index in valueStart..<bytes.count where !ByteClass.isFieldValue(bytes[index]) {
      bytes[index] = ByteClass.space
    }
    entries.append(
      Entry(
        nameStart: UInt32(start), nameEnd: UInt32(valueStart - 2), valueStart: UInt32(valueStart),
        valueEnd: UInt32(bytes.count)))
    bytes.append("\r\n")
  }

  /// Adds a field whose value is text.
  package mutating func append(_ name: StaticString, _ value: String) {
    append(name, value.utf8)
  }

  /// Adds a field whose value is a number in decimal digits.
  package mutating func append(_ name: StaticString, _ value: Int) {
    append(name, String(value).utf8)
  }
}

extension Fields: Equatable {
  /// Whether both have the same lines in the same order; names are compared as sent.
  package static func == (one: Fields, other: Fields) -> Bool {
    one.entries.count == other.entries.count
      && zip(one.entries, other.entries).allSatisfy {
        one.bytes[$0.name] == other.bytes[$1.name] && one.bytes[$0.value] == other.bytes[$1.value]
      }
  }
}

extension Fields: ExpressibleByDictionaryLiteral {
  /// Fields from literal names and values, in order.
  package init(dictionaryLiteral elements: (StaticString, String)...) {
    self.init()
    for (name, value) in elements { append(name, value) }
  }
}
