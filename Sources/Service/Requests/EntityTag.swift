import BlockDiff
import HTTPServer

/// Entity tags (RFC 9110 §8.8.3). A state is named by its offset token.
enum EntityTag {
  /// The tag of the state at a position: the token in quotes.
  static func bytes(of token: OffsetToken) -> [UInt8] {
    var result: [UInt8] = [UInt8(ascii: "\"")]
    token.append(to: &result)
    result.append(UInt8(ascii: "\""))
    return result
  }

  /// Whether `If-None-Match` names the state (RFC 9110 §13.1.2: weakly compared, in a list, or `*`).
  static func isMatch(_ fields: Fields, _ token: OffsetToken) -> Bool {
    guard fields.contains("if-none-match") else { return false }
    return isMatch(fields, tag: String(decoding: bytes(of: token), as: UTF8.self))
  }

  /// As above, of a tag as it is sent.
  static func isMatch(_ fields: Fields, tag: String) -> Bool {
    guard let field = fields.combined("if-none-match") else { return false }
    return field.split(separator: ",").contains {
      let entry = $0.trimmedSpaces
      return entry == "*" || entry == tag || entry == "W/" + tag
    }
  }
}
