import Markup

// What has its own rules: raw HTML, and URLs in attributes.
extension HTMLOutput {
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
        write(source, begin..<index)
        write("&lt;")
        begin = index + 1
      }
    }
    write(source, begin..<range.upperBound)
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
    writeEscapedInURL(source, range)
  }
}
