/// The fields that only some types have, by mdast's names. An attribute of a component is an `attribute` and,
/// unless its value is `true`, a `value` after it.
enum FieldName: UInt8 {
  case depth, directiveLabel, fenced, lang, meta, alert, ordered, start, spread, checked, align, header
  case identifier, label, url, title, name, content, attribute, value
}

/// A block's fields as bytes: for each its name, the length of its value in four bytes, and its value.
///
/// Two blocks of a type have the same fields exactly if these bytes are equal.
struct FieldList {
  private static let headerBytes = 5

  struct Field: Equatable {
    var name: FieldName
    var value: [UInt8]
  }

  var fields: [Field] = []

  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while rest.count >= Self.headerBytes, let tag = rest.first, let name = FieldName(rawValue: tag) {
      var length = 0
      for byte in rest.dropFirst().prefix(4).reversed() { length = length << 8 | Int(byte) }
      rest = rest.dropFirst(Self.headerBytes)
      fields.append(Field(name: name, value: Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
  }

  subscript(name: FieldName) -> [UInt8]? { fields.first { $0.name == name }?.value }

  var bytes: [UInt8] {
    var result: [UInt8] = []
    for field in fields {
      let place = Self.appendHeader(field.name, to: &result)
      result += field.value
      Self.close(place, in: &result)
    }
    return result
  }

  /// Sets a field to a new value, at its place by name where it was absent.
  mutating func set(_ field: Field) {
    if let place = fields.firstIndex(where: { $0.name == field.name }) {
      fields[place] = field
    } else {
      let place = fields.firstIndex { $0.name.rawValue > field.name.rawValue } ?? fields.count
      fields.insert(field, at: place)
    }
  }

  /// Adds a field whose value is one digit, as most are.
  static func append(_ name: FieldName, digit: UInt8, to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: headerBytes + 1) { output in
      output.append(name.rawValue)
      output.append(1)
      output.append(repeating: 0, count: headerBytes - 2)
      output.append(UInt8(ascii: "0") + digit)
    }
  }

  /// Begins a field; its value's bytes follow. Answers where its length is.
  static func appendHeader(_ name: FieldName, to bytes: inout [UInt8]) -> Int {
    bytes.append(addingCapacity: headerBytes) { output in
      output.append(name.rawValue)
      output.append(repeating: 0, count: headerBytes - 1)
    }
    return bytes.count - 4
  }

  /// Ends the field whose length is at `place`.
  static func close(_ place: Int, in bytes: inout [UInt8]) {
    var length = bytes.count - place - 4
    for index in 0..<4 {
      bytes[place + index] = UInt8(truncatingIfNeeded: length)
      length >>= 8
    }
  }

  var description: String {
    fields.map { field in
      let value =
        switch field.name {
        case .directiveLabel, .fenced, .ordered, .spread, .checked, .header:
          field.value == [UInt8(ascii: "1")] ? "true" : "false"
        case .depth, .start: String(decoding: field.value, as: UTF8.self)
        case .align: "\(field.value)"
        case .lang, .meta, .alert, .identifier, .label, .url, .title, .name, .content, .attribute, .value:
          SourceLiteral.quoted(field.value)
        }
      return " \(field.name)=\(value)"
    }.joined()
  }
}
