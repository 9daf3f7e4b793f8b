import ByteStorage
import Markup

// One block's fields, as snapshots and `open` ops show them (api.md §2). Absent fields are left out.
extension JSONWriter {
  /// Writes a block's ID (identity.md §2), without quotes: it needs no escape.
  mutating func write(id index: BlockIndex, of table: borrowing BlockTable) {
    switch table.key(of: index) {
    case .sourceOffset:
      let begin = table[index].begin.value
      write(room: MutableSpan<UInt8>.jsonRoom) { span, place in
        span.put(UInt8(ascii: "e"), at: &place)
        span.put(begin, at: &place)
      }
    case .template(let name, let repeatCount):
      write(plain: table.strings.span.extracting(name))
      if repeatCount > 1 {
        write(UInt8(ascii: "#"))
        write(repeatCount)
      }
    case .unkeyed(let keyed, let count):
      // The block before is keyed, so this goes one level deep.
      if let keyed { write(id: keyed, of: table) } else { write(.documentKey) }
      write(room: MutableSpan<UInt8>.jsonRoom) { span, place in
        span.put(UInt8(ascii: "+"), at: &place)
        span.put(count, at: &place)
      }
    }
  }

  /// Writes the ID and all fields; the object and the ID's opening quote are already open, and the object
  /// stays open.
  ///
  /// - Parameter isSnapshot: whether an open block says so. An `open` op does not: it is open without `end`.
  mutating func writeBody(of index: BlockIndex, in table: borrowing BlockTable, isSnapshot: Bool) {
    let block = table[index]
    write(id: index, of: table)
    write(UInt8(ascii: "\""))
    write(JSONFragment.types[Int(block.type.rawValue)])
    if let parent = block.parent {
      write(.parent)
      write(id: parent, of: table)
      write(UInt8(ascii: "\""))
    }
    writeTypeFields(of: index, in: table)
    write(.begin)
    write(block.begin.value)
    if let end = block.end {
      write(.end)
      write(end.value)
    } else if isSnapshot {
      write(.open)
    }
    write(.rev)
    write(block.revision.value)
    if block.hasText {
      write(.text)
      write(string: table.text.span.extracting(table.textRange(of: index)))
    }
  }

  /// Writes the fields that only blocks of this type have, each with a comma before it.
  mutating func writeTypeFields(of index: BlockIndex, in table: borrowing BlockTable) {
    switch table[index].type {
    case .paragraph: if table[index].isDirectiveLabel { write(.directiveLabel) }
    case .thematicBreak, .tableCell, .html, .math, .yaml: break
    case .heading:
      write(.depth)
      write(table.depth(of: index))
    case .code:
      write(.fenced)
      write(table.isFenced(index))
      writeInfo(of: index, in: table)
    case .blockquote:
      if let alert = table.alert(of: index) { write(JSONFragment.alerts[Int(alert.rawValue) - 1]) }
    case .list:
      write(.ordered)
      write(table.isOrdered(index))
      if let start = table.start(of: index) {
        write(.start)
        write(start)
      }
      writeSpread(of: index, in: table)
    case .listItem:
      if let checked = table.checked(of: index) {
        write(.checked)
        write(checked)
      }
      writeSpread(of: index, in: table)
    case .table:
      writeAlignments(of: index, in: table)
    case .tableRow:
      write(.header)
      write(table.isHeader(index))
    case .definition:
      let fields = table.definition(of: index)
      write(.identifier, fields.identifier, of: table)
      write(.label, fields.label, of: table)
      write(.url, fields.url, of: table)
      writeTitle(of: index, in: table)
    case .footnoteDefinition:
      let fields = table.footnote(of: index)
      write(.identifier, fields.identifier, of: table)
      write(.label, fields.label, of: table)
    case .component:
      writeComponent(index, in: table)
    }
  }

  mutating func writeInfo(of index: BlockIndex, in table: borrowing BlockTable) {
    let info = table.codeInfo(of: index)
    if let language = info.language { write(.language, language, of: table) }
    if let meta = info.meta { write(.meta, meta, of: table) }
  }

  mutating func writeSpread(of index: BlockIndex, in table: borrowing BlockTable) {
    write(.spread)
    write(table.isSpread(index))
  }

  mutating func writeAlignments(of index: BlockIndex, in table: borrowing BlockTable) {
    write(.align)
    let columns = table.alignments(of: index)
    for column in columns {
      if column > columns.lowerBound { write(UInt8(ascii: ",")) }
      write(JSONFragment.columnAlignments[Int(table.strings[column])])
    }
    write(UInt8(ascii: "]"))
  }

  mutating func writeTitle(of index: BlockIndex, in table: borrowing BlockTable) {
    if let title = table.definition(of: index).title { write(.title, title, of: table) }
  }

  private mutating func writeComponent(_ index: BlockIndex, in table: borrowing BlockTable) {
    let (name, content) = table.component(of: index)
    write(.name, name, of: table)
    write(.attributes)
    write(attributes: table.attributes(of: index), of: table.strings.span)
    write(UInt8(ascii: "}"))
    write(JSONFragment.contents[Int(content.rawValue)])
  }

  /// Writes the members of a component's attributes, ranges of `strings`, without the braces.
  mutating func write(
    attributes: some Sequence<(name: Range<Int>, value: Range<Int>?)>, of strings: borrowing Span<UInt8>
  ) {
    var isFirst = true
    for attribute in attributes {
      if !isFirst { write(UInt8(ascii: ",")) }
      isFirst = false
      write(string: strings.extracting(attribute.name))
      write(UInt8(ascii: ":"))
      if let value = attribute.value {
        write(string: strings.extracting(value))
      } else {
        write(true)
      }
    }
  }

  /// Writes a field whose value is a range of `table.strings`.
  private mutating func write(_ field: JSONFragment, _ range: Range<Int>, of table: borrowing BlockTable) {
    write(field)
    write(string: table.strings, in: range)
  }
}
