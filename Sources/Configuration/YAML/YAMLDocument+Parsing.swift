extension YAMLDocument {
  /// The most bytes of a text. The shipped files have some 10 KiB with all their comments.
  package static let maxBytes = 256 << 10
  /// The deepest nesting of mappings and sequences. The deepest key has three.
  package static let maxDepth = 16

  /// Reads one YAML document.
  ///
  /// Refused are anchors, aliases, tags, merge keys, directives, further documents, control characters and
  /// bytes that are not UTF-8; a byte order mark at the start is skipped. There is no recursion over depth.
  ///
  /// - Complexity: O(`bytes.count`).
  package init(parsing bytes: [UInt8]) throws(YAMLError) {
    guard bytes.count <= Self.maxBytes else { throw .tooLarge(limit: Self.maxBytes) }
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let text = hasMark ? bytes.dropFirst(3) : bytes[...]
    try Self.checkCharacters(text)

    var reader = try YAMLEventReader(text)
    var builder = TreeBuilder()
    var documents = 0
    reading: while true {
      let (event, mark) = try reader.next()
      switch event {
      case .documentStart(let hasDirective):
        documents += 1
        guard documents == 1 else { throw .unsupported(.secondDocument, mark) }
        guard !hasDirective else { throw .unsupported(.directive, mark) }
      case .documentEnd: break
      case .streamEnd: break reading
      case .alias: throw .unsupported(.alias, mark)
      case .scalar(let text, let isPlain, let properties):
        try Self.check(properties, mark)
        try builder.scalar(text, isPlain: isPlain, mark)
      case .sequenceStart(let properties):
        try Self.check(properties, mark)
        try builder.open(isMapping: false, mark)
      case .mappingStart(let properties):
        try Self.check(properties, mark)
        try builder.open(isMapping: true, mark)
      case .sequenceEnd, .mappingEnd: builder.close()
      }
    }
    root = builder.root
    if root?.isAbsent == true { root = nil }
    repeatedKeys = builder.repeatedKeys
  }

  private static func check(_ properties: YAMLEventReader.Properties, _ mark: YAMLMark) throws(YAMLError) {
    guard !properties.hasAnchor else { throw .unsupported(.anchor, mark) }
    guard !properties.hasTag else { throw .unsupported(.tag, mark) }
  }

  /// Looks at the bytes before libyaml does, whose mark for an unreadable character is that of its scanner, up
  /// to a buffer behind.
  private static func checkCharacters(_ text: ArraySlice<UInt8>) throws(YAMLError) {
    var line = 0
    for bytes in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      line += 1
      guard let valid = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(line: line) }
      for scalar in valid.unicodeScalars {
        switch scalar.value {
        case 0..<0x09, 0x0B..<0x0D, 0x0E..<0x20, 0x7F..<0x85, 0x86..<0xA0, 0xFEFF, 0xFFFE, 0xFFFF:
          throw .controlCharacter(code: Int(scalar.value), line: line)
        default: continue
        }
      }
    }
  }
}

/// The tree as far as it is read: the open mappings and sequences on a stack.
private struct TreeBuilder {
  struct Frame {
    var isMapping: Bool
    var mark: YAMLMark
    var items: [YAMLNode] = []
    var entries: [YAMLNode.Entry] = []
    var keys: [String: YAMLMark] = [:]
    /// The key that waits for its value.
    var key: (text: String, mark: YAMLMark)?
  }

  var root: YAMLNode?
  var repeatedKeys: [YAMLDocument.RepeatedKey] = []
  private var stack: [Frame] = []

  mutating func scalar(_ text: String, isPlain: Bool, _ mark: YAMLMark) throws(YAMLError) {
    if let last = stack.indices.last, stack[last].isMapping, stack[last].key == nil {
      guard text != "<<" || !isPlain else { throw .unsupported(.mergeKey, mark) }
      stack[last].key = (text, mark)
    } else {
      place(YAMLNode(content: .scalar(text, isPlain: isPlain), mark: mark))
    }
  }

  mutating func open(isMapping: Bool, _ mark: YAMLMark) throws(YAMLError) {
    guard stack.count < YAMLDocument.maxDepth else { throw .tooDeep(limit: YAMLDocument.maxDepth, mark) }
    if let last = stack.last, last.isMapping, last.key == nil { throw .unsupported(.complexKey, mark) }
    stack.append(Frame(isMapping: isMapping, mark: mark))
  }

  mutating func close() {
    guard let frame = stack.popLast() else { return }
    let content: YAMLNode.Content = frame.isMapping ? .mapping(frame.entries) : .sequence(frame.items)
    place(YAMLNode(content: content, mark: frame.mark))
  }

  private mutating func place(_ node: YAMLNode) {
    guard let last = stack.indices.last else {
      root = node
      return
    }
    guard stack[last].isMapping else {
      stack[last].items.append(node)
      return
    }
    guard let key = stack[last].key else { return }
    stack[last].key = nil
    if let first = stack[last].keys.updateValue(key.mark, forKey: key.text) {
      stack[last].keys[key.text] = first
      let path = stack.dropLast().compactMap(\.key?.text) + [key.text]
      repeatedKeys.append(.init(path: path, mark: key.mark, firstMark: first))
    } else {
      stack[last].entries.append(.init(key: key.text, mark: key.mark, value: node))
    }
  }
}
