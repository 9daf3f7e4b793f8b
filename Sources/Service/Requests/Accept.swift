import HTTPServer

/// Content negotiation (RFC 9110 §12.5.1).
enum Accept {
  /// The place in `offered` of the media type that the client likes best; of equals the first. `nil` where it
  /// takes none.
  static func best(of offered: [String], _ fields: Fields) -> Int? {
    guard let first = fields["accept"] else { return 0 }
    if first.elementsEqual("*/*".utf8) { return 0 }
    guard let field = fields.combined("accept") else { return 0 }
    return best(of: offered, field)
  }

  /// As above, of a field's value.
  static func best(of offered: [String], _ field: String) -> Int? {
    let ranges = field.split(separator: ",").compactMap(Range.init)
    // A field without any range says nothing.
    guard !ranges.isEmpty else { return 0 }
    var best: (place: Int, quality: Double, precision: Int)?
    for (place, type) in offered.enumerated() {
      // The most precise range that matches decides on a type.
      guard let range = ranges.filter({ $0.matches(type) }).max(by: { $0.precision < $1.precision }),
        range.quality > 0
      else { continue }
      if let best, (best.quality, best.precision) >= (range.quality, range.precision) { continue }
      best = (place, range.quality, range.precision)
    }
    return best?.place
  }

  /// One media range with its weight.
  private struct Range {
    var type: String
    var quality = 1.0

    init?(_ text: Substring) {
      let parts = text.split(separator: ";").map { $0.trimmedSpaces.lowercased() }
      guard let type = parts.first, type.contains("/") else { return nil }
      self.type = type
      for part in parts.dropFirst() where part.hasPrefix("q=") {
        quality = Double(part.dropFirst(2)) ?? 0
      }
    }

    /// 0 for any type, 1 for a whole top-level type, 2 for one type.
    var precision: Int { type == "*/*" ? 0 : type.hasSuffix("/*") ? 1 : 2 }

    func matches(_ other: String) -> Bool {
      switch precision {
      case 0: true
      case 1: other.hasPrefix(type.dropLast())
      default: other == type
      }
    }
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  var trimmedSpaces: SubSequence {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) })
    else {
      return self[endIndex...]
    }
    return self[first...last]
  }
}
