package import Markup

extension BlockTable {
  /// The block that has the ID `id`, if there is one.
  ///
  /// - Complexity: O(log `count`) for source-offset keys and blocks named after one (`e812`, `e812+2`), O(1)
  ///   for `doc+2`, O(`count`) for template keys (`card:apple#2`).
  package func index(ofID id: [UInt8]) -> BlockIndex? {
    guard let parts = IDParts(id) else { return nil }
    let keyed: BlockIndex?
    if parts.isDocument {
      keyed = nil
    } else if let offset = parts.offset {
      guard let found = index(ofOffsetKey: offset) else { return nil }
      keyed = found
    } else {
      guard let found = index(ofName: id[parts.name], repeatCount: parts.repeatCount) else { return nil }
      keyed = found
    }
    guard parts.count > 0 else { return keyed }
    // The blocks named after a keyed one are those that follow it, up to the next keyed one.
    let (row, overflow) = (keyed?.row ?? -1).addingReportingOverflow(parts.count)
    guard !overflow, row < count else { return nil }
    let result = BlockIndex(row)
    guard case .unkeyed(after: keyed, count: parts.count) = key(of: result) else { return nil }
    return result
  }

  /// The block that has the ID `id`, if there is one.
  package func index(ofID id: String) -> BlockIndex? { index(ofID: Array(id.utf8)) }

  /// Calls `body` with each child of the block at `index`, in order.
  ///
  /// - Complexity: O(number of descendants).
  package func forEachChild(of index: BlockIndex, _ body: (BlockIndex) -> Void) {
    var row = index.row + 1
    while row < count, let parent = self[BlockIndex(row)].parent, parent >= index {
      if parent == index { body(BlockIndex(row)) }
      row += 1
    }
  }

  private func index(ofOffsetKey offset: Int) -> BlockIndex? {
    // `begin` never falls from one block to the next.
    var row = (0..<count).partitionPoint { self[BlockIndex($0)].begin.value < offset }
    while row < count, self[BlockIndex(row)].begin.value == offset {
      if case .sourceOffset = key(of: BlockIndex(row)) { return BlockIndex(row) }
      row += 1
    }
    return nil
  }

  private func index(ofName name: ArraySlice<UInt8>, repeatCount: Int) -> BlockIndex? {
    for row in 0..<count {
      if case .template(let range, repeatCount) = key(of: BlockIndex(row)), strings[range] == name {
        return BlockIndex(row)
      }
    }
    return nil
  }
}

/// An ID taken apart (identity.md §2): a base, which repeat of it, and the counter of an unkeyed block.
private struct IDParts {
  /// The base as a range of the ID.
  var name: Range<Int>
  /// The number behind `e`, where the base is a source-offset key.
  var offset: Int?
  var isDocument = false
  var repeatCount = 1
  /// 0 for a keyed block.
  var count = 0

  init?(_ id: [UInt8]) {
    name = id.indices
    // An encoded key holds neither `+` nor `#`.
    if let plus = id.lastIndex(of: UInt8(ascii: "+")) {
      guard let number = Self.number(id[(plus + 1)...]), number > 0 else { return nil }
      count = number
      name = name.lowerBound..<plus
    }
    if let sign = id[name].lastIndex(of: UInt8(ascii: "#")) {
      guard let number = Self.number(id[(sign + 1)..<name.upperBound]), number > 1 else { return nil }
      repeatCount = number
      name = name.lowerBound..<sign
    }
    let base = id[name]
    // A template key is told from the others by its colon.
    if base.contains(UInt8(ascii: ":")) { return }
    guard repeatCount == 1 else { return nil }
    if base.elementsEqual("doc".utf8) {
      guard count > 0 else { return nil }
      isDocument = true
    } else {
      guard base.first == UInt8(ascii: "e"), let number = Self.number(base.dropFirst()) else { return nil }
      offset = number
    }
  }

  /// Digits without a leading zero.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard let first = digits.first, digits.count <= 10 else { return nil }
    if first == UInt8(ascii: "0") && digits.count > 1 { return nil }
    var result = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0") && digit <= UInt8(ascii: "9") else { return nil }
      result = result * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return result
  }
}
