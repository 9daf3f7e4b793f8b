/// Link labels and footnote labels.
enum Label {
  /// The label with each run of white space as one space, none at the ends.
  static func collapsed(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var isPending = false
    for byte in bytes {
      if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
        isPending = !result.isEmpty
      } else {
        if isPending { result.append(0x20) }
        isPending = false
        result.append(byte)
      }
    }
    return result
  }

  /// The form by which labels match (CommonMark 0.31.2 §6.3): collapsed and case-folded. Escapes stay.
  static func identifier(_ bytes: [UInt8]) -> [UInt8] {
    let label = collapsed(bytes)
    if label.allSatisfy({ $0 < 0x80 }) { return label.map(ASCII.lowercased) }
    var result: [UInt8] = []
    for scalar in String(decoding: label, as: UTF8.self).unicodeScalars {
      if scalar.isASCII {
        result.append(ASCII.lowercased(UInt8(truncatingIfNeeded: scalar.value)))
      } else {
        CharacterClass.appendFolded(scalar, to: &result)
      }
    }
    return result
  }
}
