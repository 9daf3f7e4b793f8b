import Testing

@testable import Configuration

@Suite struct YAMLDocumentTests {
  static func document(_ text: String) throws(YAMLError) -> YAMLDocument {
    try YAMLDocument(parsing: [UInt8](text.utf8))
  }

  /// The tree in one line: mappings in braces, sequences in brackets, quoted scalars in quotes.
  static func text(_ node: YAMLNode?) -> String {
    switch node?.content {
    case nil: "nothing"
    case .scalar(let text, let isPlain): isPlain ? text : "'\(text)'"
    case .sequence(let items): "[" + items.map(Self.text).joined(separator: ", ") + "]"
    case .mapping(let entries):
      "{" + entries.map { "\($0.key): \(Self.text($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  @Test(arguments: [
    ("a: 1\nb: {c: [x, 'y', \"z\\n\"]}\n", "{a: 1, b: {c: [x, 'y', 'z\n']}}"),
    ("a:\n  b: no\n  c: 1e3\n", "{a: {b: no, c: 1e3}}"),
    ("", "nothing"),
    ("# only a comment\n", "nothing"),
    ("---\na: 1\n...\n", "{a: 1}"),
    ("a:\n", "{a: }"),
    ("a: ''\n", "{a: ''}"),
    ("a: |\n  two\n  lines\n", "{a: 'two\nlines\n'}"),
    ("a: 1\r\nb: 2\r\n", "{a: 1, b: 2}"),
    ("\u{FEFF}a: 1\n", "{a: 1}"),
    ("é: ü 日本\n", "{é: ü 日本}"),
  ])
  func readsText(_ text: String, _ expected: String) throws {
    #expect(Self.text(try Self.document(text).root) == expected)
  }

  @Test func marksKeysAndValues() throws {
    let root = try #require(try Self.document("# head\na:\n  b: 12\n").root)
    guard case .mapping(let outer) = root.content, case .mapping(let inner) = outer[0].value.content else {
      Issue.record("not two mappings")
      return
    }
    #expect(outer[0].mark == YAMLMark(line: 2, column: 1))
    #expect(inner[0].mark == YAMLMark(line: 3, column: 3))
    #expect(inner[0].value.mark == YAMLMark(line: 3, column: 6))
  }

  @Test func namesEveryRepeatedKeyAndKeepsTheFirstValue() throws {
    let document = try Self.document("a: 1\nb:\n  c: 1\n  c: 2\n  c: {d: 1, d: 2}\na: 3\n")
    #expect(Self.text(document.root) == "{a: 1, b: {c: 1}}")
    let repeats = document.repeatedKeys.map {
      "\($0.path.joined(separator: ".")) \($0.mark.line) \($0.firstMark.line)"
    }
    #expect(repeats == ["b.c 4 3", "b.c.d 5 5", "b.c 5 3", "a 6 1"])
  }

  @Test(arguments: [
    ("a: &x 1\n", YAMLError.unsupported(.anchor, YAMLMark(line: 1, column: 4))),
    ("a: &x {b: 1}\n", .unsupported(.anchor, YAMLMark(line: 1, column: 4))),
    ("a: *x\n", .unsupported(.alias, YAMLMark(line: 1, column: 4))),
    ("*x : 1\n", .unsupported(.alias, YAMLMark(line: 1, column: 1))),
    ("a: !!str 1\n", .unsupported(.tag, YAMLMark(line: 1, column: 4))),
    ("a: !ruby/object [1]\n", .unsupported(.tag, YAMLMark(line: 1, column: 4))),
    ("a: 1\n<<: {b: 1}\n", .unsupported(.mergeKey, YAMLMark(line: 2, column: 1))),
    ("a: 1\n---\nb: 2\n", .unsupported(.secondDocument, YAMLMark(line: 2, column: 1))),
    ("%YAML 1.1\n---\na: 1\n", .unsupported(.directive, YAMLMark(line: 1, column: 1))),
    ("%TAG ! tag:x,2000:\n---\na: 1\n", .unsupported(.directive, YAMLMark(line: 1, column: 1))),
    ("? [a, b]\n: 1\n", .unsupported(.complexKey, YAMLMark(line: 1, column: 3))),
    ("a: 1\nb: \u{0}\n", .controlCharacter(code: 0, line: 2)),
    ("a: \u{1B}[0m\n", .controlCharacter(code: 0x1B, line: 1)),
    ("a: b\u{FEFF}\n", .controlCharacter(code: 0xFEFF, line: 1)),
    ("a: \u{9F}\n", .controlCharacter(code: 0x9F, line: 1)),
  ])
  func refusesWhatConfigurationDoesWithout(_ text: String, _ expected: YAMLError) {
    #expect(throws: expected) { () throws(YAMLError) in try Self.document(text) }
  }

  @Test(arguments: [
    ("a:\n\tb: 1\n", 2), ("a: [1, 2\nb: 3\n", 2), ("a: 1\n b: 2\n", 2), ("a: 'x\n", 2), ("a: b: c\n", 1),
    ("a: \"\\q\"\n", 1), ("- 1\na: 2\n", 2), ("}\n", 1), ("a: @x\n", 1), ("a: `x\n", 1),
  ])
  func refusesBrokenSyntaxWithItsLine(_ text: String, _ line: Int) {
    do {
      _ = try Self.document(text)
      Issue.record("was read")
    } catch {
      guard case .syntax = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.mark.line == line, "\(error)")
    }
  }

  @Test(
    arguments: [
      ([0x61, 0x3A, 0x20, 0xFF, 0x0A], 1), ([0x0A, 0x61, 0x3A, 0x20, 0xC3], 2),
      ([0x0A, 0x0A, 0xED, 0xA0, 0x80], 3), ([0xFF, 0xFE, 0x61, 0x00], 1), ([0xFE, 0xFF, 0x00, 0x61], 1),
      ([0x61, 0x3A, 0x20, 0xC0, 0x80], 1),
    ] as [([UInt8], Int)])
  func refusesBytesThatAreNotUTF8(_ bytes: [UInt8], _ line: Int) {
    #expect(throws: YAMLError.notUTF8(line: line)) { () throws(YAMLError) in try YAMLDocument(parsing: bytes)
    }
  }

  @Test func boundsDepth() throws {
    let limit = YAMLDocument.maxDepth
    for (open, close) in [("[", "]"), ("{a: ", "}")] {
      let deepest = String(repeating: open, count: limit) + String(repeating: close, count: limit)
      _ = try Self.document(deepest)
      #expect(throws: YAMLError.self) { try Self.document(open + deepest + close) }
      // Far too deep, and never closed.
      #expect(throws: YAMLError.self) { try Self.document(String(repeating: open, count: 50_000)) }
    }
    let block = (0...limit).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    #expect(throws: YAMLError.tooDeep(limit: limit, YAMLMark(line: limit + 1, column: limit + 1))) {
      () throws(YAMLError) in try Self.document(block)
    }
  }

  @Test func boundsSize() throws {
    let limit = YAMLDocument.maxBytes
    let fits = [UInt8](repeating: 0x23, count: limit)
    #expect(try YAMLDocument(parsing: fits).root == nil)
    #expect(throws: YAMLError.tooLarge(limit: limit)) { () throws(YAMLError) in
      try YAMLDocument(parsing: fits + [0x23])
    }
  }

  @Test func readsOrRefusesEveryPrefixAndEveryFlippedByte() {
    let text = [UInt8]("a: [x, 'y']\nb:\n  c: \"\\u00e9\"\n  d: |\n    z\n? k\n: {e: 1, f: }\n".utf8)
    for end in 0...text.count { _ = try? YAMLDocument(parsing: Array(text[..<end])) }
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        _ = try? YAMLDocument(parsing: changed)
      }
    }
  }
}
