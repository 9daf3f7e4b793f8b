/// A field line (RFC 9112 §5).
enum FieldLine {
  /// Reads the line in `range` of `bytes`, its CRLF not included.
  ///
  /// - Complexity: O(`range.count`).
  static func parse(_ bytes: Span<UInt8>, in range: Range<Int>) throws(Malformation) -> Fields.Entry {
    var index = range.lowerBound
    if ByteClass.isWhitespace(bytes[index]) { throw .obsoleteFold }
    while index < range.upperBound, ByteClass.isToken(bytes[index]) { index += 1 }
    let nameEnd = index
    guard index < range.upperBound, bytes[index] == ByteClass.colon, nameEnd > range.lowerBound else {
      throw unfinishedName(bytes, index..<range.upperBound)
    }
    index += 1
    while index < range.upperBound, ByteClass.isWhitespace(bytes[index]) { index += 1 }
    var end = range.upperBound
    while end > index, ByteClass.isWhitespace(bytes[end - 1]) { end -= 1 }
    for position in index..<end where !ByteClass.isFieldValue(bytes[position]) {
      throw bytes[position] == ByteClass.carriageReturn ? .bareCarriageReturn : .controlByte
    }
    return Fields.Entry(
      nameStart: UInt32(range.lowerBound), nameEnd: UInt32(nameEnd), valueStart: UInt32(index),
      valueEnd: UInt32(end))
  }

  /// What is wrong with a name that does not end at a colon.
  private static func unfinishedName(_ bytes: Span<UInt8>, _ rest: Range<Int>) -> Malformation {
    var index = rest.lowerBound
    while index < rest.upperBound, ByteClass.isWhitespace(bytes[index]) { index += 1 }
    guard index < rest.upperBound else { return .fieldName }
    if bytes[index] == ByteClass.carriageReturn { return .bareCarriageReturn }
    return index > rest.lowerBound && bytes[index] == ByteClass.colon ? .whitespaceBeforeColon : .fieldName
  }
}
