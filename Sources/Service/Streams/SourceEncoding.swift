import StreamStore

/// How a stream's bytes go into answers, by its content type.
enum SourceEncoding: Equatable {
  /// As they are; in events as lines of text.
  case text
  /// As they are; in events as base64.
  case binary
  /// Lines, each a message, as one array.
  case json

  init(_ configuration: StreamConfiguration) {
    if configuration.isJSON {
      self = .json
    } else {
      self = configuration.mediaType.hasPrefix("text/") ? .text : .binary
    }
  }

  /// Writes the `data:` lines of an event. The space that may come after the colon is left out, but before a line that
  /// begins with one: readers take one away.
  func writeData(_ bytes: [UInt8], to event: inout [UInt8]) {
    switch self {
    case .text: Self.writeLines(of: bytes, to: &event)
    case .binary:
      event.append(contentsOf: Self.data)
      Base64.append(bytes, to: &event)
      event.append(0x0A)
    case .json:
      event.append(contentsOf: Self.arrayBegin)
      for (place, line) in bytes.split(separator: 0x0A).enumerated() {
        if place > 0 { event.append(contentsOf: Self.comma) }
        event.append(contentsOf: Self.data)
        event.append(contentsOf: line)
      }
      event.append(contentsOf: Self.arrayEnd)
    }
  }

  private static let data = Array("data:".utf8)
  private static let arrayBegin = Array("data:[\n".utf8)
  private static let comma = Array(",\n".utf8)
  private static let arrayEnd = Array("\ndata:]\n".utf8)

  /// Each line after a field name, so that no line of the source can be read as a field or as an event's end.
  private static func writeLines(of bytes: [UInt8], to event: inout [UInt8]) {
    var start = 0
    var index = 0
    while true {
      while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
      event.append(contentsOf: data)
      if index > start, bytes[start] == 0x20 { event.append(0x20) }
      event.append(contentsOf: bytes[start..<index])
      event.append(0x0A)
      if index == bytes.count { return }
      index += bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
      start = index
    }
  }

  /// How many of a text's bytes an event can hold: without the beginning of a character that goes on in what comes
  /// later, at most three bytes.
  static func wholeText(_ bytes: [UInt8]) -> Int {
    for back in 1...3 where back <= bytes.count {
      let byte = bytes[bytes.count - back]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 && byte < 0xF5 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1
      return byte < 0xF5 && length > back ? bytes.count - back : bytes.count
    }
    return bytes.count
  }
}

/// Base64 (RFC 4648 §4).
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Appends the text of bytes, with its padding.
  static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
    output.reserveCapacity(output.count + (bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var word = UInt32(bytes[index]) << 16
      if count > 1 { word |= UInt32(bytes[index + 1]) << 8 }
      if count > 2 { word |= UInt32(bytes[index + 2]) }
      for place in 0..<4 {
        let isPadding = place > count
        output.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(word >> (18 - 6 * UInt32(place)) & 63)])
      }
      index += count
    }
  }
}
