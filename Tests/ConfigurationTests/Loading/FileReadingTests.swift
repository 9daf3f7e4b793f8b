import Foundation
import Testing

@testable import Configuration

@Suite struct FileReadingTests {
  @Test(arguments: [
    ("x", "/a/b/x"), ("../x", "/a/x"), ("./x/", "/a/b/x"), ("/x", "/x"), ("é ü", "/a/b/é ü"),
    ("a%20b", "/a/b/a%20b"),
  ])
  func makesPathsAbsolute(_ path: String, _ expected: String) {
    #expect(absolutePath(path, from: "/a/b") == expected)
  }

  @Test func findsAFilesDirectory() {
    #expect(directory(ofFile: "/a/b/c.yaml") == "/a/b")
    #expect(directory(ofFile: "c.yaml") == workingDirectory())
  }

  @Test func readsNoMoreThanATextMayHave() throws {
    let file = try TemporaryDirectory(["x": String(repeating: "#", count: YAMLDocument.maxBytes * 2)])
    #expect(try file.bytes("x").count == YAMLDocument.maxBytes + 1)
  }

  @Test(arguments: [(ENOENT, "No such file or directory"), (EACCES, "Permission denied")])
  func hasTheSystemsWords(_ errno: Int32, _ expected: String) { #expect(systemErrorText(errno) == expected) }
}
