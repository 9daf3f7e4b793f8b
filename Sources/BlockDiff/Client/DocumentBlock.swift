import ByteStorage
package import Markup

/// One block as a client holds it: everything the wire says of it.
package struct DocumentBlock: Equatable, Sendable {
  package var id: ByteString
  package var type: BlockType
  /// The parent's ID; `nil` at top level.
  package var parent: ByteString?
  package var fields: Fields
  package var begin: ByteOffset
  /// `nil` while the block is open.
  package var end: ByteOffset?
  package var revision: Revision
  /// The text of a leaf, an empty one too; `nil` for blocks that show none.
  package var text: ByteString?
  /// The inline content of a leaf, as far as the view shows it: runs as JSON objects, or HTML.
  package var runs: [JSONValue]?
  package var html: ByteString?

  package init(
    id: ByteString, type: BlockType, parent: ByteString? = nil, fields: Fields = Fields(),
    begin: ByteOffset, end: ByteOffset? = nil, revision: Revision, text: ByteString? = nil
  ) {
    self.id = id
    self.type = type
    self.parent = parent
    self.fields = fields
    self.begin = begin
    self.end = end
    self.revision = revision
    self.text = text
  }

  package var isOpen: Bool { end == nil }

  /// The fields that only some types have, by mdast's names; `nil` where a block has none.
  package struct Fields: Equatable, Sendable {
    package var depth: Int?
    package var directiveLabel: Bool?
    package var fenced: Bool?
    package var lang: ByteString?
    package var meta: ByteString?
    package var alert: ByteString?
    package var ordered: Bool?
    package var start: Int?
    package var spread: Bool?
    package var checked: Bool?
    package var align: [ColumnAlignment]?
    package var header: Bool?
    package var identifier: ByteString?
    package var label: ByteString?
    package var url: ByteString?
    package var title: ByteString?
    package var name: ByteString?
    package var attributes: [Attribute]?
    package var content: ByteString?

    package init() {}
  }

  /// A component's attribute; a `nil` value stands for `true`.
  package struct Attribute: Equatable, Sendable {
    package var name: ByteString
    package var value: ByteString?

    package init(name: ByteString, value: ByteString?) {
      self.name = name
      self.value = value
    }
  }
}

extension DocumentBlock {
  /// The block at `index`, as a snapshot shows it.
  package init(_ index: BlockIndex, of table: borrowing BlockTable) {
    let block = table[index]
    self.init(
      id: table.byteID(of: index), type: block.type, parent: nil, fields: Fields(index, of: table),
      begin: block.begin, end: block.end, revision: block.revision)
    if let parent = block.parent { self.parent = table.byteID(of: parent) }
    if block.hasText { text = ByteString(table.text[table.textRange(of: index)]) }
  }
}

extension BlockTable {
  fileprivate func byteID(of index: BlockIndex) -> ByteString {
    var id: [UInt8] = []
    appendID(of: index, to: &id)
    return ByteString(id)
  }

  fileprivate func byteString(_ range: Range<Int>) -> ByteString { ByteString(Array(strings[range])) }
}

extension DocumentBlock.Fields {
  /// The fields of the block at `index` that only its type has.
  package init(_ index: BlockIndex, of table: borrowing BlockTable) {
    switch table[index].type {
    case .paragraph: if table[index].isDirectiveLabel { directiveLabel = true }
    case .thematicBreak, .tableCell, .html, .math, .yaml: break
    case .heading: depth = table.depth(of: index)
    case .code:
      fenced = table.isFenced(index)
      let info = table.codeInfo(of: index)
      if let language = info.language { lang = table.byteString(language) }
      if let range = info.meta { meta = table.byteString(range) }
    case .blockquote: alert = table.alert(of: index).map { ByteString($0.name.description) }
    case .list:
      ordered = table.isOrdered(index)
      start = table.start(of: index)
      spread = table.isSpread(index)
    case .listItem:
      checked = table.checked(of: index)
      spread = table.isSpread(index)
    case .table:
      align = []
      for column in table.alignments(of: index) {
        align?.append(ColumnAlignment(rawValue: table.strings[column]) ?? .none)
      }
    case .tableRow: header = table.isHeader(index)
    case .definition:
      let fields = table.definition(of: index)
      identifier = table.byteString(fields.identifier)
      label = table.byteString(fields.label)
      url = table.byteString(fields.url)
      if let range = fields.title { title = table.byteString(range) }
    case .footnoteDefinition:
      let fields = table.footnote(of: index)
      identifier = table.byteString(fields.identifier)
      label = table.byteString(fields.label)
    case .component:
      let fields = table.component(of: index)
      name = table.byteString(fields.name)
      content = ByteString(fields.content.name.description)
      attributes = []
      for attribute in table.attributes(of: index) {
        let value = attribute.value.map { ByteString(Array(table.strings[$0])) }
        attributes?.append(
          DocumentBlock.Attribute(name: table.byteString(attribute.name), value: value))
      }
    }
  }
}
