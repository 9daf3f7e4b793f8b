import CYAML

/// libyaml's event parser over one text: the only place that touches its pointers. It is safe to use because both
/// pointers are its own, are never handed out, and are freed with it.
@safe struct YAMLEventReader: ~Copyable {
  /// What the text holds next. Anchors and tags are reported as presence alone.
  enum Event: Equatable {
    case documentStart(hasDirective: Bool)
    case documentEnd
    case streamEnd
    case alias
    case scalar(String, isPlain: Bool, properties: Properties)
    case sequenceStart(Properties)
    case mappingStart(Properties)
    case sequenceEnd
    case mappingEnd
  }

  /// What precedes a node.
  struct Properties: Equatable {
    var hasAnchor: Bool
    var hasTag: Bool
  }

  /// On the heap because libyaml keeps a pointer from the parser to itself.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// A copy of the text, which has to outlive the parser.
  private let input: UnsafeMutableBufferPointer<UInt8>

  /// Begins to read `text`, which is UTF-8 without a byte order mark (checked by the caller).
  init(_ text: ArraySlice<UInt8>) throws(YAMLError) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      throw .outOfMemory
    }
    let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
    _ = unsafe input.initialize(from: text)
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    unsafe self.parser = parser
    unsafe self.input = input
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe input.deallocate()
  }

  /// The next event and where it begins. Not to be called after `streamEnd` or an error.
  mutating func next() throws(YAMLError) -> (event: Event, mark: YAMLMark) {
    // Safe: the parser is initialised and owned here; each event is deleted before the function returns, after
    // its strings were copied; the union member read is the one that the event's type names.
    var event = unsafe yaml_event_t()
    while true {
      guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw unsafe Self.error(of: parser.pointee) }
      defer { unsafe yaml_event_delete(&event) }
      let mark = unsafe Self.mark(event.start_mark)
      switch unsafe event.type {
      case YAML_DOCUMENT_START_EVENT:
        let data = unsafe event.data.document_start
        let hasTags = unsafe data.tag_directives.start != data.tag_directives.end
        let hasVersion = unsafe data.version_directive != nil
        return (.documentStart(hasDirective: hasTags || hasVersion), mark)
      case YAML_DOCUMENT_END_EVENT: return (.documentEnd, mark)
      case YAML_STREAM_END_EVENT: return (.streamEnd, mark)
      case YAML_ALIAS_EVENT: return (.alias, mark)
      case YAML_SCALAR_EVENT:
        let data = unsafe event.data.scalar
        let bytes = unsafe UnsafeBufferPointer(start: data.value, count: data.length)
        let text = unsafe String(decoding: bytes, as: UTF8.self)
        let isPlain = unsafe data.style == YAML_PLAIN_SCALAR_STYLE
        let properties = unsafe Properties(hasAnchor: data.anchor != nil, hasTag: data.tag != nil)
        return (.scalar(text, isPlain: isPlain, properties: properties), mark)
      case YAML_SEQUENCE_START_EVENT:
        let data = unsafe event.data.sequence_start
        return (
          .sequenceStart(unsafe Properties(hasAnchor: data.anchor != nil, hasTag: data.tag != nil)), mark
        )
      case YAML_MAPPING_START_EVENT:
        let data = unsafe event.data.mapping_start
        return (
          .mappingStart(unsafe Properties(hasAnchor: data.anchor != nil, hasTag: data.tag != nil)), mark
        )
      case YAML_SEQUENCE_END_EVENT: return (.sequenceEnd, mark)
      case YAML_MAPPING_END_EVENT: return (.mappingEnd, mark)
      case YAML_NO_EVENT: return (.streamEnd, mark)
      default: continue  // The start of the stream: the encoding, which is known.
      }
    }
  }

  // MARK: - libyaml's values

  private static func mark(_ mark: yaml_mark_t) -> YAMLMark {
    YAMLMark(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }

  private static func error(of parser: yaml_parser_t) -> YAMLError {
    switch unsafe parser.error {
    case YAML_MEMORY_ERROR: return .outOfMemory
    case YAML_READER_ERROR:
      // UTF-8 is checked before, so the reader's only complaint left is a character that YAML excludes. Its
      // mark is that of the scanner, which may be some lines behind.
      return unsafe .controlCharacter(code: Int(parser.problem_value), line: Int(parser.mark.line) + 1)
    default:
      // Safe: both are nil or constant strings of the library.
      let problem = unsafe parser.problem.map { unsafe String(cString: $0) } ?? "unreadable"
      guard let context = unsafe parser.context.map({ unsafe String(cString: $0) }) else {
        return unsafe .syntax(problem, mark(parser.problem_mark))
      }
      return unsafe .syntax("\(problem) \(context)", mark(parser.problem_mark))
    }
  }
}
