import BlockDiff
import Testing

@testable import Markup

@Suite struct BlockDocumentTests {
  private let envelope = Envelope(stream: "demo", incarnation: 1)

  private func diff(_ table: BlockTable, since offset: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(table.diff(since: ByteOffset(offset)), of: table, in: envelope)
    return writer.bytes
  }

  private func snapshot(_ table: BlockTable) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(snapshotOf: table, dialect: .chat, in: envelope)
    return writer.bytes
  }

  @Test func replaysDiffsToTheSnapshot() throws {
    var document = BlockDocument(incarnation: 1)
    var at = 0
    for offset in [28, 34, 37] {
      let table = TableBuilder.trip(through: offset).table
      try document.apply(diff: diff(table, since: at))
      at = table.position.value
      #expect(try document == BlockDocument(snapshot: snapshot(table)))
      #expect(try document == BlockDocument(table, incarnation: 1))
    }
    #expect(document["e29+1"]?.text == "maps")
    #expect(document["nothing"] == nil)
  }

  @Test func readsEveryFieldOverTheWireAndWithout() throws {
    let table = TableBuilder.everyField().table
    let document = try BlockDocument(table, incarnation: 1)
    #expect(try BlockDocument(snapshot: snapshot(table)) == document)
    let update = BlockDocument.Update(table.diff(since: nil), of: table, incarnation: 1)
    #expect(try BlockDocument.Update(json: diff(table, since: 0)) == update)
    var replayed = BlockDocument(incarnation: 1)
    try replayed.apply(update)
    #expect(replayed == document)
  }

  @Test func readsEveryOpOverTheWireAndWithout() throws {
    var builder = TableBuilder()
    builder.add(.paragraph, count: 1, begin: 0, born: 1)
    builder.grow("[a]: /u", at: 7)
    builder.table.rows[0].type = .definition
    builder.table.definitions = [
      DefinitionFields(
        identifier: builder.string("a"), label: builder.string("a"), url: builder.string("/u"),
        title: builder.string("t"))
    ]
    builder.change(0, .type, at: 8)
    builder.change(0, .title, at: 9)
    builder.change(0, .text, at: 9)
    builder.seal(0, end: 7, at: 10)
    builder.finish(at: 10)
    for since in [5, 8, 9] {
      #expect(
        try BlockDocument.Update(json: diff(builder.table, since: since))
          == BlockDocument.Update(
            builder.table.diff(since: ByteOffset(since)), of: builder.table, incarnation: 1))
    }
  }

  // MARK: - What is refused

  /// A document with an open list, its sealed item with a sealed paragraph, and an open item.
  private func document() throws -> BlockDocument {
    try BlockDocument(TableBuilder.trip(through: 37).table, incarnation: 1)
  }

  private func apply(_ ops: String, from: Int = 37, to: Int = 40) throws {
    var document = try document()
    let from = OffsetToken(incarnation: 1, position: ByteOffset(from))
    let to = OffsetToken(incarnation: 1, position: ByteOffset(to))
    try document.apply(diff: Array(#"{"from":"\#(from)","to":"\#(to)","pending":0,"ops":[\#(ops)]}"#.utf8))
  }

  private static let paragraph = #""type":"paragraph","rev":40,"text":"x""#

  @Test(
    arguments: [
      (#"{"op":"append","id":"e9","text":"x","rev":40}"#, .unknownID("e9")),
      (#"{"op":"open","id":"e29","begin":37,\#(paragraph)}"#, .repeatedID("e29")),
      (#"{"op":"open","id":"e37","parent":"e9","begin":37,\#(paragraph)}"#, .unknownID("e9")),
      (#"{"op":"append","id":"e29+1","text":"x","rev":40}"#, .changeOfSealed("e29+1")),
      (#"{"op":"seal","id":"e21","end":37,"rev":40}"#, .changeOfSealed("e21")),
      (
        #"{"op":"seal","id":"e29","end":37,"rev":40},{"op":"seal","id":"e29","end":37,"rev":40}"#,
        .changeOfSealed("e29")
      ),
      (#"{"op":"open","id":"e37","parent":"e21","begin":37,\#(paragraph)}"#, .openInSealed("e37")),
      (#"{"op":"open","id":"e37","parent":"e29+1","begin":37,\#(paragraph)}"#, .openInSealed("e37")),
      (
        #"{"op":"open","id":"a:1","begin":37,\#(paragraph)},{"op":"open","id":"a:2","parent":"e29","begin":38,\#(paragraph)}"#,
        .openOffRightmostPath("a:2")
      ),
      (
        #"{"op":"open","id":"a:1","parent":"e29","begin":37,\#(paragraph)},{"op":"open","id":"a:2","parent":"a:1","begin":38,\#(paragraph)}"#,
        .openInLeaf("a:2")
      ),
      (#"{"op":"open","id":"a:1","parent":"e29","begin":30,\#(paragraph)}"#, .beginOutOfOrder("a:1")),
      (#"{"op":"open","id":"a:1","parent":"e29","begin":37,"end":36,\#(paragraph)}"#, .endBeforeBegin("a:1")),
      (#"{"op":"seal","id":"e29","end":28,"rev":40}"#, .endBeforeBegin("e29")),
      (#"{"op":"seal","id":"e29","end":38,"rev":37}"#, .wrongRevision("e29", ByteOffset(37))),
      (#"{"op":"seal","id":"e29","end":38,"rev":41}"#, .wrongRevision("e29", ByteOffset(41))),
      (#"{"op":"append","id":"e29","text":"x","rev":40}"#, .wrongText("e29")),
      (#"{"op":"open","id":"a:1","parent":"e29","begin":37,"type":"paragraph","rev":40}"#, .wrongText("a:1")),
      (
        #"{"op":"open","id":"a:1","parent":"e29","begin":37,"type":"thematicBreak","rev":40,"text":""}"#,
        .wrongText("a:1")
      ),
      (
        #"{"op":"set","id":"e29","type":"blockquote","rev":40}"#,
        .illegalType("e29", from: .listItem, to: .blockquote)
      ),
      (#"{"op":"set","id":"e29","checked":true,"rev":40}"#, .illegalField("e29", "fixed")),
      (#"{"op":"set","id":"e29","spread":false,"rev":40}"#, .illegalField("e29", "spread")),
      (#"{"op":"set","id":"e29","title":"x","rev":40}"#, .illegalField("e29", "title")),
      (#"{"op":"set","id":"e29","text":"x","rev":40}"#, .wrongText("e29")),
      (
        #"{"op":"open","id":"a:1","parent":"e29","begin":37,"depth":1,\#(paragraph)}"#,
        .illegalField("a:1", "depth")
      ),
      (
        #"{"op":"open","id":"a:1","parent":"e29","begin":37,"type":"heading","rev":40,"text":""}"#,
        .illegalField("a:1", "depth")
      ),
      (#"{"op":"finish"}"#, .stillOpen("e29")),
      (#"{"op":"seal","id":"e0+2","end":38,"rev":40}"#, .stillOpen("e29")),
      (#"{"op":"open","id":"a:1","begin":37,\#(paragraph)}"#, .stillOpen("e29")),
      (
        #"{"op":"seal","id":"e29","end":35,"rev":40},{"op":"seal","id":"e0+2","end":35,"rev":40},{"op":"finish"},{"op":"open","id":"a:1","begin":37,\#(paragraph)}"#,
        .afterFinish
      ),
      (#"{"op":"move","id":"e29"}"#, .malformed("op move")),
      (#"{"op":"open","id":"a:1","begin":37,"colour":1,\#(paragraph)}"#, .malformed("field colour")),
      ("{", .notJSON(.unexpectedByte(offset: 105))),
    ] as [(String, BlockDocumentError)])
  func refusesAnOpThatBreaksAPromise(_ ops: String, _ error: BlockDocumentError) {
    #expect(throws: error) { try apply(ops) }
  }

  @Test func refusesADiffThatBeginsElsewhere() {
    let at = OffsetToken(incarnation: 1, position: ByteOffset(37))
    let from = OffsetToken(incarnation: 1, position: ByteOffset(36))
    #expect(throws: BlockDocumentError.wrongFrom(expected: at, found: from)) { try apply("", from: 36) }
  }

  @Test func refusesADiffThatGoesNowhereOrBack() {
    #expect(throws: Never.self) { try apply("", to: 37) }
    let back = OffsetToken(incarnation: 1, position: ByteOffset(36))
    #expect(throws: BlockDocumentError.wrongTo(back)) { try apply("", to: 36) }
    let at = OffsetToken(incarnation: 1, position: ByteOffset(37))
    #expect(throws: BlockDocumentError.wrongTo(at)) {
      try apply(#"{"op":"seal","id":"e29","end":35,"rev":37}"#, to: 37)
    }
  }

  @Test func letsABlockOpenInAParentThatTheSameDiffSeals() throws {
    try apply(
      #"{"op":"seal","id":"e29","end":40,"rev":40},"#
        + #"{"op":"open","id":"a:1","parent":"e29","begin":37,"end":38,\#(Self.paragraph)}"#)
  }
}
