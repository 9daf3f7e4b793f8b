/// The documents of `mooring bench`: a head, and a body that is repeated up to the size that is wanted. Each of
/// the first ones is one long open block; the last two are what answers are made of. `hostile` are others.
package struct BenchDocument: Sendable {
  /// One word.
  package let name: String
  /// What it is, in a few words.
  package let summary: String
  /// What opens the block, and what is repeated inside it.
  private let head: String
  private let body: String

  private init(_ name: String, _ summary: String, head: String = "", body: String) {
    self.name = name
    self.summary = summary
    self.head = head
    self.body = body
  }

  /// The document's first `count` bytes.
  package func bytes(_ count: Int) -> [UInt8] {
    var result = Array(head.utf8)
    let unit = Array(body.utf8)
    result.reserveCapacity(count + unit.count)
    while result.count < count { result += unit }
    result.removeLast(result.count - count)
    return result
  }

  /// All documents, in the order of the table.
  package static let all: [BenchDocument] = [
    BenchDocument("line", "a paragraph of one line", body: "lorem ipsum dolor sit amet "),
    BenchDocument("paragraph", "a paragraph of many lines", body: "lorem ipsum dolor sit amet\n"),
    BenchDocument("list", "a tight list", body: "- item text here ok\n"),
    BenchDocument(
      "nested-list", "a list three levels down", head: "- a\n  - b\n    - c\n", body: "    - item text here\n"
    ),
    BenchDocument("table", "a table of two columns", head: "|a|b|\n|-|-|\n", body: "| cell one | two |\n"),
    BenchDocument("fence", "a fenced code block", head: "```swift\n", body: "let x = call(a, b)\n"),
    BenchDocument("quote", "a block quote", head: "> a\n", body: "> quoted text here\n"),
    BenchDocument("html-block", "an HTML block", head: "<div>\n", body: "<p>text of html</p>\n"),
    BenchDocument("math", "a math block", head: "$$\n", body: "a + b = c \\\\ d\n"),
    BenchDocument("component", "a component with text", head: "<think>\n", body: "some thought of mine\n"),
    BenchDocument(
      "raw-component", "a component whose content is raw", head: "<tool_call>\n",
      body: "{\"a\": 1, \"b\": [2]}\n"),
    BenchDocument("mix", "short blocks of every kind inside one another", body: mix),
    BenchDocument("answer", "what a chat model's answers look like", body: answer),
  ]

  /// Paragraphs of one line, full of what opens an inline element and does not close: what costs too much where openers
  /// are looked at again and again.
  package static let hostile: [BenchDocument] = [
    BenchDocument("asterisks", "*a *a", head: "w ", body: "*a "),
    BenchDocument("underscores", "_a _a", head: "w ", body: "_a "),
    BenchDocument("brackets", "[[[", head: "w ", body: "["),
    BenchDocument("images", "![![", head: "w ", body: "!["),
    BenchDocument("backticks", "`a ``b ```c", head: "w ", body: "`a ``b ```c ````d "),
    BenchDocument("angles", "<a <a", head: "w ", body: "<a "),
    BenchDocument("dollars", "$a $a", head: "w ", body: "$a "),
  ]

  private static let mix = """
    > - quoted item
    >   1. numbered *in* it
    >      ```py
    >      x = 1
    >      ```
    >
    > | a | b |
    > |---|:-:|
    > | c | `d` |

    <Card key="k">

    ## Inside

    - one

      two

      $$
      a_1 \\\\ b
      $$
    - [x] done

    </Card>

    [ref]: /url "title"

    <div>
    raw
    </div>

    ***


    """

  private static let answer = """
    ## How the cache decides

    A request is looked up by its **normalized key**: the path, then the `Accept` field, then every query parameter \\
    that the route declares. If nothing is there, the handler runs and its answer is stored under that key, unless \\
    it says `no-store`. See [the reference](https://example.com/cache#keys) for what counts as a parameter.

    1. **Look up** the key. A hit that is fresh is answered at once.
    2. **Revalidate** a stale hit:
       - send `If-None-Match` with the stored tag;
       - on `304`, keep the body and take the new fields;
       - on anything else, replace the entry.
    3. **Store** the answer and its expiry.

    ```swift
    func answer(to request: Request) async throws -> Response {
      let key = CacheKey(request)
      if let entry = cache[key], entry.isFresh(at: clock.now) {
        return entry.response
      }
      let response = try await handler(request)
      cache.store(response, for: key)
      return response
    }
    ```

    | Situation | What is sent | Cost |
    |:----------|:-------------|-----:|
    | fresh hit | stored body  | 2 µs |
    | stale hit | `304`, *usually* | 1 ms |
    | miss | the handler's answer | 20 ms |

    The expected cost is then

    $$
    E[c] = p \\cdot c_{hit} + (1 - p) \\cdot c_{miss}
    $$

    where $p$ is the share of hits. 缓存命中率越高，平均延迟越低。对于大多数服务来说，百分之九十已经足够。

    > Note that a cache that is never wrong about freshness is a cache that never answers: choose how stale an \\
    > answer may be, and write it down.


    """
}
