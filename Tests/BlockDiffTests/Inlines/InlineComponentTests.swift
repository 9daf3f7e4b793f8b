import ByteStorage
import Markup
import Testing

@testable import BlockDiff

/// Components in text: as runs in short (`RunSummary`), as HTML and as mdast.
@Suite struct InlineComponentTests {
  @Test(arguments: [
    ("a <Tag>b</Tag> c", "a |b{Tag}| c"), ("a <Icon/> c", "a |{Icon}| c"), ("a <Tag></Tag>", "a |{Tag}"),
    ("a <Tag\nk = \"v\"\t>b</Tag >", "a |b{Tag k=v}"),
    ("a <x-y n={ {\"b\": \">\"} } w q='&amp;' r=s/>c</x-y>", "a |c{x-y n={ {\"b\": \">\"} } w q=& r=s/}"),
    ("a <Tag k=1 k=\"2\"/>", "a |{Tag k=1}"),
    // What is inside is inline content, in components that hold others, too.
    ("a <Tag>*b* `c`</Tag>", "a |b{Tag,em}| {Tag}|c{Tag,code}"),
    ("a <Box>b<Tip>c</Tip></Box>", "a |b{Box}|c{Box,Tip}"), ("a <Box><Box>b</Box></Box>", "a |b{Box,Box}"),
    ("**a <Tag>b</Tag>**", "a {strong}|b{Tag,strong}"), ("[a <Icon/>](/u)", "a {link}→/u|{Icon,link}→/u"),
    ("a <Tag>[b](/u)</Tag>", "a |b{Tag,link}→/u"), ("a ![<Tag>b</Tag>](/u)", "a |b{image}→/u"),
    // Side by side they stay two.
    ("a <Box>b</Box><Box>c</Box>", "a |b{Box}|c{Box}"), ("# a <Box>b</Box>", "a |b{Box}"),
    ("| a <Box>b</Box> |\n|--|", "a |b{Box}"),
    // Raw content is text as it stands.
    (
      "a <tool_call>{\"b\": *c* www.d.org</Tag>}</tool_call>*e*",
      "a |{\"b\": *c* www.d.org</Tag>}{tool_call}|e{em}"
    ),
  ])
  func readsComponents(_ text: String, _ expected: String) {
    #expect(RunSummary.of(text, isFinished: true) == expected)
  }

  @Test(arguments: [
    // Tags without their partner are raw HTML, or text.
    ("a <Tag>b", "a |<Tag>{html}|b"), ("a </Tag>b", "a |</Tag>{html}|b"), ("a <A.b>c", "a <A.b>c"),
    ("a <Tag k={b c}>*d*", "a <Tag k={b c}>|d{em}"), ("a <tool_call>*b*", "a <tool_call>|b{em}"),
    ("Vec<String> and Map<Key>", "Vec|<String>{html}| and Map|<Key>{html}"),
    // So are those of another name, and those around which another element ends.
    ("a <Box>b</Tip>", "a |<Box>{html}|b|</Tip>{html}"),
    ("a <Box>b<Tip>c</Box>", "a |b{Box}|<Tip>{Box,html}|c{Box}"),
    ("a [b <Box>c](/u)d</Box>", "a |b {link}→/u|<Box>{link,html}→/u|c{link}→/u|d|</Box>{html}"),
    // Where a component ends, what is open in it is text.
    ("a <Box>*b</Box>*", "a |*b{Box}|*"), ("a *b <Box>c* d</Box>*", "a |b {em}|c* d{Box,em}"),
    ("a <Box>[b</Box>](/u)", "a |[b{Box}|](/u)"),
    // A code span that began before a tag wins, and one in it is in it.
    ("a `<Box>b`</Box>", "a |<Box>b{code}|</Box>{html}"), ("a <Box k=\"`\">b`</Box>", "a |b`{Box k=`}"),
    // HTML's elements, and names that nobody knows, are none.
    ("a <Span>b</Span>", "a |<Span>{html}|b|</Span>{html}"),
    ("a <tag>b</tag>", "a |<tag>{html}|b|</tag>{html}"),
    ("a <Tag/ >b", "a <Tag/ >b"), ("a \\<Tag>b</Tag>", "a <Tag>b|</Tag>{html}"),
  ])
  func leavesTheOthersAsTheyAre(_ text: String, _ expected: String) {
    #expect(RunSummary.of(text, isFinished: true) == expected)
  }

  @Test(arguments: [
    ("a <Ta", "a "), ("a <Tag k={b c", "a "), ("a <Tag k={b c}", "a "), ("a <too", "a "), ("a <tool_c", "a "),
    ("a <Tag>", "a "), ("a <Tag>b", "a |b{Tag?}"), ("a <Tag>b *c", "a |b {Tag?}|c{Tag,em?}"),
    ("a <Tag>b</", "a |b{Tag?}"), ("a <Tag>b</T", "a |b{Tag?}"), ("a <Tag>b</Tag", "a |b{Tag?}"),
    ("a <Tag>b</Tag> c", "a |b{Tag}| c"), ("a *b <Tag>c", "a |b {em?}|c{Tag,em?}"),
    ("a <Tag>[b", "a |b{Tag?}"), ("a [b <Tag>c", "a |b {?}|c{Tag?}"),
    ("a <Icon/>", "a |{Icon}"),
    ("a <Box>b <Tip>c", "a |b {Box?}|c{Box,Tip?}"), ("a ![b <Tag>c", "a "),
    ("a <tool_call>*b", "a |*b{tool_call?}"), ("a <tool_call>b</tool", "a |b{tool_call?}"),
    ("a <tool_call>b</Tag", "a |b</Tag{tool_call?}"), ("a <tool_call>", "a "),
    // More likely a type's parameter, or a title.
    ("Vec<String> a", "Vec|<String>{html}| a"), ("<<The Title>> a", "<|<The Title>{html}|> a"),
    ("Vec<String> a</String> b", "Vec| a{String}| b"),
  ])
  func showsWhatIsOpenAsIfItClosed(_ text: String, _ expected: String) {
    #expect(RunSummary.of(text) == expected)
  }

  @Test func hasNoneWhereTheDialectHasNone() {
    #expect(RunSummary.of("a <Tag>b</Tag>", .gfm) == "a |<Tag>{html}|b|</Tag>{html}")
    var dialect = Dialect.commonmark
    dialect.components = [
      "tag": Dialect.Component(content: .none), "x_y": Dialect.Component(content: .markdown),
    ]
    #expect(
      RunSummary.of("a <tag k=v>b</tag> <x_y>c</x_y>", dialect) == "a |{tag k=v}|b|</tag>{html}| |c{x_y}")
  }

  @Test func readsTagsAsBlocksDo() throws {
    for tag in [
      "Tag a='b\"' c = d e", "Tag a={x{y}'{'}} b=\"{\"", "A.b-c_d :e=f/", "Tag a=&lt; b='&lt;' c={&lt;}",
    ] {
      var parser = MarkupParser(dialect: .chat)
      parser.append(Array("<\(tag)/>\n\nx <\(tag)/>".utf8).span)
      parser.finish()
      let table = parser.blocks
      var inlines = InlineParser(dialect: .chat)
      let range = table.textRange(of: BlockIndex(table.count - 1))
      inlines.parse(table.text.span.extracting(range), references: References(), table: table)
      let component = try #require(inlines.content.components.first, "\(tag)")
      let strings = inlines.content.strings
      #expect(Array(strings[component.name]) == Array(table.strings[table.component(of: BlockIndex(0)).name]))
      let expected = table.attributes(of: BlockIndex(0))
        .map { [Array(table.strings[$0.name]), $0.value.map { Array(table.strings[$0]) } ?? []] }
      let found = component.attributes
        .map { [Array(strings[$0.name]), $0.value.map { Array(strings[$0]) } ?? []] }
      #expect(found == expected, "\(tag)")
    }
  }

  // MARK: - On the wire

  private func parsed(_ text: String, isFinished: Bool = true) -> MarkupParser {
    var parser = MarkupParser(dialect: .chat)
    parser.append(Array(text.utf8).span)
    if isFinished { parser.finish() }
    return parser
  }

  @Test func namesComponentsInRuns() throws {
    let parser = parsed("a <Tag k=\"<v>\" w>b <Icon/></Tag>", isFinished: false)
    var view = InlineView(dialect: .chat)
    var writer = JSONWriter()
    writer.write(snapshotOf: parser.blocks, inlines: &view, as: .runs, in: Envelope())
    let tag = #"{"name":"Tag","attributes":{"k":"<v>","w":true}}"#
    let expected =
      #""runs":[{"text":"a ","marks":[]},{"text":"b ","marks":["component"],"components":[\#(tag)]},"#
      + #"{"text":"","marks":["component"],"components":[\#(tag),{"name":"Icon","attributes":{}}]}]"#
    let written = String(decoding: writer.bytes, as: UTF8.self)
    #expect(written.contains(expected), "\(written)")
  }

  @Test func nestsComponentsInMdast() {
    let text = "a <Tag k=v>b *c*</Tag> <tool_call>*d*</tool_call> <Tag>e"
    var view = InlineView(dialect: .chat)
    var writer = JSONWriter()
    let parser = parsed(text, isFinished: false)
    writer.write(snapshotOf: parser.blocks, shape: .mdast, inlines: &view, as: .none, in: Envelope())
    let expected =
      #"{"type":"component","name":"Tag","attributes":{"k":"v"},"content":"markdown","children":["#
      + #"{"type":"text","value":"b "},{"type":"emphasis","children":[{"type":"text","value":"c"}]}]},"#
      + #"{"type":"text","value":" "},"#
      + #"{"type":"component","name":"tool_call","attributes":{},"content":"raw","value":"*d*"},"#
      + #"{"type":"text","value":" "},"#
      + #"{"type":"component","name":"Tag","attributes":{},"content":"markdown","data":{"provisional":true},"#
      + #""children":[{"type":"text","value":"e"}]}"#
    let written = String(decoding: writer.bytes, as: UTF8.self)
    #expect(written.contains(expected), "\(written)")
  }

  @Test(arguments: [HTMLOptions.safe, HTMLOptions(rawHTML: .omitted), .exact])
  func writesComponentsAsSpans(_ options: HTMLOptions) {
    let text = "a <Tag onclick=\"alert('&quot;')\" style='x'>*b*</Tag> <Icon/> <tool_call><b></tool_call>"
    var writer = HTMLWriter(dialect: .chat, options: options)
    let parser = parsed(text)
    writer.write(parser.blocks)
    let attributes = #"{&quot;onclick&quot;:&quot;alert('\&quot;')&quot;,&quot;style&quot;:&quot;x&quot;}"#
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == "<p>a <span data-component=\"Tag\" data-attributes=\"\(attributes)\"><em>b</em></span> "
        + "<span data-component=\"Icon\"></span> <span data-component=\"tool_call\">&lt;b&gt;</span></p>\n")
  }
}
