package import Markup

/// What a stream was created with: how its source is read.
package struct StreamConfiguration: Sendable, Equatable {
  package var dialect: Dialect
  package var options: MarkupParser.Options
  /// The `Content-Type` that the stream was created with, as it was given.
  package var contentType: String

  package init(
    dialect: Dialect = .chat, options: MarkupParser.Options = .init(),
    contentType: String = "text/markdown"
  ) {
    self.dialect = dialect
    self.options = options
    self.contentType = contentType
  }

  /// The media type without parameters, in small letters: what content types are compared by.
  package var mediaType: String { Self.mediaType(of: contentType) }

  /// Whether the source is read into blocks.
  package var isMarkup: Bool { Self.isMarkup(mediaType) }

  /// Whether appends are JSON texts, each kept as a message (Durable Streams 1.0 §9.1).
  package var isJSON: Bool { mediaType == "application/json" }

  /// Whether sources of a media type are read into blocks.
  package static func isMarkup(_ mediaType: String) -> Bool {
    mediaType == "text/markdown" || mediaType == "text/plain"
  }

  /// The media type of a content type: without parameters, in small letters.
  package static func mediaType(of contentType: String) -> String {
    let isPlain: (UInt8) -> Bool = { $0 > 0x20 && $0 != UInt8(ascii: ";") && !(0x41...0x5A).contains($0) }
    if contentType.utf8.allSatisfy(isPlain) { return contentType }
    let type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let trimmed = type.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    return String(decoding: Array(trimmed), as: UTF8.self).lowercased()
  }

  /// What a request says of it; what is absent is not asked for. On a stream that is there, what is said must
  /// match.
  package struct Request: Sendable, Equatable {
    package var dialect: Dialect?
    package var open: [String]?
    package var frontMatter: Bool?
    package var contentType: String?

    package init(
      dialect: Dialect? = nil, open: [String]? = nil, frontMatter: Bool? = nil, contentType: String? = nil
    ) {
      self.dialect = dialect
      self.open = open
      self.frontMatter = frontMatter
      self.contentType = contentType
    }

    /// Whether nothing is said.
    package var isEmpty: Bool {
      dialect == nil && open == nil && frontMatter == nil && contentType == nil
    }
  }

  /// The configuration of a stream that `request` creates.
  init(_ request: Request, defaultDialect: Dialect) throws(StreamError) {
    self.init(
      dialect: request.dialect ?? defaultDialect,
      options: MarkupParser.Options(open: request.open ?? [], frontMatter: request.frontMatter ?? false),
      contentType: request.contentType ?? "text/markdown")
    for name in options.open where !dialect.hasComponent(named: name) {
      throw .unknownComponent(name: name, dialect: dialect.name)
    }
    let hasFrontMatter = options.frontMatter || dialect.extensions.contains(.frontMatter)
    guard options.open.isEmpty || !hasFrontMatter else { throw .openWithFrontMatter }
  }

  /// Refuses a request that says something else. A content type counts only where there is content.
  package func check(_ request: Request, hasContent: Bool) throws(StreamError) {
    if request.isEmpty { return }
    if hasContent, let requested = request.contentType, requested != contentType,
      Self.mediaType(of: requested) != mediaType
    {
      throw .contentTypeDiffers(existing: contentType, requested: requested)
    }
    if let requested = request.dialect, requested.name != dialect.name {
      throw .configurationDiffers(field: .dialect, existing: dialect.name, requested: requested.name)
    }
    if let requested = request.open, requested != options.open {
      throw .configurationDiffers(
        field: .open, existing: options.open.joined(separator: ", "),
        requested: requested.joined(separator: ", "))
    }
    if let requested = request.frontMatter, requested != options.frontMatter {
      throw .configurationDiffers(
        field: .frontMatter, existing: "\(options.frontMatter)", requested: "\(requested)")
    }
  }
}
