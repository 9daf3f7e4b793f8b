import Markup
import Testing

@testable import Configuration

@Suite struct DialectFileTests {
  static func load(_ dialects: [String: String], _ more: String = "") throws -> LoadedConfiguration {
    var files = ["config.yaml": "dialects:\n  directory: dialects\n" + more]
    for (name, text) in dialects { files["dialects/\(name)"] = text }
    return try TemporaryDirectory(files).load()
  }

  static func found(_ dialects: [String: String]) throws -> [String] {
    var files = ["config.yaml": "dialects:\n  directory: dialects\n"]
    for (name, text) in dialects { files["dialects/\(name)"] = text }
    return try problems(files: files)
  }

  @Test func extendsAShippedDialect() throws {
    let text = """
      name: legal
      extends: chat
      extensions: {math: false, frontMatter: true}
      keyAttributes: [clause]
      components:
        Clause: {content: markdown}
        artifact: {content: none}
        think: {content: raw, contained: false}
      """
    let loaded = try Self.load(["legal.yaml": text], "blocks: {defaultDialect: legal}\n")
    var expected = Dialect.chat
    expected.name = "legal"
    expected.extensions.remove(.math)
    expected.extensions.insert(.frontMatter)
    expected.keyAttributes = ["clause"]
    expected.components["Clause"] = .init(content: .markdown)
    expected.components["artifact"] = .init(content: .none)
    expected.components["think"] = .init(content: .raw)
    #expect(loaded.defaultDialect == expected)
    #expect(loaded.dialects.map(\.name) == ["chat", "gfm", "commonmark", "legal"])
    #expect(loaded.dialect(named: "chat") == .chat)
    #expect(loaded.show().contains("#   legal: file /"))
  }

  @Test func beginsWithCommonMarkWhereNothingIsExtended() throws {
    let loaded = try Self.load(["plain.yaml": "name: plain\n"])
    #expect(loaded.dialect(named: "plain") == Dialect(name: "plain"))
  }

  @Test func replacesAShippedDialectAndExtendsItByItsOwnName() throws {
    let loaded = try Self.load([
      "chat.yaml": "name: chat\nextends: chat\ntemplateAttribute: kind\n",
      "a.yaml": "name: a\nextends: chat\n", "b.yaml": "name: b\nextends: a\nkeyAttributes: []\n",
    ])
    #expect(loaded.dialects.map(\.name) == ["chat", "gfm", "commonmark", "a", "b"])
    #expect(loaded.dialect(named: "b")?.templateAttribute == "kind")
    #expect(loaded.dialect(named: "b")?.components == Dialect.chat.components)
    #expect(loaded.dialect(named: "b")?.keyAttributes == [])
  }

  @Test func seesAPathFromTheFileThatGivesIt() throws {
    let directory = try TemporaryDirectory([
      "etc/config.yaml": "dialects: {directory: ../my}\n", "my/x.yaml": "name: x\n",
    ])
    let loaded = try directory.load("etc/config.yaml")
    #expect(loaded.dialect(named: "x") != nil)
    #expect(loaded.settings.dialects.directory == directory.file("my"))
  }

  @Test(arguments: [
    ("extends: chat\n", "dialects/x.yaml:1: name is missing; accepted: x"),
    ("", "dialects/x.yaml:1: name is missing; accepted: x"),
    ("name: y\n", "dialects/x.yaml:1: name: \"y\" is not accepted; accepted: x, as the file is called"),
    (
      "name: 1x\n",
      "dialects/x.yaml:1: name: \"1x\" is not accepted; accepted: a letter, then letters, digits, -, _ or ., "
        + "at most 64 in all"
    ),
    ("- x\n", "dialects/x.yaml:1: the file: a list stands where a mapping belongs"),
    ("name: x\nextend: chat\n", "dialects/x.yaml:2: unknown key extend; did you mean extends?"),
    (
      "name: x\nextends: z\n",
      "dialects/x.yaml:2: extends: \"z\" is not accepted; accepted: a dialect that is there: chat, gfm, commonmark"
    ),
    ("name: x\nextends: x\n", "dialects/x.yaml:2: extends: dialect x extends itself"),
    (
      "name: x\nextensions:\n  table: true\n",
      "dialects/x.yaml:3: unknown key extensions.table; did you mean extensions.tables?"
    ),
    (
      "name: x\nextensions:\n  tables: on\n",
      "dialects/x.yaml:3: extensions.tables: \"on\" is not accepted; accepted: true or false"
    ),
    (
      "name: x\nextensions: [tables]\n",
      "dialects/x.yaml:2: extensions: a list stands where a mapping belongs"
    ),
    (
      "name: x\nkeyAttributes: key\n", "dialects/x.yaml:2: keyAttributes: a value stands where a list belongs"
    ),
    (
      "name: x\nkeyAttributes: [key, 'a b']\n",
      "dialects/x.yaml:2: keyAttributes: \"a b\" is not accepted; accepted: an attribute's name: a letter, _ or :, "
        + "then letters, digits, _, ., : or -, at most 256 in all"
    ),
    (
      "name: x\nkeyAttributes: [a, b, c, d, e, f, g, h, i]\n",
      "dialects/x.yaml:2: keyAttributes: \"9 names\" is not accepted; accepted: at most 8 names"
    ),
    (
      "name: x\ntemplateAttribute: ''\n",
      "dialects/x.yaml:2: templateAttribute: \"\" is not accepted; accepted: an attribute's name: a letter, _ or :, "
        + "then letters, digits, _, ., : or -, at most 256 in all"
    ),
    (
      "name: x\ncomponents:\n  \"a b\": {content: raw}\n",
      "dialects/x.yaml:3: components: \"a b\" is not accepted; accepted: an element's name: a letter, then letters, "
        + "digits, -, _ or ., at most 256 in all"
    ),
    (
      "name: x\ncomponents:\n  a: {content: html}\n",
      "dialects/x.yaml:3: components.a.content: \"html\" is not accepted; accepted: markdown, raw, none"
    ),
    (
      "name: x\ncomponents:\n  a: {contained: true}\n",
      "dialects/x.yaml:3: components.a.content is missing; accepted: markdown, raw, none"
    ),
    (
      "name: x\ncomponents:\n  a:\n    content: raw\n    contains: true\n",
      "dialects/x.yaml:5: unknown key components.a.contains; did you mean components.a.contained?"
    ),
    (
      "name: x\ncomponents:\n  a: raw\n",
      "dialects/x.yaml:3: components.a: a value stands where a mapping belongs"
    ),
    (
      "name: x\ncomponents:\n  a: {content: raw}\n  a: {content: raw}\n",
      "dialects/x.yaml:4: components.a is given twice; first in line 3"
    ),
    ("name: x\ncomponents: *a\n", "dialects/x.yaml:2:13: an alias (*name) is not accepted"),
  ])
  func namesPlaceKeyValueAndRange(_ text: String, _ expected: String) throws {
    #expect(try Self.found(["x.yaml": text]) == [expected])
  }

  @Test func namesEachDialectOfACircle() throws {
    let found = try Self.found([
      "a.yaml": "name: a\nextends: b\n", "b.yaml": "name: b\nextends: a\n",
      "c.yaml": "name: c\nextends: gfm\n",
    ])
    #expect(
      found == [
        "dialects/a.yaml:2: extends: dialect a extends itself",
        "dialects/b.yaml:2: extends: dialect b extends itself",
      ])
  }

  @Test func doesNotCallAChainThatEndsNowhereCircular() throws {
    let found = try Self.found(["a.yaml": "name: a\nextends: b\n", "b.yaml": "name: b\nextends: c\n"])
    #expect(
      found == [
        "dialects/b.yaml:2: extends: \"c\" is not accepted; "
          + "accepted: a dialect that is there: chat, gfm, commonmark, a"
      ])
  }

  @Test func doesNotBlameADialectForTheOneItExtends() throws {
    let found = try Self.found(["a.yaml": "name: a\nfoo: 1\n", "b.yaml": "name: b\nextends: a\n"])
    #expect(found == ["dialects/a.yaml:2: unknown key foo"])
  }

  @Test func namesAFileThatWouldBeIgnored() throws {
    #expect(
      try Self.found(["x.yml": "name: x\n", "README.md": "", ".hidden.yaml": "?"]) == [
        "dialects/x.yml:1: dialects.directory: \"x.yml\" is not accepted; accepted: files called NAME.yaml"
      ])
  }

  @Test func namesADirectoryThatIsNotThere() throws {
    let files = ["config.yaml": "dialects:\n  directory: none\n"]
    #expect(try problems(files: files) == ["none: cannot be read: No such file or directory"])
  }
}
