import ByteStorage

/// A range of the table's strings in eight bytes.
struct CompactRange: Sendable {
  private var begin: UInt32
  private var end: UInt32

  init(_ range: Range<Int>) {
    begin = UInt32(range.lowerBound)
    end = UInt32(range.upperBound)
  }

  var range: Range<Int> { Int(begin)..<Int(end) }
}

// The fields that only some types have, as ranges of the table's strings.

/// The info string of a fenced code block. Empty ranges are absent fields.
struct CodeInfo: Sendable {
  private let compactLanguage: CompactRange
  private let compactMeta: CompactRange

  init(language: Range<Int>, meta: Range<Int>) {
    compactLanguage = CompactRange(language)
    compactMeta = CompactRange(meta)
  }

  var language: Range<Int> { compactLanguage.range }
  var meta: Range<Int> { compactMeta.range }
}

/// A footnote definition's fields.
struct LabelFields: Sendable {
  private let compactIdentifier: CompactRange
  private let compactLabel: CompactRange

  init(identifier: Range<Int>, label: Range<Int>) {
    compactIdentifier = CompactRange(identifier)
    compactLabel = CompactRange(label)
  }

  var identifier: Range<Int> { compactIdentifier.range }
  var label: Range<Int> { compactLabel.range }
}

/// A link reference definition's fields.
struct DefinitionFields: Sendable {
  private let names: LabelFields
  private let compactURL: CompactRange
  private var compactTitle: CompactRange
  private var hasTitle: Bool

  init(identifier: Range<Int>, label: Range<Int>, url: Range<Int>, title: Range<Int>?) {
    names = LabelFields(identifier: identifier, label: label)
    compactURL = CompactRange(url)
    compactTitle = CompactRange(title ?? 0..<0)
    hasTitle = title != nil
  }

  var identifier: Range<Int> { names.identifier }
  var label: Range<Int> { names.label }
  var url: Range<Int> { compactURL.range }
  var title: Range<Int>? {
    get { hasTitle ? compactTitle.range : nil }
    set {
      compactTitle = CompactRange(newValue ?? 0..<0)
      hasTitle = newValue != nil
    }
  }
}

/// A component's fields.
struct ComponentFields: Sendable {
  private let compactName: CompactRange
  private let compactAttributes: CompactRange
  let content: ComponentContent

  /// - Parameter attributes: where they are among the strings, as `ComponentAttributes` has them.
  init(name: Range<Int>, content: ComponentContent, attributes: Range<Int>) {
    compactName = CompactRange(name)
    compactAttributes = CompactRange(attributes)
    self.content = content
  }

  var name: Range<Int> { compactName.range }
  var attributes: Range<Int> { compactAttributes.range }
}

/// A component's attributes among the table's strings: for each the length of its name, its name, the length of its value
/// and one more, or 0 if it has none, and its value. A tag of many short attributes would take ten times its bytes in an
/// array of ranges.
enum ComponentAttributes {
  static func encoded(_ attributes: [ComponentAttribute]) -> [UInt8] {
    var result: [UInt8] = []
    for attribute in attributes {
      result.append(leb128: attribute.name.count)
      result += attribute.name
      result.append(leb128: attribute.value.map { $0.count + 1 } ?? 0)
      result += attribute.value ?? []
    }
    return result
  }

  static func decoded(_ strings: borrowing Span<UInt8>, in range: Range<Int>) -> [(
    name: Range<Int>, value: Range<Int>?
  )] {
    var result: [(name: Range<Int>, value: Range<Int>?)] = []
    var place = range.lowerBound
    while place < range.upperBound {
      let nameLength = strings.leb128(at: &place)
      let name = place..<place + nameLength
      place = name.upperBound
      let valueLength = strings.leb128(at: &place) - 1
      let value = valueLength < 0 ? nil : place..<place + valueLength
      place = value?.upperBound ?? place
      result.append((name, value))
    }
    return result
  }
}
