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

  /// What a model answers: some of each, in short blocks.
  static let answer = BenchDocument(
    "answer",
    body: """
      ## What to pack

      For a week in the **mountains** you need less than you think. Take `two` layers of each, and read the list at \
      [the hut](https://example.org/hut) before you leave, since the weather there turns within the hour.

      1. Boots that you have walked in before
      2. A map, on paper
         - and a pencil
         - in something that keeps water out

      ```swift
      let weight = items.map(\\.weight).reduce(0, +)
      print("\\(weight) kg")
      ```

      | item | weight |
      |---|---:|
      | tent | 1.9 kg |
      | stove | 0.4 kg |

      > Nobody ever came back and wished for a heavier bag.


      """)

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
