import Markup

extension DocumentBlock {
  /// Applies a `set`, whose fields must be ones that may change (identity.md §3, *Visible changes*).
  mutating func apply(_ changes: BlockDocument.Changes) throws(BlockDocumentError) {
    if let new = changes.type {
      guard type == .paragraph, new == .heading || new == .table || new == .definition else {
        throw .illegalType(id, from: type, to: new)
      }
      type = new
      fields = changes.fields
      if new == .table { text = nil }
      if !hasInlineContent { (runs, html) = (nil, nil) }
    } else {
      try apply(fields: changes.fields)
    }
    if let new = changes.text {
      guard text != nil else { throw .wrongText(id) }
      text = new
    }
    try checkFields()
  }

  private mutating func apply(fields new: Fields) throws(BlockDocumentError) {
    var rest = new
    if let spread = new.spread {
      guard fields.spread == false, spread else { throw .illegalField(id, "spread") }
      fields.spread = true
      rest.spread = nil
    }
    if let title = new.title {
      guard type == .definition, fields.title == nil else { throw .illegalField(id, "title") }
      fields.title = title
      rest.title = nil
    }
    guard rest == Fields() else { throw .illegalField(id, "fixed") }
  }

  /// Whether a block of this type has inline content.
  var hasInlineContent: Bool { type == .paragraph || type == .heading || type == .tableCell }

  /// Checks that the block has the fields of its type, and no others.
  func checkFields() throws(BlockDocumentError) {
    for name in FieldName.allCases where fields.has(name) != type.has(name) && !type.mayHave(name) {
      throw .illegalField(id, name.rawValue)
    }
    guard hasInlineContent || (runs == nil && html == nil) else { throw .wrongText(id) }
    switch type {
    case .paragraph, .heading, .code, .tableCell, .html, .math, .definition, .yaml:
      guard text != nil else { throw .wrongText(id) }
    case .component:
      guard (text != nil) == (fields.content == "raw") else { throw .wrongText(id) }
    case .thematicBreak, .blockquote, .list, .listItem, .table, .tableRow, .footnoteDefinition:
      guard text == nil else { throw .wrongText(id) }
    }
  }
}

/// The names of the fields that only some types have.
enum FieldName: String, CaseIterable {
  case depth, directiveLabel, fenced, lang, meta, alert, ordered, start, spread, checked, align, header
  case identifier, label, url, title, name, attributes, content
}

extension DocumentBlock.Fields {
  func has(_ field: FieldName) -> Bool {
    switch field {
    case .depth: depth != nil
    case .directiveLabel: directiveLabel != nil
    case .fenced: fenced != nil
    case .lang: lang != nil
    case .meta: meta != nil
    case .alert: alert != nil
    case .ordered: ordered != nil
    case .start: start != nil
    case .spread: spread != nil
    case .checked: checked != nil
    case .align: align != nil
    case .header: header != nil
    case .identifier: identifier != nil
    case .label: label != nil
    case .url: url != nil
    case .title: title != nil
    case .name: name != nil
    case .attributes: attributes != nil
    case .content: content != nil
    }
  }
}

extension BlockType {
  /// Whether every block of this type has the field.
  func has(_ name: FieldName) -> Bool {
    switch name {
    case .depth: self == .heading
    case .fenced: self == .code
    case .ordered: self == .list
    case .spread: self == .list || self == .listItem
    case .align: self == .table
    case .header: self == .tableRow
    case .identifier, .label: self == .definition || self == .footnoteDefinition
    case .url: self == .definition
    case .name, .attributes, .content: self == .component
    case .directiveLabel, .lang, .meta, .alert, .start, .checked, .title: false
    }
  }

  /// Whether some blocks of this type have the field and others do not.
  func mayHave(_ name: FieldName) -> Bool {
    switch name {
    case .directiveLabel: self == .paragraph
    case .lang, .meta: self == .code
    case .alert: self == .blockquote
    case .start: self == .list
    case .checked: self == .listItem
    case .title: self == .definition
    case .depth, .fenced, .ordered, .spread, .align, .header, .identifier, .label, .url, .name, .attributes,
      .content:
      false
    }
  }
}
