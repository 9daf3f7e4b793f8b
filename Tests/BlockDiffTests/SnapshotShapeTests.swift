import Foundation
import Testing

@testable import BlockDiff
@testable import Markup

@Suite struct SnapshotShapeTests {
  private func snapshot(_ table: BlockTable, _ shape: SnapshotShape) -> String {
    JSONWriter.string { $0.write(snapshotOf: table, shape: shape, dialect: .chat, in: Envelope()) }
  }

  private func mdast(_ table: BlockTable) -> String {
    var view = InlineView(dialect: .chat)
    return JSONWriter.string { $0.write(mdastOf: table, &view) }
  }

  @Test func nestsChildrenInATree() {
    let head = #"{"at":"0000000000000000_0000000000000028","finished":false,"pending":0,"dialect":"chat","#
    let expected = #"""
      "blocks":[{"id":"e0","type":"heading","depth":1,"begin":0,"end":6,"rev":7,"text":"Trip"},
      {"id":"e0+1","type":"paragraph","begin":8,"end":19,"rev":21,"text":"Pack these:"},
      {"id":"e0+2","type":"list","ordered":false,"spread":false,"begin":21,"open":true,"rev":24,"children":[
      {"id":"e21","type":"listItem","parent":"e0+2","spread":false,"begin":21,"open":true,"rev":24,"children":[
      {"id":"e21+1","type":"paragraph","parent":"e21","begin":23,"open":true,"rev":28,"text":"socks"}]}]}]}
      """#
    #expect(snapshot(TableBuilder.trip(through: 28).table, .tree) == head + joined(expected))
  }

  @Test func namesNodesAsMdastDoes() {
    let expected = #"""
      {"type":"root","position":{"start":{"offset":0},"end":{"offset":28}},"children":[
      {"type":"heading","depth":1,"data":{"id":"e0","rev":7},
      "position":{"start":{"offset":0},"end":{"offset":6}},"children":[{"type":"text","value":"Trip"}]},
      {"type":"paragraph","data":{"id":"e0+1","rev":21},
      "position":{"start":{"offset":8},"end":{"offset":19}},"children":[{"type":"text","value":"Pack these:"}]},
      {"type":"list","ordered":false,"spread":false,"data":{"id":"e0+2","rev":24,"open":true},
      "position":{"start":{"offset":21},"end":{"offset":28}},"children":[
      {"type":"listItem","spread":false,"data":{"id":"e21","rev":24,"open":true},
      "position":{"start":{"offset":21},"end":{"offset":28}},"children":[
      {"type":"paragraph","data":{"id":"e21+1","rev":28,"open":true},
      "position":{"start":{"offset":23},"end":{"offset":28}},"children":[{"type":"text","value":"socks"}]}
      ]}]}]}
      """#
    let table = TableBuilder.trip(through: 28).table
    #expect(mdast(table) == joined(expected))
  }

  @Test func givesMdastsFieldsToEveryType() {
    let table = TableBuilder.everyField().table
    let written = mdast(table)
    let pieces = [
      #"{"type":"code","lang":"py","meta":"a=\"1\"","data":{"#, #""value":"a\tb\\\n\u0001é"}"#,
      #"{"type":"blockquote","data":{"id":"e11","rev":13,"alert":"tip"},"#,
      #"{"type":"list","ordered":true,"start":3,"spread":true,"#,
      #"{"type":"listItem","checked":true,"spread":false,"#,
      #"{"type":"table","align":[null,"left","center","right"],"#, #"{"type":"tableRow","data""#,
      #"{"type":"definition","identifier":"a","label":"A","url":"/u","title":"","data""#,
      #"{"type":"footnoteDefinition","identifier":"n","label":"N","data""#,
      #"{"type":"component","name":"Card","attributes":{"key":"x y","wide":true},"content":"raw","data""#,
      #""value":"raw"}]}"#,
    ]
    for piece in pieces { #expect(written.contains(piece), "\(piece)") }
  }

  @Test(arguments: SnapshotShape.allCases)
  func isJSONAtAnyDepth(_ shape: SnapshotShape) throws {
    var builder = TableBuilder()
    for depth in 0..<100_000 {
      builder.add(.blockquote, key: .sourceOffset, parent: depth - 1, begin: depth, born: depth + 1)
    }
    let written = Array(snapshot(builder.table, shape).utf8)
    var depth = 0
    for byte in written {
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
    }
    #expect(depth == 0)
    var small = TableBuilder.everyField()
    small.finish(at: 60)
    let data = Data(snapshot(small.table, shape).utf8)
    #expect(try JSONSerialization.jsonObject(with: data) is [String: Any])
  }

  @Test func viewsOneBlockWithItsChildrenAndItsSource() throws {
    let table = TableBuilder.trip(through: 34).table
    let list = try #require(table.index(ofID: "e0+2"))
    var view = InlineView(dialect: .chat)
    let written = JSONWriter.string {
      $0.write(
        viewOf: list, in: table, source: Array("- socks\n- map\u{0}".utf8) + [0xFF], inlines: &view,
        as: .none,
        envelope: Envelope(stream: "demo", incarnation: 1))
    }
    #expect(
      written
        == #"{"stream":"demo","at":"0000000000000001_0000000000000034","block":{"id":"e0+2","type":"list","#
        + #""ordered":false,"spread":false,"begin":21,"open":true,"rev":24},"children":["e21","e29"],"#
        + #""source":"- socks\n- map\u0000\#u{FFFD}"}"#)
  }
}
