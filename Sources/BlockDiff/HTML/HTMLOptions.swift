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
  func allows(_ url: borrowing Span<UInt8>, isImage: Bool) -> Bool {
    if urls == .any { return true }
    if urls == .safe && !Self.mayBeUnsafe(url) { return true }
    guard let (scheme, end) = Self.scheme(of: url) else { return true }
    if case .schemes(let allowed) = urls { return allowed.contains(scheme) }
    switch scheme {
    case "javascript", "vbscript", "file": return false
    case "data":
      let kinds = ["image/png", "image/gif", "image/jpeg", "image/webp"]
      var start = ""
      for index in end..<min(end + 16, url.count) {
        start.unicodeScalars.append(Unicode.Scalar(url[index]))
      }
      return isImage && kinds.contains { start.lowercased().hasPrefix($0) }
    default: return true
    }
  }

  /// By its first letter, which tells most URLs apart from those that `safe` leaves out.
  private static func mayBeUnsafe(_ url: borrowing Span<UInt8>) -> Bool {
    var index = 0
    while index < url.count && url[index] <= 0x20 { index += 1 }
    guard index < url.count else { return false }
    switch url[index] | 0x20 {
    case UInt8(ascii: "j"), UInt8(ascii: "v"), UInt8(ascii: "f"), UInt8(ascii: "d"): return true
    default: return false
    }
  }

  /// A URL's scheme in lower case, and where it ends, the colon included. Control bytes and white space do not hide a
  /// scheme.
  private static func scheme(of url: borrowing Span<UInt8>) -> (String, Int)? {
    var scheme: [UInt8] = []
    for index in 0..<url.count {
      let byte = url[index]
      if byte <= 0x20 { continue }
      if byte == UInt8(ascii: ":") { return (String(decoding: scheme, as: UTF8.self), index + 1) }
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return nil }
      scheme.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
      if scheme.count > 32 { return nil }
    }
    return nil
  }
}
