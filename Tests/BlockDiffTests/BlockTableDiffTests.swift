import BlockDiff
import ByteStorage
import Testing

@testable import Markup

@Suite struct BlockTableDiffTests {
  @Test func opensWhatIsNewSinceTheOffset() {
    let table = TableBuilder.trip(through: 34).table
    let diff = table.diff(since: ByteOffset(21))
    #expect(diff.ops == (2...6).map { .open(BlockIndex($0)) })
    #expect(diff.from == ByteOffset(21) && diff.to == ByteOffset(34))
  }

  @Test func appendsAndSealsInThatOrder() {
    let table = TableBuilder.trip(through: 37).table
    #expect(
      table.diff(since: ByteOffset(34)).ops == [
        .append(BlockIndex(6), from: 3, ByteOffset(35)), .seal(BlockIndex(6)),
      ])
    #expect(table.diff(since: ByteOffset(35)).ops == [.seal(BlockIndex(6))])
    #expect(table.diff(since: ByteOffset(37)).ops == [])
  }

  @Test func sealsAnItemThatWasOpenBeforeItOpensTheNext() {
    let table = TableBuilder.trip(through: 34).table
    #expect(
      table.diff(since: ByteOffset(28)).ops == [
        .seal(BlockIndex(3)), .seal(BlockIndex(4)), .open(BlockIndex(5)), .open(BlockIndex(6)),
      ])
  }

  @Test func reportsEverythingSinceNothing() {
    var builder = TableBuilder()
    builder.table.components = [
      ComponentFields(name: builder.string("think"), content: .markdown, attributes: 0..<0)
    ]
    builder.table.names = [builder.string("open:think")].map(CompactRange.init)
    builder.add(.component, key: .template, of: 0, count: 1, begin: 0, born: 0)
    #expect(builder.table.diff(since: nil).ops == [.open(BlockIndex(0))])
    #expect(builder.table.diff(since: .zero).ops == [])
  }

  @Test func setsATypeWithoutTheTextThatItLost() {
    var builder = TableBuilder()
    builder.add(.paragraph, count: 1, begin: 0, born: 1)
    builder.grow("a", at: 1)
    builder.table.rows[0].type = .table
    builder.table.rows[0].textLength = 0
    builder.table.alignments = [builder.string("\u{1}")].map(CompactRange.init)
    builder.change(0, [.type, .text], at: 5)
    builder.add(.tableRow, key: .sourceOffset, parent: 0, begin: 0, born: 5, flags: .header)
    builder.seal(1, end: 1, at: 5)
    #expect(
      builder.table.diff(since: ByteOffset(3)).ops == [
        .set(BlockIndex(0), .type, ByteOffset(5)), .open(BlockIndex(1)),
      ])
    let wire = JSONWriter.string { $0.write(.set(BlockIndex(0), .type, ByteOffset(5)), of: builder.table) }
    #expect(wire == #"{"op":"set","id":"doc+1","type":"table","align":["left"],"rev":5}"#)
  }

  @Test func setsTheTextOfAParagraphThatGivesItsLastLineAway() {
    var builder = TableBuilder()
    builder.add(.paragraph, count: 1, begin: 0, born: 1)
    builder.grow("a\nb", at: 3)
    builder.table.rows[0].textLength = 1
    builder.table.text.truncate(to: builder.table.text.count - 2)
    builder.change(0, .text, at: 6)
    builder.seal(0, end: 1, at: 6)
    #expect(
      builder.table.diff(since: ByteOffset(3)).ops == [
        .set(BlockIndex(0), .text, ByteOffset(6)), .seal(BlockIndex(0)),
      ])
    let wire = JSONWriter.string { $0.write(.set(BlockIndex(0), .text, ByteOffset(6)), of: builder.table) }
    #expect(wire == #"{"op":"set","id":"doc+1","text":"a","rev":6}"#)
  }

  @Test func tellsAHeadingsGrowthAndItsDepth() {
    var builder = TableBuilder()
    builder.add(.paragraph, count: 1, begin: 0, born: 1)
    builder.grow("ab", at: 2)
    builder.table.rows[0].type = .heading
    builder.table.rows[0].payload = 2
    builder.change(0, .type, at: 7)
    builder.seal(0, end: 6, at: 7)
    let diff = builder.table.diff(since: ByteOffset(1))
    #expect(
      diff.ops == [
        .append(BlockIndex(0), from: 1, ByteOffset(2)), .set(BlockIndex(0), .type, ByteOffset(7)),
        .seal(BlockIndex(0)),
      ])
    let wire = JSONWriter.string { $0.write(diff.ops[1], of: builder.table) }
    #expect(wire == #"{"op":"set","id":"doc+1","type":"heading","depth":2,"rev":7}"#)
  }

  @Test func setsOnlySpreadWhereOnlyThatChanged() {
    var builder = TableBuilder.trip(through: 28)
    builder.table.rows[2].flags.insert(.spread)
    builder.change(2, .spread, at: 30)
    builder.change(2, .spread, at: 30)
    let diff = builder.table.diff(since: ByteOffset(28))
    #expect(diff.ops == [.set(BlockIndex(2), .spread, ByteOffset(30))])
    let wire = JSONWriter.string { $0.write(diff.ops[0], of: builder.table) }
    #expect(wire == #"{"op":"set","id":"e0+2","spread":true,"rev":30}"#)
  }

  @Test func finishesAtAPositionOfItsOwn() {
    var builder = TableBuilder.trip(through: 37)
    builder.seal(2, end: 35, at: 38)
    builder.seal(5, end: 35, at: 38)
    builder.finish(at: 38)
    #expect(
      builder.table.diff(since: ByteOffset(37)).ops == [
        .seal(BlockIndex(2)), .seal(BlockIndex(5)), .finish,
      ])
    #expect(builder.table.diff(since: ByteOffset(38)).ops == [])
  }

  @Test func looksOnlyAtThePathThatWasOpen() {
    // A thousand sealed paragraphs before the one that grows; a diff names no other.
    var builder = TableBuilder()
    for number in 0..<1000 {
      let row = builder.add(.paragraph, count: UInt32(number + 1), begin: number * 3, born: number * 3 + 1)
      builder.grow("a", at: number * 3 + 1)
      builder.seal(row, end: number * 3 + 1, at: number * 3 + 3)
    }
    builder.add(.paragraph, count: 1001, begin: 3000, born: 3001)
    builder.grow("abc", at: 3003)
    #expect(
      builder.table.diff(since: ByteOffset(3002)).ops == [
        .append(BlockIndex(1000), from: 2, ByteOffset(3003))
      ])
  }
}
