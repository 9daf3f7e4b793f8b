import BlockDiff
import Markup
import TestSupport
import Testing

/// Directives in every output.
@Suite struct DirectiveOutputTests {
  private func parsed(_ source: String) -> MarkupParser {
    var parser = MarkupParser(dialect: .directives)
    parser.append(Array(source.utf8).span)
    parser.finish()
    return parser
  }

  private func snapshot(_ parser: borrowing MarkupParser, _ shape: SnapshotShape) -> [UInt8] {
    var view = InlineView(dialect: .directives)
    var writer = JSONWriter()
    writer.write(
      snapshotOf: parser.blocks, shape: shape, inlines: &view, as: InlineOutput(.none), in: Envelope())
    return writer.bytes
  }

  @Test func writesHTML() {
    var writer = HTMLWriter(dialect: .directives)
    writer.write(parsed("- :::note[A *b*]{#n}\n  c :d[e]{f=\"<\"}\n\n  ::g").blocks)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        <ul>
        <li>
        <div data-component="note" id="note:n">
        <p data-label>A <em>b</em></p>
        <p>c <span data-component="d" data-attributes="{&quot;f&quot;:&quot;&lt;&quot;}">e</span></p>
        <div data-component="g" id="e41">
        </div>
        </div>
        </li>
        </ul>

        """)
  }

  @Test(arguments: [SnapshotShape.flat, .tree])
  func saysWhichParagraphIsALabel(_ shape: SnapshotShape) throws {
    let parser = parsed("::a[b]\n\nc")
    let json = String(decoding: snapshot(parser, shape), as: UTF8.self)
    #expect(json.contains(#""id":"e0+1","type":"paragraph","parent":"e0","directiveLabel":true,"begin":4"#))
    #expect(json.matches(of: #/directiveLabel/#).count == 1)
  }

  @Test func saysSoInTheDataOfMdastsNodes() throws {
    let parser = parsed("::a[b]")
    let root = try JSONReader.value(of: snapshot(parser, .mdast))["root"]
    let label = root?["children"]?.array?.first?["children"]?.array?.first
    #expect(label?["type"] == .string("paragraph") && label?["directiveLabel"] == nil)
    #expect(label?["data"]?["directiveLabel"] == .boolean(true))
  }

  @Test func isReadByTheClient() throws {
    let parser = parsed("::a[b]")
    let document = try BlockDocument(snapshot: snapshot(parser, .flat))
    #expect(document.blocks.map(\.fields.directiveLabel) == [nil, true])
    #expect(document.blocks[1] == DocumentBlock(BlockIndex(1), of: parser.blocks))
  }
}
