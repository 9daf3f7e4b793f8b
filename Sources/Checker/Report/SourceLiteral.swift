/// Writes bytes so that they can be pasted into a test.
package enum SourceLiteral {
  /// Bytes as a Swift string literal; as an array of numbers where they are not well-formed UTF-8.
  package static func quoted(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    guard let string = String(validating: bytes, as: UTF8.self) else { return "\(bytes)" }
    return quoted(string)
  }

  /// A string as a Swift string literal.
  package static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0xFEFF:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
