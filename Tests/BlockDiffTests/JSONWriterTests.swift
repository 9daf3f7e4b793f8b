import Foundation
import Testing

@testable import BlockDiff
@testable import Markup

@Suite struct JSONWriterTests {
  @Test func escapesWhatJSONForbids() {
    #expect(
      JSONWriter.string { $0.write(string: "a\"b\\c\n\t\r\u{8}\u{c}\u{0}\u{1f}\u{7f}é😀/") }
        == #""a\"b\\c\n\t\r\b\f\u0000\u001f"# + "\u{7f}é😀/\"")
    #expect(JSONWriter.string { $0.write(string: "") } == #""""#)
    #expect(JSONWriter.string { $0.write(string: "\"") } == #""\"""#)
  }

  @Test func writesEveryByteAsFoundationReadsIt() throws {
    for scalar in (0 as UInt32)..<0x300 {
      let text = "x" + String(Character(Unicode.Scalar(scalar)!)) + "y"
      let json = JSONWriter.string { $0.write(string: text) }
      let read = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
      #expect(Array((read as? String ?? "").utf8) == Array(text.utf8), "U+\(String(scalar, radix: 16))")
      #expect(try JSONReader.value(of: Array(json.utf8)) == .string(ByteString(text)))
    }
  }

  @Test func writesNumbersWithoutLeadingZeros() {
    var numbers = Array(0...1_100)
    var power = 10
    while power < Int.max / 10 {
      numbers += [power - 1, power, power + 1, power * 3 + power / 7]
      power *= 10
    }
    for number in numbers + [Int.max] {
      #expect(JSONWriter.string { $0.write(number) } == "\(number)")
    }
  }

  @Test func writesTokensWithLeadingZeros() {
    for power in 0..<16 {
      let number = Int("9" + String(repeating: "5", count: power))!
      let token = OffsetToken(
        incarnation: UInt64(number), position: ByteOffset(min(number, ByteOffset.limit)))
      let expected = [number, min(number, ByteOffset.limit)].map {
        String(repeating: "0", count: 16 - "\($0)".count) + "\($0)"
      }
      #expect(JSONWriter.string { $0.write(token) } == expected.joined(separator: "_"))
      #expect(token.description == expected.joined(separator: "_"))
    }
  }

  /// Whatever is written, and wherever the buffer ends.
  @Test func growsAsItIsNeeded() {
    for capacity in 0..<70 {
      for length in 0..<40 {
        var writer = JSONWriter(capacity: capacity)
        writer.write(#"{"text":"# as JSONFragment)
        let (before, after) = (
          String(repeating: "a", count: length), String(repeating: "b", count: 40 - length)
        )
        writer.write(string: before + "\n" + after)
        writer.write("}" as JSONFragment)
        let expected = #"{"text":""# + before + #"\n"# + after + #""}"#
        #expect(writer.count == expected.utf8.count)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
        writer.removeAll()
        writer.write(12)
        #expect(writer.bytes == Array("12".utf8))
        #expect(writer.finish() == Array("12".utf8))
      }
    }
  }

  @Test func writesTheSnapshotOfTheDesign() {
    let table = TableBuilder.trip(through: 34).table
    let expected = #"""
      {"stream":"demo","at":"0000000000000001_0000000000000034","finished":false,"pending":0,"dialect":"chat",
       "blocks":[{"id":"e0","type":"heading","depth":1,"begin":0,"end":6,"rev":7,"text":"Trip"},
                 {"id":"e0+1","type":"paragraph","begin":8,"end":19,"rev":21,"text":"Pack these:"},
                 {"id":"e0+2","type":"list","ordered":false,"spread":false,"begin":21,"open":true,"rev":24},
                 {"id":"e21","type":"listItem","parent":"e0+2","spread":false,"begin":21,"end":28,"rev":32},
                 {"id":"e21+1","type":"paragraph","parent":"e21","begin":23,"end":28,"rev":32,"text":"socks"},
                 {"id":"e29","type":"listItem","parent":"e0+2","spread":false,"begin":29,"open":true,"rev":32},
                 {"id":"e29+1","type":"paragraph","parent":"e29","begin":31,"open":true,"rev":34,"text":"map"}]}
      """#
    let written = JSONWriter.string {
      $0.write(snapshotOf: table, dialect: .chat, in: Envelope(stream: "demo", incarnation: 1))
    }
    #expect(written == joined(expected))
  }

  @Test func writesTheDiffsOfTheDesign() {
    let table = TableBuilder.trip(through: 34).table
    let expected = #"""
      {"stream":"demo","from":"0000000000000001_0000000000000021","to":"0000000000000001_0000000000000034","pending":0,
       "ops":[{"op":"open","id":"e0+2","type":"list","ordered":false,"spread":false,"begin":21,"rev":24},
              {"op":"open","id":"e21","type":"listItem","parent":"e0+2","spread":false,"begin":21,"end":28,"rev":32},
              {"op":"open","id":"e21+1","type":"paragraph","parent":"e21","begin":23,"end":28,"rev":32,"text":"socks"},
              {"op":"open","id":"e29","type":"listItem","parent":"e0+2","spread":false,"begin":29,"rev":32},
              {"op":"open","id":"e29+1","type":"paragraph","parent":"e29","begin":31,"rev":34,"text":"map"}]}
      """#
    let envelope = Envelope(stream: "demo", incarnation: 1)
    let diff = table.diff(since: ByteOffset(21))
    #expect(JSONWriter.string { $0.write(diff, of: table, in: envelope) } == joined(expected))

    let later = TableBuilder.trip(through: 37).table
    let ops = later.diff(since: ByteOffset(34)).ops.map { op in
      JSONWriter.string { $0.write(op, of: later) }
    }
    #expect(
      ops == [
        #"{"op":"append","id":"e29+1","text":"s","rev":35}"#,
        #"{"op":"seal","id":"e29+1","end":35,"rev":37}"#,
      ])
  }

  @Test func leavesTheStreamOutWhereThereIsNone() {
    var table = BlockTable()
    table.position = ByteOffset(3)
    table.isFinished = true
    let written = JSONWriter.string { $0.write(snapshotOf: table, dialect: .gfm, in: Envelope()) }
    #expect(
      written
        == #"{"at":"0000000000000000_0000000000000003","finished":true,"pending":0,"dialect":"gfm","blocks":[]}"#
    )
    let diff = JSONWriter.string { $0.write(table.diff(since: ByteOffset(2)), of: table, in: Envelope()) }
    #expect(
      diff
        == #"{"from":"0000000000000000_0000000000000002","to":"0000000000000000_0000000000000003","#
        + #""pending":0,"ops":[{"op":"finish"}]}"#)
  }

  @Test func writesTheFieldsOfEveryType() {
    let table = TableBuilder.everyField().table
    var view = InlineView(dialect: .chat)
    let blocks = (0..<table.count).map { row in
      JSONWriter.string { $0.write(block: BlockIndex(row), of: table, &view, .none) }
    }
    #expect(
      blocks == [
        #"{"id":"e0","type":"code","fenced":true,"lang":"py","meta":"a=\"1\"","begin":0,"end":10,"rev":11,"#
          + #""text":"a\tb\\\n\u0001é"}"#,
        #"{"id":"e11","type":"blockquote","alert":"tip","begin":11,"end":12,"rev":13}"#,
        #"{"id":"e11+1","type":"list","ordered":true,"start":3,"spread":true,"begin":14,"end":16,"rev":17}"#,
        #"{"id":"e14","type":"listItem","parent":"e11+1","checked":true,"spread":false,"begin":14,"end":16,"#
          + #""rev":17}"#,
        #"{"id":"e14+1","type":"table","align":[null,"left","center","right"],"begin":18,"end":19,"rev":20}"#,
        #"{"id":"e18","type":"tableRow","parent":"e14+1","header":true,"begin":18,"end":19,"rev":20}"#,
        #"{"id":"e18+1","type":"tableCell","parent":"e18","begin":18,"end":19,"rev":20,"text":"x"}"#,
        #"{"id":"e18+2","type":"definition","identifier":"a","label":"A","url":"/u","title":"","begin":21,"#
          + #""end":28,"rev":29,"text":"[A]: /u"}"#,
        #"{"id":"footnote:N","type":"footnoteDefinition","identifier":"n","label":"N","begin":30,"end":34,"#
          + #""rev":35}"#,
        #"{"id":"Card:x%20y#2","type":"component","name":"Card","attributes":{"key":"x y","wide":true},"#
          + #""content":"raw","begin":36,"open":true,"rev":53,"text":"raw"}"#,
      ])
  }
}

/// The example without the line breaks and the indentation that make it readable.
func joined(_ text: String) -> String {
  text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
}
