import Testing

@testable import Markup

/// Rows in chunks behave as an array of rows.
struct RowListTests {
  private static let counts = [0, 1, 511, 512, 513, 1024, 1300]

  private func row(_ number: Int) -> Block {
    Block(
      parentRow: -1, beginValue: UInt32(number), endValue: 0, bornValue: 0, revisionValue: 0, textStart: 0,
      textLength: 0, keyValue: 0, keyCount: 0, payload: 0, type: .paragraph, keyKind: .sourceOffset,
      flags: [])
  }

  private func list(_ count: Int) -> RowList {
    var list = RowList()
    for number in 0..<count { list.append(row(number)) }
    return list
  }

  @Test(arguments: counts) func keepsRowsInOrder(_ count: Int) {
    let list = list(count)
    #expect(list.count == count)
    #expect(list.map(\.beginValue) == (0..<UInt32(count)).map { $0 })
    #expect(list.last?.beginValue == (count == 0 ? nil : UInt32(count - 1)))
  }

  @Test(arguments: counts) func changesOneRow(_ count: Int) {
    for number in [0, count / 2, count - 1] where number >= 0 && number < count {
      var changed = list(count)
      changed.change(number) { $0.payload = 7 }
      changed[number].textLength = 3
      var expected = (0..<count).map(row)
      expected[number].payload = 7
      expected[number].textLength = 3
      #expect(Array(changed) == expected)
    }
  }

  @Test(arguments: counts) func copiesAndPrefixesAreTheirOwn(_ count: Int) {
    let original = list(count)
    for length in counts where length <= count {
      var prefix = original.prefix(length)
      #expect(Array(prefix) == (0..<length).map(row))
      if length > 0 { prefix.change(0) { $0.payload = 9 } }
      for number in length..<length + 600 { prefix.append(row(number)) }
      #expect(prefix.count == length + 600)
      #expect(prefix.last == row(length + 599))
    }
    #expect(Array(original) == (0..<count).map(row))
  }

  /// At most a chunk more than the rows, and little where there are few.
  @Test(arguments: [1, 10, 512, 513, 100_000]) func takesLittleRoom(_ count: Int) {
    var list = list(count)
    let bytes = count * MemoryLayout<Block>.stride
    #expect(list.footprint <= bytes + 24_576 + 512 + count / 32)
    if count <= 10 { #expect(list.footprint <= 2 * bytes + 256) }
    list.trim()
    #expect(list.footprint <= bytes + bytes / 16 + 1_024 + count / 32)
    #expect(list.count == count && list.last == row(count - 1))
  }

  private var counts: [Int] { Self.counts }
}
