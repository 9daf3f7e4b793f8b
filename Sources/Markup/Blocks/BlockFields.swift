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
  struct Attribute: Sendable {
    var name: CompactRange
    var value: CompactRange?
  }

  private let compactName: CompactRange
  let content: ComponentContent
  let attributes: [Attribute]

  init(name: Range<Int>, content: ComponentContent, attributes: [(name: Range<Int>, value: Range<Int>?)]) {
    compactName = CompactRange(name)
    self.content = content
    self.attributes = attributes.map {
      Attribute(name: CompactRange($0.name), value: $0.value.map(CompactRange.init))
    }
  }

  var name: Range<Int> { compactName.range }
}
