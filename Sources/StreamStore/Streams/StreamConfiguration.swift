package import Markup

/// What a stream was created with: how its source is read.
package struct StreamConfiguration: Sendable, Equatable {
  package var dialect: Dialect
  package var options: MarkupParser.Options
  /// The media type without parameters, in small letters.
  package var contentType: String

  package init(
    dialect: Dialect = .chat, options: MarkupParser.Options = .init(),
    contentType: String = "text/markdown"
  ) {
    self.dialect = dialect
    self.options = options
    self.contentType = contentType
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
  func check(_ request: Request, hasContent: Bool) throws(StreamError) {
    if request.isEmpty { return }
    if hasContent, let requested = request.contentType, requested != contentType {
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
