import BlockDiff
import ByteStorage

@testable import Markup

/// Builds block tables by hand, as the parser would leave them.
struct TableBuilder {
  var table = BlockTable()

  @discardableResult
  mutating func add(
    _ type: BlockType, key: Block.KeyKind = .unkeyed, of keyValue: UInt32 = .max, count: UInt32 = 0,
    parent: Int = -1, begin: Int, born: Int, payload: UInt32 = 0, flags: Block.Flags = []
  ) -> Int {
    table.rows.append(
      Block(
        parentRow: Int32(parent), beginValue: UInt32(begin), endValue: 0, bornValue: UInt32(born),
        revisionValue: UInt32(born), textStart: UInt32(table.text.count), textLength: 0, keyValue: keyValue,
        keyCount: count, payload: payload, type: type, keyKind: key, flags: flags))
    move(to: born)
    return table.rows.count - 1
  }

  /// Adds bytes to the last block's text, the last of them at `offset`, each with its own source byte.
  mutating func grow(_ text: String, at offset: Int) {
    let row = table.rows.count - 1
    table.text.append(contentsOf: text.utf8)
    table.rows[row].textLength += UInt32(text.utf8.count)
    table.rows[row].revisionValue = UInt32(offset)
    table.growth.grow(by: text.utf8.count, to: table.text.count, at: offset)
    move(to: offset)
  }

  mutating func seal(_ row: Int, end: Int, at offset: Int) {
    table.rows[row].endValue = UInt32(end)
    table.rows[row].flags.insert(.sealed)
    touch(row, at: offset)
  }

  mutating func change(_ row: Int, _ fields: ChangedFields, at offset: Int) {
    table.changes.append(FieldChange(at: UInt32(offset), row: UInt32(row), fields: fields))
    touch(row, at: offset)
  }

  private mutating func touch(_ row: Int, at offset: Int) {
    table.rows[row].revisionValue = UInt32(offset)
    move(to: offset)
  }

  mutating func move(to offset: Int) {
    table.position = ByteOffset(max(table.position.value, offset))
  }

  mutating func finish(at offset: Int) {
    table.isFinished = true
    table.pending = 0
    move(to: offset)
  }

  /// Stores bytes among the table's strings.
  mutating func string(_ text: String) -> Range<Int> {
    let start = table.strings.count
    table.strings.append(contentsOf: text.utf8)
    return start..<table.strings.count
  }
}

extension TableBuilder {
  /// The example of api.md §2: `# Trip`, an empty line, `Pack these:`, an empty line, `- socks`, and, from
  /// offset 28 on, `- map` on the next line.
  static func trip(through offset: Int) -> TableBuilder {
    var builder = TableBuilder()
    builder.add(.heading, key: .sourceOffset, begin: 0, born: 2, payload: 1)
    builder.grow("Trip", at: 6)
    builder.seal(0, end: 6, at: 7)
    builder.add(.paragraph, of: 0, count: 1, begin: 8, born: 9)
    builder.grow("Pack these:", at: 19)
    builder.seal(1, end: 19, at: 21)
    if offset >= 28 {
      builder.add(.list, of: 0, count: 2, begin: 21, born: 24)
      builder.add(.listItem, key: .sourceOffset, parent: 2, begin: 21, born: 24)
      builder.add(.paragraph, of: 3, count: 1, parent: 3, begin: 23, born: 24)
      builder.grow("socks", at: 28)
    }
    if offset >= 34 {
      builder.seal(3, end: 28, at: 32)
      builder.seal(4, end: 28, at: 32)
      builder.add(.listItem, key: .sourceOffset, parent: 2, begin: 29, born: 32)
      builder.add(.paragraph, of: 5, count: 1, parent: 5, begin: 31, born: 32)
      builder.grow("map", at: 34)
    }
    if offset >= 37 {
      builder.grow("s", at: 35)
      builder.seal(6, end: 35, at: 37)
    }
    return builder
  }

  /// Stores a component's attributes among the table's strings.
  mutating func attributes(_ list: [(name: String, value: String?)]) -> Range<Int> {
    let start = table.strings.count
    table.strings += ComponentAttributes.encoded(
      list.map { ComponentAttribute(name: Array($0.name.utf8), value: $0.value.map { Array($0.utf8) }) })
    return start..<table.strings.count
  }

  /// A table with one block of each type that has fields of its own, and some strings that need escapes.
  static func everyField() -> TableBuilder {
    var builder = TableBuilder()
    let info = CodeInfo(language: builder.string("py"), meta: builder.string("a=\"1\""))
    builder.table.codeInfos = [info]
    builder.add(.code, key: .sourceOffset, begin: 0, born: 1, payload: 0, flags: .fenced)
    builder.grow("a\tb\\\n\u{1}é", at: 10)
    builder.seal(0, end: 10, at: 11)
    builder.add(
      .blockquote, key: .sourceOffset, begin: 11, born: 12, payload: UInt32(Alert.tip.rawValue))
    builder.seal(1, end: 12, at: 13)
    builder.add(.list, of: 1, count: 1, begin: 14, born: 14, payload: 3, flags: [.ordered, .spread])
    builder.add(
      .listItem, key: .sourceOffset, parent: 2, begin: 14, born: 14, flags: [.task, .checked])
    builder.seal(3, end: 16, at: 17)
    builder.seal(2, end: 16, at: 17)
    builder.table.alignments = [builder.string("\0\u{1}\u{2}\u{3}")].map(CompactRange.init)
    builder.add(.table, of: 3, count: 1, begin: 18, born: 18)
    builder.add(.tableRow, key: .sourceOffset, parent: 4, begin: 18, born: 18, flags: .header)
    builder.add(.tableCell, of: 5, count: 1, parent: 5, begin: 18, born: 18)
    builder.grow("x", at: 19)
    for row in [6, 5, 4] { builder.seal(row, end: 19, at: 20) }
    builder.table.definitions = [
      DefinitionFields(
        identifier: builder.string("a"), label: builder.string("A"), url: builder.string("/u"),
        title: builder.string(""))
    ]
    builder.add(.definition, of: 5, count: 2, begin: 21, born: 28)
    builder.grow("[A]: /u", at: 28)
    builder.seal(7, end: 28, at: 29)
    builder.table.footnotes = [
      LabelFields(identifier: builder.string("n"), label: builder.string("N"))
    ]
    builder.table.names = [builder.string("footnote:N"), builder.string("Card:x%20y")].map(CompactRange.init)
    builder.add(
      .footnoteDefinition, key: .template, of: 0, count: 1, begin: 30, born: 31)
    builder.seal(8, end: 34, at: 35)
    builder.table.components = [
      ComponentFields(
        name: builder.string("Card"), content: .raw,
        attributes: builder.attributes([("key", "x y"), ("wide", nil)]))
    ]
    builder.add(
      .component, key: .template, of: 1, count: 2, begin: 36, born: 50, payload: 0, flags: .rawContent)
    builder.grow("raw", at: 53)
    return builder
  }
}

extension JSONWriter {
  /// What `body` writes, as a string.
  static func string(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
