import Markup
import Testing

@testable import BlockDiff

/// What definitions and footnotes do to leaves, and what a long leaf costs.
@Suite struct InlineViewTests {
  /// A stream with a reader of runs.
  private struct Reader: ~Copyable {
    var parser = MarkupParser(dialect: .chat)
    var view = InlineView(dialect: .chat)
    var document = BlockDocument()
    var output = InlineOutput.runs
    private var position: ByteOffset?
    /// Bytes of diffs.
    private(set) var written = 0

    /// The ops that the text makes, as JSON.
    mutating func append(_ text: String) throws -> String {
      parser.append(Array(text.utf8).span)
      return try diff()
    }

    mutating func finish() throws -> String {
      parser.finish()
      return try diff()
    }

    private mutating func diff() throws -> String {
      var writer = JSONWriter()
      let table = parser.blocks
      writer.write(table.diff(since: position), of: table, inlines: &view, as: output, in: Envelope())
      position = table.position
      written += writer.bytes.count
      try document.apply(diff: writer.bytes)
      let json = String(decoding: writer.bytes, as: UTF8.self)
      return json.split(separator: "\"ops\":", maxSplits: 1).last.map { String($0.dropLast()) } ?? json
    }

    init(_ output: InlineOutput = .runs) { self.output = output }
  }

  @Test func resolvesALinkWhenItsDefinitionComesLater() throws {
    var reader = Reader()
    _ = try reader.append("See [this] *now*.\n\nOther.\n\n")
    let revision = reader.document.blocks[0].revision
    let ops = try reader.append("[this]: /u \"t\"\n\n")
    #expect(
      ops.hasSuffix(
        #"{"op":"runs","id":"doc+1","from":0,"runs":[{"text":"See ","marks":[]},"#
          + #"{"text":"this","marks":["link"],"href":"/u","title":"t"},{"text":" ","marks":[]},"#
          + #"{"text":"now","marks":["emphasis"]},{"text":".","marks":[]}],"rev":19,"why":"definition"}]"#),
      "\(ops)")
    #expect(reader.document.blocks[0].revision == revision)
    #expect(!ops.contains(#""op":"runs","id":"doc+2""#))
    // Another definition of the label changes nothing.
    #expect(try !reader.append("[this]: /other\n\n").contains("\"op\":\"runs\""))
  }

  @Test func resolvesHTMLLikewise() throws {
    var reader = Reader(.html)
    _ = try reader.append("See [this].\n\n")
    #expect(reader.document.blocks[0].html == "See [this].")
    let ops = try reader.append("[this]: /u\n")
    #expect(
      ops.contains(
        #"{"op":"html","id":"doc+1","html":"See <a href=\"/u\">this</a>.","rev":13,"why":"definition"}"#),
      "\(ops)")
    #expect(try reader.append("Gro").contains(#""html":"Gro""#))
    #expect(try reader.append("wing **b").contains(#""append":"wing <strong>b</strong>""#))
    #expect(try reader.append("o").contains(#""html":"Growing <strong>bo</strong>""#))
  }

  @Test func tellsATitleThatComesOnALineOfItsOwn() throws {
    var reader = Reader()
    _ = try reader.append("See [this].\n\n[this]: /u\n")
    #expect(reader.document.blocks[0].runs?[1]["href"] == .string("/u"))
    #expect(reader.document.blocks[0].runs?[1]["title"] == nil)
    let ops = try reader.append("\"t\"\n")
    #expect(ops.contains(#""title":"t"}"#) && ops.contains(#""why":"definition""#), "\(ops)")
    #expect(reader.document.blocks[0].runs?[1]["title"] == .string("t"))
  }

  @Test func numbersFootnotesOnceAndForAll() throws {
    var reader = Reader()
    _ = try reader.append("One[^a] two[^b] three[^c].\n\n[^b]: B\n\n")
    #expect(
      reader.document.blocks[0].runs?.map { $0["text"]?.string?.description ?? "" }
        == ["One[^a] two", "1", " three[^c]."])
    #expect(reader.document.blocks[0].runs?[1]["footnote"] == .string("footnote:b"))
    let ops = try reader.append("[^a]: A\n\n")
    #expect(ops.contains(#""why":"definition""#))
    // The number that was shown stays.
    #expect(
      reader.document.blocks[0].runs?.map { $0["text"]?.string?.description ?? "" }
        == ["One", "2", " two", "1", " three[^c]."])
    _ = try reader.append("Again[^a] and[^b].\n\n[^c]: C\n\n")
    #expect(reader.document.blocks[0].runs?[5]["text"] == .string("3"))
  }

  /// The links to a note are those of the whole document's HTML, where the label is the definition's.
  @Test func linksNotesByTheDefinitionsLabel() throws {
    var reader = Reader(.html)
    _ = try reader.append("One[^note].\n\n[^NOTE]: N\n\n")
    let html = try #require(reader.document.blocks[0].html).description
    #expect(html.contains("<a href=\"#fn-NOTE\" id=\"fnref-NOTE-doc+1\""), "\(html)")
    var writer = HTMLWriter(dialect: .chat)
    writer.write(reader.parser.blocks)
    #expect(String(decoding: writer.bytes, as: UTF8.self).contains("<li id=\"fn-NOTE\">"))
  }

  @Test func givesAReaderWhoComesBackWhatADefinitionDid() throws {
    var reader = Reader()
    _ = try reader.append("See [this].\n\n")
    var late = reader.document
    _ = try reader.append("[this]: /u\n\nMore **te")
    var writer = JSONWriter()
    writer.write(
      reader.parser.blocks.diff(since: late.at.position), of: reader.parser.blocks, inlines: &reader.view,
      as: .runs, in: Envelope())
    try late.apply(diff: writer.bytes)
    #expect(late == reader.document)
  }

  @Test func looksAtManyLabelsAgainAtTheFinish() throws {
    var reader = Reader()
    let labels = (0..<100).map { "[l\($0)]" }
    _ = try reader.append(labels.joined(separator: " ") + "\n\n" + labels.map { "\($0): /u\n" }.joined())
    func links() -> Int { reader.document.blocks[0].runs?.filter { $0["href"] != nil }.count ?? 0 }
    _ = try reader.append("\n")
    _ = try reader.finish()
    #expect(links() == 100)
  }

  // MARK: - Cost

  /// Text of what is open for long, and of what is plain.
  private static let units = [
    "*", "*a ", "**a ", "_", "_a ", "[", "[a ", "`", "`a ", "``a` ", "<", "<a ", "<!-- ", "$", "$a ", "$5 ",
    "![",
    "![a ", "~~a ", "\\(", "a", "ab ", "é", "日本", "a@b.co ", "www.a.b ", "&", "&amp;", "!", "]", "[a](",
    "[a](b ",
    "[a] ", "*a* ", "[^a] ", "a**b", "<a b=\"", "* ",
    " <X>", "<X>a</X>", " <X a={", "<X a={}", " <tool_call>", " <X><Y></X>",
  ]

  @Test(arguments: units)
  func growsAsFastAtTheEndAsAtTheBeginning(_ unit: String) throws {
    let (small, large) = (try cost(unit, 24_000), try cost(unit, 96_000))
    // Four times the text; what one append costs must not grow with what is there. The beginning is cheaper, until
    // the reach is full.
    #expect(large.steps <= 5 * small.steps + 20_000, "\(small.steps) steps for N, \(large.steps) for 4 N")
    #expect(large.bytes <= 5 * small.bytes + 20_000, "\(small.bytes) bytes for N, \(large.bytes) for 4 N")
  }

  private func cost(_ unit: String, _ length: Int) throws -> (steps: Int, bytes: Int) {
    var parser = MarkupParser(dialect: .chat)
    var view = InlineView(dialect: .chat)
    var position: ByteOffset?
    var (steps, bytes) = (0, 0)
    let source = Array(("x " + String(repeating: unit, count: length / unit.utf8.count)).utf8)
    for start in stride(from: 0, to: source.count, by: 20) {
      parser.append(source.span.extracting(start..<min(start + 20, source.count)))
      var writer = JSONWriter()
      let before = view.parser.steps
      writer.write(
        parser.blocks.diff(since: position), of: parser.blocks, inlines: &view, as: .runs, in: Envelope())
      steps += view.parser.steps - before
      bytes += writer.bytes.count
      position = parser.blocks.position
    }
    return (steps, bytes)
  }
}
