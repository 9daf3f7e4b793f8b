import Testing

@testable import Configuration

@Suite struct ConfigurationKeyTests {
  @Test func everyDefaultIsAccepted() {
    for key in ConfigurationKey.all {
      var settings = Settings()
      #expect(key.read(key.defaultText, into: &settings), "\(key.path)")
      #expect(settings == Settings(), "\(key.path)")
    }
  }

  @Test func pathsAndVariablesAreUnique() {
    #expect(ConfigurationKey.byPath.count == ConfigurationKey.all.count)
    #expect(ConfigurationKey.byEnvironmentName.count == ConfigurationKey.all.count)
    // A section named SERVICE or PORT would meet the variables of service links.
    #expect(ConfigurationKey.sections.isDisjoint(with: ["service", "port"]))
  }

  @Test func everyPathIsASectionAndAName() {
    for key in ConfigurationKey.all {
      #expect(key.path.wholeMatch(of: /[a-z]+\.[a-z][A-Za-z]*/) != nil, "\(key.path)")
      #expect(!key.summary.isEmpty && !key.accepted.isEmpty, "\(key.path)")
    }
  }

  @Test(arguments: [
    ("listen.host", "MOORING_LISTEN_HOST"), ("http.maxBodyBytes", "MOORING_HTTP_MAX_BODY_BYTES"),
    ("auth.allowUnauthenticatedNetwork", "MOORING_AUTH_ALLOW_UNAUTHENTICATED_NETWORK"),
  ])
  func namesTheVariable(_ path: String, _ name: String) {
    #expect(ConfigurationKey.named(path)?.environmentName == name)
  }

  /// Every stored value of `Settings` is some key's: a struct member without a key could not be configured.
  @Test func everySettingHasAKey() {
    func leaves(_ value: Any, _ path: String) -> [String] {
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .struct, !(value is Duration), !(value is String) else { return [path] }
      return mirror.children.flatMap { leaves($0.value, path.isEmpty ? $0.label! : "\(path).\($0.label!)") }
    }
    #expect(Set(leaves(Settings(), "")) == Set(ConfigurationKey.all.map(\.path)))
  }

  @Test func refusedValuesChangeNothing() {
    for key in ConfigurationKey.all {
      var settings = Settings()
      #expect(!key.read("\u{0}", into: &settings), "\(key.path)")
      #expect(settings == Settings(), "\(key.path)")
    }
  }
}

@Suite struct NearestNameTests {
  @Test(
    arguments: [
      ("http.loop", "http.loops"), ("HTTP.LOOPS", "http.loops"), ("htpp.lops", "http.loops"),
      ("zzzzzzzzz", nil),
      ("", nil),
    ] as [(String, String?)])
  func suggestsNearNamesOnly(_ name: String, _ expected: String?) {
    #expect(nearest(name, among: ["http.loops", "listen.port"]) == expected)
  }
}
