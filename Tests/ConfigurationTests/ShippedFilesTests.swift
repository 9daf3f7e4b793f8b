import Foundation
import Markup
import Testing

@testable import Configuration

/// The files in Config/, as they are in the repository.
@Suite struct ShippedFilesTests {
  static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Config").path

  static func lines(_ name: String) throws -> [Substring] {
    try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func everyFileLoads() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.directory).filter {
      $0.hasSuffix(".yaml")
    }
    #expect(Set(names).isSuperset(of: ["mooring.yaml", "development.yaml", "production.yaml"]))
    for name in names {
      #expect(Configuration.check(file: "\(Self.directory)/\(name)") == [], "\(name)")
    }
  }

  @Test func mooringGivesEveryKeyItsDefault() throws {
    let loaded = try Configuration.load(file: "\(Self.directory)/mooring.yaml")
    #expect(loaded.settings == Settings())
    for key in ConfigurationKey.all {
      #expect(loaded.origin(of: key.path) != .default, "\(key.path) is not in mooring.yaml")
    }
  }

  /// Above each key of mooring.yaml stands a comment that gives its default and both ends of its range, and the
  /// keys are in the table's order.
  @Test func mooringDocumentsEveryKey() throws {
    var section = ""
    var comment = ""
    var documented: [String] = []
    for line in try Self.lines("mooring.yaml") {
      if let match = line.wholeMatch(of: /([a-z]+):/) {
        section = String(match.1)
        comment = ""
      } else if let match = line.wholeMatch(of: /\ \ ([A-Za-z]+): (.*)/) {
        let path = "\(section).\(match.1)"
        documented.append(path)
        let key = try #require(ConfigurationKey.named(path), "\(path)")
        let value = match.2.isEmpty || match.2 == "\"\"" ? "\"\"" : key.defaultText
        #expect(comment.contains("Default \(value)"), "\(path): the comment does not give its default")
        #expect(String(match.2) == value, "\(path)")
        if let range = key.accepted.firstMatch(of: /from ([0-9A-Za-z]+) to ([0-9A-Za-z]+)/) {
          #expect(
            comment.contains("\(range.1) to \(range.2)"), "\(path): the comment does not give its range")
        }
        comment = ""
      } else if line.isEmpty {
        comment = ""
      } else {
        comment += line.drop { $0 == " " || $0 == "#" } + " "
      }
    }
    #expect(documented == ConfigurationKey.all.map(\.path))
  }

  @Test(arguments: Dialect.shipped)
  func dialectFilesSayWhatIsBuiltIn(_ dialect: Dialect) throws {
    let directory = try TemporaryDirectory([
      "config.yaml": "dialects: {directory: \(Self.directory)/dialects}\n"
    ])
    let loaded = try directory.load()
    #expect(loaded.dialects == Dialect.shipped)
    #expect(
      loaded.show().contains("#   \(dialect.name): file \(Self.directory)/dialects/\(dialect.name).yaml\n"))
    // Without `extends`, and naming every extension, so that the file shows all of it.
    let text = try Self.lines("dialects/\(dialect.name).yaml").joined(separator: "\n")
    #expect(!text.contains("\nextends:"))
    for name in DialectExtensionName.allCases { #expect(text.contains("\n  \(name.rawValue): "), "\(name)") }
  }

  @Test func everyExtensionHasAName() {
    let named = DialectExtensionName.allCases.reduce(into: Dialect.Extensions()) { $0.insert($1.option) }
    #expect(named.rawValue == 1 << DialectExtensionName.allCases.count - 1)
    #expect(named.isSuperset(of: Dialect.shipped.reduce(into: []) { $0.formUnion($1.extensions) }))
  }
}
