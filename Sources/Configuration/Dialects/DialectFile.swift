import Markup

/// What one dialect file says, before the dialect that it extends is known.
///
/// Keys: `name`, `extends`, `extensions` (flags by name), `keyAttributes` (a list), `templateAttribute`, and
/// `components` (by element name: `content`, `contained`). Only `name` has to be there.
struct DialectFile: Equatable {
  /// The file's path, as errors name it.
  var path: String
  var name = ""
  var nameLine = 1
  var extends: String?
  var extendsLine = 1
  var extensions: [DialectExtensionName: Bool] = [:]
  var components: [String: Dialect.Component] = [:]
  var keyAttributes: [String]?
  var templateAttribute: String?

  /// The dialect that this file makes of `base`.
  func dialect(extending base: Dialect) -> Dialect {
    var dialect = base
    dialect.name = name
    for (extensionName, isOn) in extensions {
      if isOn {
        dialect.extensions.insert(extensionName.option)
      } else {
        dialect.extensions.remove(extensionName.option)
      }
    }
    dialect.components.merge(components) { _, new in new }
    dialect.keyAttributes = keyAttributes ?? dialect.keyAttributes
    dialect.templateAttribute = templateAttribute ?? dialect.templateAttribute
    return dialect
  }
}

/// Reads one dialect file's tree and notes everything that is wrong in it. Pure, as `SettingsReader` is.
struct DialectFileReader {
  private(set) var file: DialectFile
  private(set) var errors: [ConfigurationError] = []

  /// The most components that a dialect may name, and the most key attributes: far above any use, and low
  /// enough that looking through the list at a tag costs nothing.
  static let maxComponents = 1000
  static let maxKeyAttributes = 8

  /// Reads `document`, the content of the file at `path`, whose name without `.yaml` is `stem`.
  init(_ document: YAMLDocument, path: String, stem: String) {
    file = DialectFile(path: path)
    defer { errors += document.repeatedKeyErrors(file: path) }
    guard let entries = entries(document.root, key: "the file", origin(1)) else { return }
    for entry in entries { read(entry) }
    if !entries.contains(where: { $0.key == "name" }) {
      errors.append(.missingKey("name", origin(1), accepted: stem))
    } else if !file.name.isEmpty, file.name != stem {
      errors.append(
        .invalidValue(
          key: "name", value: file.name, origin(file.nameLine), accepted: "\(stem), as the file is called"))
    }
  }

  private mutating func read(_ entry: YAMLNode.Entry) {
    switch entry.key {
    case "name":
      file.nameLine = entry.mark.line
      if let name = value(entry, entry.key, .dialectName) { file.name = name }
    case "extends":
      file.extendsLine = entry.mark.line
      file.extends = value(entry, entry.key, .dialectName)
    case "extensions":
      for item in entries(entry.value, key: entry.key, origin(entry)) ?? [] {
        let key = "extensions.\(item.key)"
        guard let name = DialectExtensionName(rawValue: item.key) else {
          unknown(key, item, among: DialectExtensionName.allCases.map { "extensions.\($0.rawValue)" })
          continue
        }
        if let isOn = value(item, key, .flag) { file.extensions[name] = isOn }
      }
    case "keyAttributes": file.keyAttributes = keyAttributes(entry)
    case "templateAttribute": file.templateAttribute = value(entry, entry.key, .attributeName)
    case "components":
      let items = entries(entry.value, key: entry.key, origin(entry)) ?? []
      guard items.count <= Self.maxComponents else {
        errors.append(
          .invalidValue(
            key: entry.key, value: "\(items.count) elements", origin(entry),
            accepted: "at most \(Self.maxComponents) elements"))
        return
      }
      for item in items { readComponent(item) }
    default:
      unknown(
        entry.key, entry,
        among: ["name", "extends", "extensions", "keyAttributes", "templateAttribute", "components"])
    }
  }

  private mutating func readComponent(_ entry: YAMLNode.Entry) {
    let path = "components.\(entry.key)"
    guard ValueFormat.elementName.read(entry.key) != nil else {
      errors.append(
        .invalidValue(
          key: "components", value: entry.key, origin(entry), accepted: ValueFormat.elementName.accepted))
      return
    }
    guard let items = entries(entry.value, key: path, origin(entry)) else { return }
    var content: ComponentContent?
    var isContained = false
    for item in items {
      let key = "\(path).\(item.key)"
      switch item.key {
      case "content": content = value(item, key, .componentContent)
      case "contained": isContained = value(item, key, .flag) ?? false
      default: unknown(key, item, among: ["\(path).content", "\(path).contained"])
      }
    }
    if let content {
      file.components[entry.key] = Dialect.Component(content: content, isContained: isContained)
    } else if !items.contains(where: { $0.key == "content" }) {
      let accepted = ValueFormat.componentContent.accepted
      errors.append(.missingKey("\(path).content", origin(entry), accepted: accepted))
    }
  }

  private mutating func keyAttributes(_ entry: YAMLNode.Entry) -> [String]? {
    guard case .sequence(let nodes) = entry.value.content else {
      errors.append(.wrongShape(key: entry.key, found: entry.value.shape, origin(entry), expected: .list))
      return nil
    }
    guard nodes.count <= Self.maxKeyAttributes else {
      errors.append(
        .invalidValue(
          key: entry.key, value: "\(nodes.count) names", origin(entry),
          accepted: "at most \(Self.maxKeyAttributes) names"))
      return nil
    }
    return nodes.compactMap { value($0, entry.key, .attributeName, origin($0.mark.line)) }
  }

  // MARK: - Nodes

  private func origin(_ line: Int) -> ConfigurationOrigin { .file(file.path, line: line) }
  private func origin(_ entry: YAMLNode.Entry) -> ConfigurationOrigin { origin(entry.mark.line) }

  private mutating func unknown(_ key: String, _ entry: YAMLNode.Entry, among names: [String]) {
    errors.append(.unknownKey(key, origin(entry), suggestion: nearest(key, among: names)))
  }

  /// The entries of a mapping, none of a section without content; `nil` if it is something else.
  private mutating func entries(
    _ node: YAMLNode?, key: String, _ origin: ConfigurationOrigin
  ) -> [YAMLNode.Entry]? {
    guard let node, !node.isAbsent else { return [] }
    if case .mapping(let entries) = node.content { return entries }
    errors.append(.wrongShape(key: key, found: node.shape, origin, expected: .mapping))
    return nil
  }

  private mutating func value<Value>(
    _ entry: YAMLNode.Entry, _ key: String, _ format: ValueFormat<Value>
  ) -> Value? { value(entry.value, key, format, origin(entry)) }

  private mutating func value<Value>(
    _ node: YAMLNode, _ key: String, _ format: ValueFormat<Value>, _ origin: ConfigurationOrigin
  ) -> Value? {
    guard case .scalar(let text, _) = node.content else {
      errors.append(.wrongShape(key: key, found: node.shape, origin, expected: .value))
      return nil
    }
    if let value = format.read(text) { return value }
    errors.append(.invalidValue(key: key, value: text, origin, accepted: format.accepted))
    return nil
  }
}

extension ValueFormat where Value == ComponentContent {
  /// How a component's content is read.
  static var componentContent: Self {
    let names: [(String, ComponentContent)] = [("markdown", .markdown), ("raw", .raw), ("none", .none)]
    return ValueFormat(
      read: { text in names.first { $0.0 == text }?.1 },
      write: { value in names.first { $0.1 == value }?.0 ?? "" },
      accepted: names.map(\.0).joined(separator: ", "))
  }
}

extension ValueFormat where Value == String {
  /// An element's name (identity.md §5). The engine reads tags of up to 8 KiB; names this long are none.
  static var elementName: Self {
    ValueFormat(
      read: { isName($0, maxBytes: 256) ? $0 : nil },
      write: { $0 },
      accepted: "an element's name: a letter, then letters, digits, -, _ or ., at most 256 in all")
  }

  /// An attribute's name (CommonMark 0.31.2 §6.6).
  static var attributeName: Self {
    ValueFormat(
      read: { text in
        guard let first = text.utf8.first, text.utf8.count <= 256 else { return nil }
        guard first.isASCIILetter || first == 0x5F || first == 0x3A else { return nil }
        let isName = text.utf8.allSatisfy {
          $0.isASCIILetter || (0x30...0x3A).contains($0) || [0x2D, 0x2E, 0x5F].contains($0)
        }
        return isName ? text : nil
      },
      write: { $0 },
      accepted:
        "an attribute's name: a letter, _ or :, then letters, digits, _, ., : or -, at most 256 in all")
  }
}
