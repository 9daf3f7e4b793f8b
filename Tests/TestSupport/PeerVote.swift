/// How the HTML of a document by two other programs differs from ours, and whether a known difference explains it.
///
/// Compared is what a reader sees: white space beside tags and at lines' ends is left out, since cmark and md4c do
/// not agree on it with one another.
package struct PeerVote: Sendable {
  /// The known kinds of difference. Each has its reason; what none explains is bounded by the test.
  package enum Kind: String, CaseIterable, Sendable {
    /// md4c 0.4.8 has no rule of three: a run of delimiters that can open and close pairs with any other.
    case emphasis
    /// md4c 0.4.8 makes links inside image descriptions, and does not escape raw HTML there.
    case imageText = "image text"
    /// md4c 0.4.8 lets a fence and HTML that are indented by four columns and more interrupt a paragraph.
    case indentedStart = "indented start"
    /// md4c 0.4.8 lets a list item of a marker and white space interrupt a paragraph.
    case emptyItem = "empty item"
    /// md4c 0.4.8 takes `<styleword` for the element `style`, in HTML blocks of type 1.
    case elementName = "element name"
    /// md4c 0.4.8 percent-encodes a tilde and an apostrophe in URLs.
    case percentEncoding = "percent encoding"
    /// md4c 0.4.8 takes the second `<` of `<<http://e.org>` for a part of the URL.
    case autolink
    /// cmark 0.30 and md4c 0.4.8 do not find every code span behind unmatched runs of backticks.
    case codeSpan = "code span"
    /// CommonMark 0.31.2 lets `<!-->`, `<!--->` and `--` stand in comments; the peers are older.
    case comment
    /// identity.md §7: what makes a list loose beside HTML, thematic breaks and definitions.
    case looseness
    /// identity.md §7: after a definition `---` is a thematic break.
    case definition
  }

  /// The kinds that explain the differences of this document.
  package private(set) var kinds: Set<Kind> = []
  /// The programs whose HTML differs from ours and is not explained.
  package private(set) var unexplained: [PeerTool] = []
  /// Whether the two agree with each other and not with us, and nothing explains it.
  package private(set) var isAlone = false

  /// - Parameter breaksAfterDefinition: whether a thematic break follows a definition in the document.
  package init(
    _ source: [UInt8], ours: [UInt8], cmark: [UInt8], md4c: [UInt8], breaksAfterDefinition: Bool
  ) {
    let text = String(decoding: source, as: UTF8.self)
    let ours = Self.canonical(ours)
    let peers = [(PeerTool.cmark, Self.canonical(cmark)), (.md4c, Self.canonical(md4c))]
    for (tool, html) in peers where html != ours {
      if let kind = Self.kind(tool, text, ours, html, breaksAfterDefinition) {
        kinds.insert(kind)
      } else {
        unexplained.append(tool)
      }
    }
    // Where both agree, only what would explain cmark's difference counts.
    isAlone = unexplained.contains(.cmark) && peers[0].1 == peers[1].1
  }

  private static func kind(
    _ tool: PeerTool, _ source: String, _ ours: String, _ peer: String, _ breaksAfterDefinition: Bool
  ) -> Kind? {
    if breaksAfterDefinition { return .definition }
    if without(/<\/?(em|strong)>|[*_]/, ours) == without(/<\/?(em|strong)>|[*_]/, peer) { return .emphasis }
    if without(/<\/?p>/, ours) == without(/<\/?p>/, peer) { return .looseness }
    if source.contains(/<!-->|<!--->|<!--.*--[^>]/) { return .comment }
    if without(/<\/?code>|`/, ours) == without(/<\/?code>|`/, peer) { return .codeSpan }
    guard tool == .md4c else { return nil }
    if source.contains(/(?m)^.* {4,}(```|~~~|<)/) { return .indentedStart }
    if source.contains(/(?m)^[ >]*([-*+]|\d+[.)]) +$/) { return .emptyItem }
    if source.contains("<<") && ours.contains("<a href=") { return .autolink }
    if source.contains(/<(script|pre|style|textarea)[^\s>]/) { return .elementName }
    if ours == peer.replacing("%7E", with: "~").replacing("%27", with: "&#x27;") { return .percentEncoding }
    // An image's description can take part in emphasis, too.
    if ours.contains("alt=\"") || peer.contains("alt=\"") { return .imageText }
    return nil
  }

  private static func without(_ pattern: some RegexComponent, _ html: String) -> String {
    html.replacing(pattern, with: "")
  }

  /// The HTML without white space beside tags and at the ends of lines.
  private static func canonical(_ html: [UInt8]) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    var result: [UInt8] = []
    var place = 0
    while place < html.count {
      var end = place
      while end < html.count && isSpace(html[end]) { end += 1 }
      guard end > place else {
        result.append(html[place])
        place += 1
        continue
      }
      let isBesideTag =
        place == 0 || end == html.count || html[place - 1] == UInt8(ascii: ">")
        || html[end] == UInt8(ascii: "<")
      if !isBesideTag { result += html[place..<end].contains(0x0A) ? [0x0A] : Array(html[place..<end]) }
      place = end
    }
    return String(decoding: result, as: UTF8.self)
  }
}
