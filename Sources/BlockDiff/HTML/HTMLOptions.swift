/// How HTML is written.
package struct HTMLOptions: Sendable, Equatable {
  /// What becomes of raw HTML, blocks and inline.
  package enum RawHTML: String, Sendable, CaseIterable {
    /// As it is: exactly CommonMark's output.
    case verbatim
    /// Shown as text.
    case escaped
    /// Left out, with a comment in its place.
    case omitted
  }

  /// Which URLs are written; the others are empty.
  package enum URLs: Sendable, Equatable {
    case any
    /// Those that can neither run code nor read files: not `javascript:`, `vbscript:`, `file:`, and `data:` only for
    /// images.
    case safe
    /// Those without a scheme, and those with one of these, in lower case.
    case schemes(Set<String>)
  }

  package var rawHTML: RawHTML
  package var urls: URLs

  /// Whether the tags that GFM disallows in raw HTML are escaped where it is written as it is (GFM §6.11).
  package var filtersTags: Bool

  package init(rawHTML: RawHTML = .escaped, urls: URLs = .safe, filtersTags: Bool = true) {
    self.rawHTML = rawHTML
    self.urls = urls
    self.filtersTags = filtersTags
  }

  /// Safe to show whatever the model wrote.
  package static let safe = HTMLOptions()
  /// Byte for byte what the specification's examples show.
  package static let exact = HTMLOptions(rawHTML: .verbatim, urls: .any, filtersTags: false)
}

extension HTMLOptions {
  /// Whether a link or an image may lead to this URL.
  func allows(_ url: ArraySlice<UInt8>, isImage: Bool) -> Bool {
    if urls == .any { return true }
    guard let (scheme, rest) = Self.scheme(of: url) else { return true }
    if case .schemes(let allowed) = urls { return allowed.contains(scheme) }
    switch scheme {
    case "javascript", "vbscript", "file": return false
    case "data":
      let kinds = ["image/png", "image/gif", "image/jpeg", "image/webp"]
      let start = String(decoding: rest.prefix(16), as: UTF8.self).lowercased()
      return isImage && kinds.contains { start.hasPrefix($0) }
    default: return true
    }
  }

  /// A URL's scheme in lower case, and what follows it. Control bytes and white space do not hide a scheme.
  private static func scheme(of url: ArraySlice<UInt8>) -> (String, ArraySlice<UInt8>)? {
    var scheme: [UInt8] = []
    for index in url.indices {
      let byte = url[index]
      if byte <= 0x20 { continue }
      if byte == UInt8(ascii: ":") {
        return (String(decoding: scheme, as: UTF8.self), url[(index + 1)...])
      }
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return nil }
      scheme.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
      if scheme.count > 32 { return nil }
    }
    return nil
  }
}
