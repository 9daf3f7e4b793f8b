import Testing

@testable import Configuration

@Suite struct LoadedConfigurationTests {
  /// The settings of each set of variables, shown, saved and read again.
  @Test(arguments: [
    [:],
    ["MOORING_LISTEN_HOST": "::1", "MOORING_LISTEN_PORT": "0", "MOORING_HTTP_LOOPS": "7"],
    [
      "MOORING_HTTP_MAX_BODY_BYTES": "1025B", "MOORING_BLOCKS_MAX_WAIT": "61s",
      "MOORING_SHUTDOWN_GRACE": "0ms",
    ],
    ["MOORING_BLOCKS_CREATE_ON_APPEND": "false", "MOORING_STREAMS_MAX_COUNT": "3"],
  ])
  func showReadsBack(_ environment: [String: String]) throws {
    let loaded = try Configuration.load(environment: environment)
    let directory = try TemporaryDirectory(["config.yaml": loaded.show()])
    #expect(try directory.load().settings == loaded.settings)
  }

  @Test func showNamesEachOrigin() throws {
    let directory = try TemporaryDirectory(["config.yaml": "http:\n\n  maxFields: 9\n"])
    let loaded = try directory.load(
      environment: ["MOORING_HTTP_LOOPS": "2"],
      overrides: try ConfigurationOverride.listen("[::1]:8080"))
    let lines = directory.relative(loaded.show()).split(separator: "\n").map {
      String($0.replacing(/\ +#/, with: " #"))
    }
    for line in [
      "listen:", "  host: \"::1\" # command line --listen", "  port: 8080 # command line --listen",
      "  loops: 2 # environment MOORING_HTTP_LOOPS", "  maxFields: 9 # file config.yaml:3",
      "  maxBodyBytes: 8MiB # default", "#   chat: built in",
    ] { #expect(lines.contains(line), "\(line)") }
  }

  @Test(arguments: [
    "/srv/dia lects", "/srv/é", "/srv/\"q\\", "/srv/a: b # c", "/srv/line\nend", "/srv/\u{85}\u{2028}", "/-",
    "/'x'",
  ])
  func showQuotesWhatYAMLWouldReadOtherwise(_ path: String) throws {
    var settings = Settings()
    settings.dialects.directory = path
    let loaded = LoadedConfiguration(
      settings: settings, dialects: [], origins: ["listen.port": .file("a\nlisten: {}", line: 1)],
      dialectFiles: [:])
    var reader = SettingsReader()
    reader.read(try YAMLDocument(parsing: [UInt8](loaded.show().utf8)), file: "shown")
    #expect(reader.errors.isEmpty)
    #expect(reader.settings == settings)
  }
}
