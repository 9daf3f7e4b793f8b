import Markup

/// HTML as it is written: text, attributes and URLs, each escaped as it has to be.
struct HTMLOutput: Sendable {
  /// What has been written.
  var bytes: [UInt8] = []
  let options: HTMLOptions

  init(_ options: HTMLOptions) { self.options = options }

  /// Writes what is always the same.
  @inline(__always)
  mutating func write(_ text: StaticString) {
    let count = text.utf8CodeUnitCount
    bytes.append(addingCapacity: count) { output in
      for index in 0..<count { unsafe output.append(text.utf8Start[index]) }
    }
  }

  /// Begins a line, if something stands on the current one.
  mutating func startLine() {
    if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
  }

  // MARK: - Text

  /// Writes bytes as text: `&`, `<`, `>` and `"` become references.
  mutating func writeEscaped(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    /// What is before `index` and not yet written.
    var begin = range.lowerBound
    var index = begin
    while index < range.upperBound {
      if range.upperBound &- index >= Self.vectorWidth
        && Self.isPlain(source.extracting(index..<index &+ Self.vectorWidth))
      {
        index &+= Self.vectorWidth
        continue
      }
      let end = min(index &+ Self.vectorWidth, range.upperBound)
      while index < end {
        if Self.distance(source[index]) == 0 {
          if begin < index { bytes.append(copying: source.extracting(begin..<index)) }
          writeReference(source[index])
          begin = index &+ 1
        }
        index &+= 1
      }
    }
    if begin < index { bytes.append(copying: source.extracting(begin..<index)) }
  }

  private mutating func writeReference(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "&"): write("&amp;")
    case UInt8(ascii: "<"): write("&lt;")
    case UInt8(ascii: ">"): write("&gt;")
    default: write("&quot;")
    }
  }

  /// Writes bytes as text.
  mutating func writeEscaped(_ source: borrowing Span<UInt8>) { writeEscaped(source, 0..<source.count) }

  private static let vectorWidth = 16

  /// Whether none of the bytes is escaped: a loop without branches, which becomes vector operations.
  @inline(__always)
  private static func isPlain(_ source: borrowing Span<UInt8>) -> Bool {
    var distance: UInt8 = .max
    for index in 0..<vectorWidth { distance = min(distance, Self.distance(source[index])) }
    return distance != 0
  }

  /// 0 for a byte that is escaped. By least values, since comparisons become a jump for each byte.
  @inline(__always)
  private static func distance(_ byte: UInt8) -> UInt8 {
    min(
      min(byte ^ UInt8(ascii: "&"), byte ^ UInt8(ascii: "\"")),
      min(byte ^ UInt8(ascii: "<"), byte ^ UInt8(ascii: ">")))
  }

  // MARK: - Raw HTML

  /// Writes raw HTML within text, by the policy.
  mutating func writeInlineHTML(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    switch options.rawHTML {
    case .verbatim: writeVerbatim(source, range)
    case .escaped: writeEscaped(source, range)
    case .omitted: write("<!-- raw HTML omitted -->")
    }
  }

  /// Writes raw HTML as it is, but for the tags that are filtered.
  mutating func writeVerbatim(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    var begin = range.lowerBound
    if options.filtersTags {
      for index in range
      where source[index] == UInt8(ascii: "<")
        && Self.isFiltered(source.extracting(index + 1..<range.upperBound))
      {
        bytes.append(copying: source.extracting(begin..<index))
        write("&lt;")
        begin = index + 1
      }
    }
    bytes.append(copying: source.extracting(begin..<range.upperBound))
  }

  private static let filtered = [
    "title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext",
  ].map { Array($0.utf8) }

  /// Whether what follows a `<` is a tag that GFM disallows.
  private static func isFiltered(_ source: borrowing Span<UInt8>) -> Bool {
    let begin = source.count > 0 && source[0] == UInt8(ascii: "/") ? 1 : 0
    names: for name in filtered {
      let end = begin + name.count
      guard source.count > end else { continue }
      for index in name.indices where source[begin + index] | 0x20 != name[index] { continue names }
      if source[end] <= 0x20 || source[end] == UInt8(ascii: ">") || source[end] == UInt8(ascii: "/") {
        return true
      }
    }
    return false
  }

  // MARK: - URLs

  /// Writes a URL: what HTML or URLs cannot hold is escaped, what is escaped stays.
  mutating func writeURL(_ source: borrowing Span<UInt8>, _ range: Range<Int>, isImage: Bool) {
    guard options.allows(source.extracting(range), isImage: isImage) else { return }
    var begin = range.lowerBound
    while begin < range.upperBound {
      var end = begin
      while end < range.upperBound && Self.isSafeInURL(source[end]) { end &+= 1 }
      if end > begin { bytes.append(copying: source.extracting(begin..<end)) }
      guard end < range.upperBound else { return }
      writeEscapedInURL(source[end])
      begin = end + 1
    }
  }

  private mutating func writeEscapedInURL(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "&"): write("&amp;")
    case UInt8(ascii: "'"): write("&#x27;")
    default:
      bytes.append(UInt8(ascii: "%"))
      bytes.append(Self.hexDigit(byte >> 4))
      bytes.append(Self.hexDigit(byte & 15))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func isSafeInURL(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "!"),
      UInt8(ascii: "*"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "%"),
      UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: ";"),
      UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "$"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
