import Foundation
import Testing

@testable import Configuration

@Suite struct ConfigurationTests {
  // MARK: - What is wrong with a file

  @Test(arguments: [
    (
      "http:\n  maxBodyBites: 1MiB\n",
      "config.yaml:2: unknown key http.maxBodyBites; did you mean http.maxBodyBytes?"
    ),
    ("htp:\n  loops: 1\n", "config.yaml:1: unknown key htp"),
    ("http.loops: 1\n", "config.yaml:1: unknown key http.loops; did you mean http.loops?"),
    ("http:\n  Loops: 1\n", "config.yaml:2: unknown key http.Loops; did you mean http.loops?"),
    ("http:\n  \"lo ops\\n\": 1\n", "config.yaml:2: unknown key http.lo ops\\n; did you mean http.loops?"),
    (
      "listen:\n\n  port: 70000\n",
      "config.yaml:3: listen.port: \"70000\" is not accepted; accepted: a whole number from 0 to 65535"
    ),
    (
      "listen:\n  port: \"+80\"\n",
      "config.yaml:2: listen.port: \"+80\" is not accepted; accepted: a whole number from 0 to 65535"
    ),
    (
      "listen:\n  port:\n",
      "config.yaml:2: listen.port: \"\" is not accepted; accepted: a whole number from 0 to 65535"
    ),
    (
      "http:\n  loops: 0\n",
      "config.yaml:2: http.loops: \"0\" is not accepted; accepted: auto, or a whole number from 1 to 256"
    ),
    (
      "http:\n  maxBodyBytes: 8388608\n",
      "config.yaml:2: http.maxBodyBytes: \"8388608\" is not accepted; accepted: a size from 1KiB to 1GiB, "
        + "such as 64KiB (units: B, KiB, MiB, GiB, TiB)"
    ),
    (
      "http:\n  headTimeout: 10\n",
      "config.yaml:2: http.headTimeout: \"10\" is not accepted; accepted: a duration from 100ms to 10m, "
        + "such as 250ms or 30s (units: ms, s, m, h)"
    ),
    (
      "blocks:\n  createOnAppend: yes\n",
      "config.yaml:2: blocks.createOnAppend: \"yes\" is not accepted; accepted: true or false"
    ),
    ("auth:\n  mode: keys\n", "config.yaml:2: auth.mode: \"keys\" is not accepted; accepted: none"),
    (
      "storage:\n  engine: redis\n",
      "config.yaml:2: storage.engine: \"redis\" is not accepted; accepted: memory, sqlite"
    ),
    (
      "storage:\n  durability: some\n",
      "config.yaml:2: storage.durability: \"some\" is not accepted; accepted: full, relaxed"
    ),
    (
      "storage: {path: \"\"}\n",
      "config.yaml:1: storage.path: \"\" is not accepted; accepted: the path of a file of at most 4096 bytes"
    ),
    (
      "listen: {host: example.com}\n",
      "config.yaml:1: listen.host: \"example.com\" is not accepted; accepted: an IPv4 or IPv6 address, or localhost"
    ),
    ("http:\n  loops: 1\n  loops: 2\n", "config.yaml:3: http.loops is given twice; first in line 2"),
    ("http: {loops: 1}\nhttp: {loops: 1}\n", "config.yaml:2: http is given twice; first in line 1"),
    ("http: 5\n", "config.yaml:1: http: a value stands where a mapping belongs"),
    ("http: [loops]\n", "config.yaml:1: http: a list stands where a mapping belongs"),
    ("http:\n  loops: [1]\n", "config.yaml:2: http.loops: a list stands where a value belongs"),
    ("http:\n  loops: {a: 1}\n", "config.yaml:2: http.loops: a mapping stands where a value belongs"),
    ("- http\n", "config.yaml:1: the file: a list stands where a mapping belongs"),
    ("http: &a {loops: 1}\n", "config.yaml:1:7: an anchor (&name) is not accepted"),
    (
      "http:\n\tloops: 1\n",
      "config.yaml:2:1: not YAML: found character that cannot start any token while scanning for the next token"
    ),
    ("listen:\n  port: \u{7}\n", "config.yaml:2:1: control character 0x7 is not allowed"),
    (
      "blocks:\n  defaultDialect: chta\n",
      "config.yaml:2: blocks.defaultDialect: \"chta\" is not accepted; accepted: a dialect that is there: "
        + "chat, gfm, commonmark"
    ),
    (
      "listen:\n  host: 0.0.0.0\n",
      "config.yaml:2: listen.host: \"0.0.0.0\" can be reached by other machines, and auth.mode is none; accepted: "
        + "a loopback address (127.0.0.1, ::1), or any with auth.allowUnauthenticatedNetwork: true"
    ),
    (
      "streams:\n  maxTotalBytes: 8MiB\n",
      "default: streams.maxBytes: 16MiB is above streams.maxTotalBytes, which is 8MiB (config.yaml:2)"
    ),
    (
      "http:\n  maxRequestLineBytes: 64KiB\n",
      "config.yaml:2: http.maxRequestLineBytes: 64KiB is above http.maxHeadBytes, which is 32KiB (default)"
    ),
    (
      "http:\n  maxBodyBytes: 1GiB\n",
      "config.yaml:2: http.maxBodyBytes: 1GiB is above http.maxBytesInFlight, which is 256MiB (default)"
    ),
    (
      "blocks:\n  lowestMinInterval: 5s\n  highestMinInterval: 1s\n",
      "config.yaml:2: blocks.lowestMinInterval: 5s is above blocks.highestMinInterval, which is 1s (config.yaml:3)"
    ),
  ])
  func namesPlaceKeyValueAndRange(_ text: String, _ expected: String) throws {
    #expect(try problems(text) == [expected])
  }

  @Test func namesEveryProblemOfAFile() throws {
    let text = """
      listen: {port: x}
      http:
        loops: 0
        nope: 1
        maxFields: 100
        maxFields: 100
      other: 1
      """
    #expect(
      try problems(text).map { $0.prefix(14) } == [
        "config.yaml:1:", "config.yaml:3:", "config.yaml:4:", "config.yaml:7:", "config.yaml:6:",
      ])
  }

  @Test func checkNamesTheSameProblemsAsLoad() throws {
    let directory = try TemporaryDirectory(["config.yaml": "http: {loops: 0, nope: 1}\n", "fine.yaml": ""])
    let errors = directory.check()
    #expect(errors.count == 2)
    #expect(throws: ConfigurationError.several(errors)) { () throws(ConfigurationError) in
      try directory.load()
    }
    #expect(directory.check("fine.yaml").isEmpty)
  }

  @Test func namesAFileThatCannotBeRead() throws {
    let directory = try TemporaryDirectory(["sub/x": ""])
    let missing = directory.file("none.yaml")
    #expect(directory.check("none.yaml") == [.unreadable(path: missing, errno: ENOENT)])
    #expect(
      "\(directory.check("none.yaml")[0])" == "\(missing): cannot be read: No such file or directory")
    let isDirectory = directory.file("sub")
    #expect(directory.check("sub") == [.unreadable(path: isDirectory, errno: EISDIR)])
  }

  @Test func stopsReadingAnEndlessFile() {
    #expect(
      Configuration.check(file: "/dev/zero") == [
        .yaml(.tooLarge(limit: YAMLDocument.maxBytes), file: "/dev/zero")
      ])
  }

  @Test func cutsLongValuesAndEscapesControlCharacters() throws {
    let long = String(repeating: "x", count: 5000)
    let line = try #require(try problems("auth:\n  mode: \"a\\nb\\e\(long)\"\n").first)
    #expect(line.hasPrefix("config.yaml:2: auth.mode: \"a\\nb\\u{1B}xxx"))
    #expect(line.utf8.count < 200)
  }

  // MARK: - Where values come from

  @Test func readsTheDefaultsWhereNothingIsGiven() throws {
    let loaded = try Configuration.load()
    #expect(loaded.settings == Settings())
    #expect(ConfigurationKey.all.allSatisfy { loaded.origin(of: $0.path) == .default })
  }

  @Test func readsEachKindOfValue() throws {
    let text = """
      listen: {host: "::1", port: 0}
      http:
        loops: 3
        maxBodyBytes: 64KiB
        headTimeout: 250ms
      blocks: {createOnAppend: false, defaultDialect: gfm}
      streams:
        # maxCount: 1
      """
    let directory = try TemporaryDirectory(["config.yaml": text])
    let settings = try directory.load().settings
    var expected = Settings()
    expected.listen.host = "::1"
    expected.listen.port = 0
    expected.http.loops = 3
    expected.http.maxBodyBytes = 65_536
    expected.http.headTimeout = .milliseconds(250)
    expected.blocks.createOnAppend = false
    expected.blocks.defaultDialect = "gfm"
    #expect(settings == expected)
  }

  @Test func laterSourcesWin() throws {
    let directory = try TemporaryDirectory([
      "config.yaml": "listen:\n  port: 1\nhttp:\n  loops: 2\n  maxFields: 20\n"
    ])
    let loaded = try directory.load(
      environment: [
        "MOORING_LISTEN_PORT": "3", "MOORING_HTTP_LOOPS": "4", "HOME": "/root", "MOORINGS": "no",
        "MOORING_BLOCKS_CREATE_ON_APPEND": "false",
      ],
      overrides: try ConfigurationOverride.listen("localhost:5"))
    #expect(loaded.settings.listen.host == "127.0.0.1")
    #expect(loaded.settings.listen.port == 5)
    #expect(loaded.settings.http.loops == 4)
    #expect(loaded.settings.http.maxFields == 20)
    #expect(loaded.origin(of: "listen.port") == .commandLine("--listen"))
    #expect(loaded.origin(of: "http.loops") == .environment("MOORING_HTTP_LOOPS"))
    #expect(loaded.origin(of: "http.maxFields") == .file(directory.file(), line: 5))
    #expect(loaded.origin(of: "http.maxHeadBytes") == .default)
    #expect(!loaded.settings.blocks.createOnAppend)
  }

  @Test(arguments: [
    (
      "MOORING_HTTP_LOPS", "1",
      "environment MOORING_HTTP_LOPS: unknown key MOORING_HTTP_LOPS; did you mean MOORING_HTTP_LOOPS?"
    ),
    ("MOORING_PORT", "8080", "environment MOORING_PORT: unknown key MOORING_PORT"),
    (
      "MOORING_HTTP_LOOPS", "",
      "environment MOORING_HTTP_LOOPS: http.loops: \"\" is not accepted; accepted: auto, or a whole number from 1 to 256"
    ),
    (
      "MOORING_LISTEN_HOST", "::",
      "environment MOORING_LISTEN_HOST: listen.host: \"::\" can be reached by other machines, and auth.mode is none; "
        + "accepted: a loopback address (127.0.0.1, ::1), or any with auth.allowUnauthenticatedNetwork: true"
    ),
  ])
  func namesTheVariable(_ name: String, _ value: String, _ expected: String) throws {
    #expect(try problems("", environment: [name: value]) == [expected])
  }

  @Test func ignoresTheVariablesOfServiceLinks() throws {
    let links = [
      "MOORING_SERVICE_HOST": "10.0.0.1", "MOORING_SERVICE_PORT": "4437", "MOORING_SERVICE_PORT_HTTP": "4437",
      "MOORING_PORT": "tcp://10.0.0.1:4437", "MOORING_PORT_4437_TCP": "tcp://10.0.0.1:4437",
      "MOORING_PORT_4437_TCP_ADDR": "10.0.0.1", "MOORING_WEB_SERVICE_HOST": "10.0.0.2",
    ]
    #expect(try Configuration.load(environment: links).settings == Settings())
  }

  @Test func listensOnTheNetworkWhenToldTwice() throws {
    let environment = [
      "MOORING_LISTEN_HOST": "0.0.0.0", "MOORING_AUTH_ALLOW_UNAUTHENTICATED_NETWORK": "true",
    ]
    #expect(try Configuration.load(environment: environment).settings.listen.host == "0.0.0.0")
  }

  @Test func reportsAnUnknownOverride() {
    let overrides = [ConfigurationOverride(key: "listen.prot", value: "1", option: "--set")]
    #expect(
      throws: ConfigurationError.unknownKey("listen.prot", .commandLine("--set"), suggestion: "listen.port")
    ) {
      () throws(ConfigurationError) in try Configuration.load(overrides: overrides)
    }
  }
}

@Suite struct ConfigurationOverrideTests {
  @Test(arguments: [
    ("127.0.0.1:4437", "127.0.0.1", "4437"), ("[::1]:0", "::1", "0"), ("localhost:80", "localhost", "80"),
    (":80", "", "80"), ("x:y", "x", "y"),
  ])
  func splitsListen(_ text: String, _ host: String, _ port: String) throws {
    #expect(try ConfigurationOverride.listen(text).map(\.value) == [host, port])
  }

  @Test(arguments: ["", "127.0.0.1", "4437", "::1", "::1:80", "[::1]"])
  func refusesOtherListen(_ text: String) {
    #expect(throws: ConfigurationError.self) { try ConfigurationOverride.listen(text) }
  }

  @Test func storageNamesTheEngineAndItsFile() throws {
    func storage(_ text: String) throws -> Settings.Storage {
      try Configuration.load(overrides: ConfigurationOverride.storage(text)).settings.storage
    }
    #expect(try storage("memory").engine == .memory)
    #expect(try storage("sqlite") == Settings().storage)
    #expect(try storage("sqlite").path == "mooring.sqlite")
    #expect(try storage("sqlite:/srv/a:b.sqlite").path == "/srv/a:b.sqlite")
    for text in ["tape", "memory:x", "", ":x", "SQLite:x"] {
      #expect(
        throws: ConfigurationError.invalidValue(
          key: "storage.engine", value: text, .commandLine("--storage"), accepted: "memory, sqlite")
      ) { () throws(ConfigurationError) in
        try Configuration.load(overrides: ConfigurationOverride.storage(text))
      }
    }
    #expect(throws: ConfigurationError.self) { try storage("sqlite:") }
  }
}
