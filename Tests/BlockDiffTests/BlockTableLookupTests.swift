import BlockDiff
import Testing

@testable import Markup

@Suite struct BlockTableLookupTests {
  @Test(arguments: [TableBuilder.trip(through: 34).table, TableBuilder.everyField().table])
  func findsEveryBlockByItsID(_ table: BlockTable) {
    for row in 0..<table.count {
      let id = table.id(of: BlockIndex(row))
      #expect(table.index(ofID: id) == BlockIndex(row), "\(id)")
    }
  }

  @Test func findsBlocksBeforeTheFirstKeyedOne() {
    var builder = TableBuilder()
    builder.add(.paragraph, count: 1, begin: 0, born: 1)
    builder.add(.paragraph, count: 2, begin: 3, born: 4)
    builder.add(.heading, key: .sourceOffset, begin: 6, born: 7, payload: 1)
    #expect(builder.table.index(ofID: "doc+2") == BlockIndex(1))
    #expect(builder.table.index(ofID: "doc+3") == nil)
    #expect(builder.table.index(ofID: "e6") == BlockIndex(2))
  }

  @Test(arguments: [
    "", "e", "e+1", "e1", "e00", "e0+0", "e0+01", "e0+", "e0+9", "e0#2", "doc", "doc+0", "doc#2+1", "e21+2",
    "e-1", "e0x", "x0", "+1", "#2", ":", "footnote:n", "footnote:N#1", "Card:x%20y", "Card:x%20y#3", "e0+1+1",
    "e99999999999", "doc+9999999999", "footnote:N+1",
  ])
  func refusesWhatIsNoIDOfTheTable(_ id: String) {
    #expect(TableBuilder.everyField().table.index(ofID: id) == nil)
  }

  @Test func namesChildrenOnly() {
    let table = TableBuilder.trip(through: 34).table
    var children: [Int] = []
    table.forEachChild(of: BlockIndex(2)) { children.append($0.row) }
    #expect(children == [3, 5])
    children = []
    table.forEachChild(of: BlockIndex(0)) { children.append($0.row) }
    #expect(children == [])
  }
}
