/// A request line (RFC 9112 §3), as ranges of the buffer it was read from.
struct RequestLine: Equatable {
  var method: Method
  var version: Request.Version
  var form: Request.TargetForm
  /// Empty where an absolute-form target has no path.
  var path: Range<Int>
  var query: Range<Int>?
  var authority: Range<Int>?

  /// Reads the line in `range` of `bytes`, its CRLF not included.
  ///
  /// - Complexity: O(`range.count`).
  init(_ bytes: Span<UInt8>, in range: Range<Int>) throws(RequestError) {
    if bytes.firstIndex(of: ByteClass.carriageReturn, in: range) != nil {
      throw .malformed(.bareCarriageReturn)
    }
    guard let methodEnd = bytes.firstIndex(of: ByteClass.space, in: range) else {
      throw .malformed(.requestLine)
    }
    guard methodEnd > range.lowerBound else { throw .malformed(.method) }
    for index in range.lowerBound..<methodEnd where !ByteClass.isToken(bytes[index]) {
      throw .malformed(.method)
    }
    method = Method(bytes.extracting(range.lowerBound..<methodEnd))

    let rest = methodEnd + 1..<range.upperBound
    guard let targetEnd = bytes.firstIndex(of: ByteClass.space, in: rest), targetEnd > rest.lowerBound else {
      throw .malformed(.requestLine)
    }
    version = try Self.version(bytes.extracting(targetEnd + 1..<range.upperBound))

    let target = rest.lowerBound..<targetEnd
    for index in target where !ByteClass.isTarget(bytes[index]) { throw .malformed(.target) }
    var start = target.lowerBound
    if bytes[start] == ByteClass.slash {
      form = .origin
    } else if target.count == 1, bytes[start] == 0x2A {
      guard method == .options else { throw .malformed(.target) }
      (form, path) = (.asterisk, target)
      return
    } else {
      form = .absolute
      let found = try Self.authority(bytes, in: target)
      authority = found
      start = found.upperBound
    }
    let mark = bytes.firstIndex(of: 0x3F, in: start..<target.upperBound)
    path = start..<(mark ?? target.upperBound)
    query = mark.map { $0 + 1..<target.upperBound }
  }

  /// `HTTP/1.0` or any later `HTTP/1.x` (RFC 9112 §2.3).
  private static func version(_ bytes: Span<UInt8>) throws(RequestError) -> Request.Version {
    guard bytes.count == 8, bytes.extracting(first: 5).equals("HTTP/"), ByteClass.isDigit(bytes[5]),
      bytes[6] == 0x2E, ByteClass.isDigit(bytes[7])
    else { throw .malformed(.version) }
    guard bytes[5] == 0x31 else { throw .unsupportedVersion }
    return bytes[7] == 0x30 ? .http10 : .http11
  }

  /// The authority of an absolute-form target; only `http` and `https` URIs have one here.
  private static func authority(
    _ bytes: Span<UInt8>, in target: Range<Int>
  ) throws(RequestError) -> Range<Int> {
    let all = bytes.extracting(target)
    var start = target.lowerBound
    if all.count > 7, all.extracting(first: 7).equalsIgnoringCase("http://") {
      start += 7
    } else if all.count > 8, all.extracting(first: 8).equalsIgnoringCase("https://") {
      start += 8
    } else {
      throw .malformed(.target)
    }
    var end = start
    while end < target.upperBound, bytes[end] != ByteClass.slash, bytes[end] != 0x3F { end += 1 }
    guard end > start, isAuthority(bytes.extracting(start..<end)) else { throw .malformed(.host) }
    return start..<end
  }

  /// Whether the bytes are `uri-host [ ":" port ]` (RFC 9110 §7.2). An empty host is one.
  static func isAuthority(_ bytes: Span<UInt8>) -> Bool {
    var index = 0
    if bytes.count > 0, bytes[0] == 0x5B {
      index = 1
      while index < bytes.count, ByteClass.isHost(bytes[index]) || bytes[index] == ByteClass.colon {
        index += 1
      }
      guard index > 1, index < bytes.count, bytes[index] == 0x5D else { return false }
      index += 1
    } else {
      while index < bytes.count, ByteClass.isHost(bytes[index]) { index += 1 }
    }
    guard index < bytes.count else { return true }
    guard bytes[index] == ByteClass.colon else { return false }
    index += 1
    while index < bytes.count {
      guard ByteClass.isDigit(bytes[index]) else { return false }
      index += 1
    }
    return true
  }
}
