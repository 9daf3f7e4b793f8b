/// The type of a block, by mdast's names (identity.md §1).
@usableFromInline
package enum BlockType: UInt8, Sendable, CaseIterable {
  case paragraph, heading, code, thematicBreak, blockquote, list, listItem, table, tableRow, tableCell
  case html, math, definition, footnoteDefinition, yaml, component

  /// The name in mdast and on the wire.
  package var name: StaticString {
    switch self {
    case .paragraph: "paragraph"
    case .heading: "heading"
    case .code: "code"
    case .thematicBreak: "thematicBreak"
    case .blockquote: "blockquote"
    case .list: "list"
    case .listItem: "listItem"
    case .table: "table"
    case .tableRow: "tableRow"
    case .tableCell: "tableCell"
    case .html: "html"
    case .math: "math"
    case .definition: "definition"
    case .footnoteDefinition: "footnoteDefinition"
    case .yaml: "yaml"
    case .component: "component"
    }
  }

  /// Whether blocks of this type hold other blocks. A component with raw content is the exception: it has
  /// text (see `Block.hasText`).
  @inlinable package var isContainer: Bool {
    switch self {
    case .blockquote, .list, .listItem, .table, .tableRow, .footnoteDefinition, .component: true
    case .paragraph, .heading, .code, .thematicBreak, .tableCell, .html, .math, .definition, .yaml: false
    }
  }
}

/// The five alerts of a block quote (dialect `chat`).
package enum Alert: UInt8, Sendable, CaseIterable {
  case note = 1
  case tip, important, warning, caution

  /// The lower-case name on the wire.
  package var name: StaticString {
    switch self {
    case .note: "note"
    case .tip: "tip"
    case .important: "important"
    case .warning: "warning"
    case .caution: "caution"
    }
  }
}

/// The alignment of a table's column.
package enum ColumnAlignment: UInt8, Sendable {
  case none = 0
  case left, center, right
}

/// How a component's content is read (identity.md §5).
package enum ComponentContent: UInt8, Sendable {
  /// Blocks.
  case markdown
  /// Verbatim, until its close tag.
  case raw
  /// The open tag is all there is.
  case none

  package var name: StaticString {
    switch self {
    case .markdown: "markdown"
    case .raw: "raw"
    case .none: "none"
    }
  }
}

/// What a block's ID is made of (identity.md §2).
package enum BlockKey: Sendable, Equatable {
  /// `e` and the offset of the block's first byte: `begin`.
  case sourceOffset
  /// A name written in the source (`card:apple`), already encoded, as a range of `BlockTable.strings`; and
  /// which block of that name it is, counted from 1.
  case template(name: Range<Int>, repeatCount: Int)
  /// The last keyed block before it (`nil`: none yet, `doc`), and a counter from 1.
  case unkeyed(after: BlockIndex?, count: Int)
}

/// One block's record: the fields that every type has, in 48 bytes.
///
/// Fields that only some types have are read through `BlockTable`.
@usableFromInline
package struct Block: Sendable, Equatable {
  /// The row of the parent, or -1 at top level.
  @usableFromInline var parentRow: Int32
  @usableFromInline var beginValue: UInt32
  /// Meaningful once sealed.
  @usableFromInline var endValue: UInt32
  @usableFromInline var bornValue: UInt32
  @usableFromInline var revisionValue: UInt32
  /// The leaf's text is `BlockTable.text[textStart ..< textStart + textLength]`.
  @usableFromInline var textStart: UInt32
  @usableFromInline var textLength: UInt32
  /// Template key: the index of its name. Unkeyed: the row of the keyed block before it, or `UInt32.max`.
  var keyValue: UInt32
  /// Template key: which repeat. Unkeyed: the counter.
  var keyCount: UInt32
  /// List: its first number. Heading: the depth. Quote: the alert. Code, definition, footnote definition,
  /// component, table: the index of its record in the table of that type.
  @usableFromInline var payload: UInt32
  @usableFromInline package var type: BlockType
  var keyKind: KeyKind
  @usableFromInline var flags: Flags

  /// What `keyKind`, `keyValue` and `keyCount` are set to.
  typealias Key = (kind: KeyKind, value: UInt32, count: UInt32)

  enum KeyKind: UInt8, Sendable { case sourceOffset, template, unkeyed }

  @usableFromInline
  struct Flags: OptionSet, Sendable {
    @usableFromInline var rawValue: UInt16

    @inlinable init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable static var sealed: Flags { Flags(rawValue: 1) }
    /// A fenced code block.
    @inlinable static var fenced: Flags { Flags(rawValue: 2) }
    @inlinable static var ordered: Flags { Flags(rawValue: 4) }
    @inlinable static var spread: Flags { Flags(rawValue: 8) }
    @inlinable static var header: Flags { Flags(rawValue: 16) }
    @inlinable static var task: Flags { Flags(rawValue: 32) }
    @inlinable static var checked: Flags { Flags(rawValue: 64) }
    /// A component whose content is verbatim text.
    @inlinable static var rawContent: Flags { Flags(rawValue: 128) }
    /// A fenced code block that has had a line of content, be it an empty one.
    @inlinable static var hasLines: Flags { Flags(rawValue: 256) }
    /// A paragraph that is the label of the directive that it is in.
    @inlinable static var directiveLabel: Flags { Flags(rawValue: 512) }
  }

  /// Whether the block is final in every field.
  @inlinable package var isSealed: Bool { flags.contains(.sealed) }
  /// The parent, or `nil` at top level.
  @inlinable package var parent: BlockIndex? { parentRow < 0 ? nil : BlockIndex(Int(parentRow)) }
  /// The offset of the block's first byte.
  @inlinable package var begin: ByteOffset { ByteOffset(Int(beginValue)) }
  /// The offset after the block's last byte; `nil` while it is open.
  @inlinable package var end: ByteOffset? { isSealed ? ByteOffset(Int(endValue)) : nil }
  /// The offset at which the block first showed.
  @inlinable package var born: ByteOffset { ByteOffset(Int(bornValue)) }
  /// The offset at which it last changed.
  @inlinable package var revision: Revision { Revision(Int(revisionValue)) }

  /// Makes the block final.
  @inline(__always)
  mutating func seal(end: UInt32, at offset: UInt32) {
    endValue = end
    revisionValue = offset
    flags.insert(.sealed)
  }

  /// Sets the length of the shown text, which changed at `offset`.
  @inline(__always)
  mutating func setTextLength(to length: UInt32, at offset: UInt32) {
    textLength = length
    revisionValue = offset
  }

  /// Whether the block's text holds inline content (CommonMark 0.31.2 §6).
  package var hasInlineContent: Bool {
    switch type {
    case .paragraph, .heading, .tableCell: true
    case .code, .thematicBreak, .blockquote, .list, .listItem, .table, .tableRow, .html, .math, .definition,
      .footnoteDefinition, .yaml, .component:
      false
    }
  }

  /// Whether the block is a leaf that shows text (an empty one counts).
  package var hasText: Bool {
    switch type {
    case .paragraph, .heading, .code, .tableCell, .html, .math, .definition, .yaml: true
    case .component: flags.contains(.rawContent)
    case .thematicBreak, .blockquote, .list, .listItem, .table, .tableRow, .footnoteDefinition: false
    }
  }
}
