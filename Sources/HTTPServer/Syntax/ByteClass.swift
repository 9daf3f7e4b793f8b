/// Classes of bytes in HTTP syntax (RFC 9110 §5.6, RFC 9112, RFC 3986).
enum ByteClass {
  static let carriageReturn: UInt8 = 0x0D
  static let lineFeed: UInt8 = 0x0A
  static let space: UInt8 = 0x20
  static let tab: UInt8 = 0x09
  static let colon: UInt8 = 0x3A
  static let comma: UInt8 = 0x2C
  static let slash: UInt8 = 0x2F

  /// `tchar`: what a method or field name is made of. One bit a byte, in two words for the ASCII range.
  @inline(__always)
  static func isToken(_ byte: UInt8) -> Bool {
    let low: UInt64 = 0x3ff_6cfa_0000_0000
    let high: UInt64 = 0x57ff_ffff_c7ff_fffe
    guard byte < 128 else { return false }
    return ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 == 1
  }

  /// `SP` or `HTAB`: what `OWS` is made of.
  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  /// `field-vchar`, `SP` or `HTAB`: what a field value is made of.
  @inline(__always)
  static func isFieldValue(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7F) || byte == tab }

  /// What this server takes in a request target: visible ASCII but `#`, more than RFC 3986 allows because
  /// browsers send more in queries.
  @inline(__always)
  static func isTarget(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != 0x23 }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// The byte with an ASCII capital letter made small.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  /// The value of a hexadecimal digit, or `nil`.
  @inline(__always)
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  /// A byte of a `reg-name` or `IP-literal` between its brackets (RFC 3986 §3.2.2).
  static func isHost(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x2D, 0x2E, 0x5F, 0x7E, 0x25: true  // - . _ ~ %
    case 0x21, 0x24, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C, 0x3B, 0x3D: true  // ! $ & ' ( ) * + , ; =
    default: false
    }
  }
}
