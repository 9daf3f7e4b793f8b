import Digest

/// Writes the names of blocks that are keyed by template (identity.md §2).
enum TemplateKey {
  /// The most bytes that an encoded template or key takes before it is cut.
  static let maxEncodedBytes = 256

  /// `template:key`, both encoded.
  static func encoded(template: [UInt8], key: [UInt8]) -> [UInt8] {
    encoded(template) + [UInt8(ascii: ":")] + encoded(key)
  }

  /// The bytes percent-encoded, but for unreserved ASCII and well-formed non-ASCII UTF-8; one that is too long is
  /// cut and marked with its digest.
  static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var cut = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let (length, isValid) = UTF8Text.sequence(in: bytes, at: index)
      if byte >= 0x80 && isValid {
        result.append(contentsOf: bytes[index..<index + length])
        index += length
      } else {
        if isUnreserved(byte) { result.append(byte) } else { result.append(contentsOf: percentEncoded(byte)) }
        index += 1
      }
      if result.count <= maxEncodedBytes { cut = result.count }
    }
    guard result.count > maxEncodedBytes else { return result }
    return result[..<cut] + [UInt8(ascii: "~")] + SHA256.hexDigest(of: bytes).prefix(16)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    ASCII.isLetter(Int(byte)) || ASCII.isDigit(Int(byte)) || byte == 0x2D || byte == 0x2E || byte == 0x5F
      || byte == 0x7E
  }

  private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
