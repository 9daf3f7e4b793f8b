// Fields that only some types have, for those who hold the block and need no table to read them.

extension Block {
  /// The row of the parent, -1 at top level.
  @inlinable package var rowOfParent: Int { Int(parentRow) }

  /// The text of a leaf, as a range of `BlockTable.text`. Empty for blocks without text.
  @inlinable package var textRange: Range<Int> { Int(textStart)..<Int(textStart) &+ Int(textLength) }

  /// Whether a list is loose, or a blank line lies between an item's own children.
  @inlinable package var isSpread: Bool { flags.contains(.spread) }

  /// Whether a task list item is checked; `nil` for other items.
  @inlinable package var isChecked: Bool? { flags.contains(.task) ? flags.contains(.checked) : nil }

  /// Whether a paragraph is the label of the directive that it is in.
  @inlinable package var isDirectiveLabel: Bool { flags.contains(.directiveLabel) }

  /// Whether a table row is the header row.
  @inlinable package var isHeader: Bool { flags.contains(.header) }
}
