/// The documents of `mooring bench`: one long open block each.
struct BenchDocument {
  let name: String
  /// What opens the block, and what is repeated inside it.
  let head: String
  let body: String

  init(_ name: String, head: String = "", body: String) {
    self.name = name
    self.head = head
    self.body = body
  }

  /// The document's first `count` bytes.
  func bytes(_ count: Int) -> [UInt8] {
    var result = Array(head.utf8)
    let unit = Array(body.utf8)
    result.reserveCapacity(count + unit.count)
    while result.count < count { result += unit }
    return Array(result.prefix(count))
  }

  static let all: [BenchDocument] = [
    BenchDocument("paragraph, one line", body: "lorem ipsum dolor sit amet "),
    BenchDocument("paragraph, lines", body: "lorem ipsum dolor sit amet\n"),
    BenchDocument("list", body: "- item text here ok\n"),
    BenchDocument("nested list", head: "- a\n  - b\n    - c\n", body: "    - item text here\n"),
    BenchDocument("table", head: "|a|b|\n|-|-|\n", body: "| cell one | two |\n"),
    BenchDocument("fenced code", head: "```swift\n", body: "let x = call(a, b)\n"),
    BenchDocument("block quote", head: "> a\n", body: "> quoted text here\n"),
    BenchDocument("HTML block", head: "<div>\n", body: "<p>text of html</p>\n"),
    BenchDocument("math block", head: "$$\n", body: "a + b = c \\\\ d\n"),
    BenchDocument("component", head: "<think>\n", body: "some thought of mine\n"),
    BenchDocument("raw component", head: "<tool_call>\n", body: "{\"a\": 1, \"b\": [2]}\n"),
  ]
}
