import Markup

/// Writes JSON (RFC 8259) straight into bytes.
///
/// It keeps no structure: whoever writes an object writes its braces and commas. Text comes as UTF-8, is
/// well-formed because the parser made it so, and is copied in runs between the bytes that need an escape.
package struct JSONWriter: Sendable {
  /// What has been written.
  package var bytes: [UInt8]

  /// - Parameter capacity: the number of bytes to make room for.
  package init(capacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Writes bytes as they are.
  package mutating func write(_ fragment: JSONFragment) {
    bytes.append(contentsOf: fragment.bytes)
  }

  /// Writes one byte as it is.
  mutating func write(_ byte: UInt8) { bytes.append(byte) }

  /// Writes a number that is not negative.
  package mutating func write(_ number: Int) { bytes.appendDecimal(number) }

  /// Writes a number that is not negative, rounded to so many decimals, of which there are at most nine.
  package mutating func write(_ number: Double, decimals: Int) {
    precondition(number >= 0 && (0...9).contains(decimals))
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    // A half up, and not by `rounded()`: that would be the one thing here that needs the C library's mathematics.
    let (whole, rest) = Int(number * Double(scale) + 0.5).quotientAndRemainder(dividingBy: scale)
    write(whole)
    if decimals == 0 { return }
    write(UInt8(ascii: "."))
    // The 1 in front keeps the zeros.
    var digits: [UInt8] = []
    digits.appendDecimal(scale + rest)
    bytes.append(contentsOf: digits.dropFirst())
  }

  /// Writes `true` or `false`.
  package mutating func write(_ flag: Bool) { write(flag ? .true : .false) }

  /// Writes `text` as a string, with its quotes.
  package mutating func write(string text: String) {
    let utf8 = Array(text.utf8)
    write(string: utf8, in: utf8.indices)
  }

  /// Writes the bytes of `buffer` in `range`, which are well-formed UTF-8, as a string with its quotes.
  ///
  /// - Complexity: O(length).
  package mutating func write(string buffer: [UInt8], in range: Range<Int>) {
    bytes.append(UInt8(ascii: "\""))
    let span = buffer.span
    var runStart = range.lowerBound
    var position = runStart
    let end = range.upperBound
    while position < end {
      let byte = span[position]
      if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
        position += 1
        continue
      }
      if runStart < position { bytes.append(contentsOf: buffer[runStart..<position]) }
      writeEscape(byte)
      position += 1
      runStart = position
    }
    if runStart < end { bytes.append(contentsOf: buffer[runStart..<end]) }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func writeEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      write(.unicodeEscape)
      bytes.append(Self.hexDigit(byte >> 4))
      bytes.append(Self.hexDigit(byte & 15))
    }
  }

  private static func hexDigit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
  }
}

/// Bytes of JSON that are always the same, made once.
package struct JSONFragment: Sendable, ExpressibleByStringLiteral {
  let bytes: [UInt8]

  package init(stringLiteral literal: String) { bytes = Array(literal.utf8) }

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

extension JSONFragment {
  static let `true`: JSONFragment = "true"
  static let `false`: JSONFragment = "false"
  static let unicodeEscape: JSONFragment = "u00"
}
