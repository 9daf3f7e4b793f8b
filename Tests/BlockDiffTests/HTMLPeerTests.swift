import BlockDiff
import Foundation
import Markup
import TestSupport
import Testing

/// Our HTML against cmark's on paragraphs made from a seed, byte for byte. `MOORING_DOCUMENTS` and `MOORING_SEED` make
/// more and others; `MOORING_SKIP_PEERS=1` lets a machine do without cmark. About one in thirty thousand shows a fault
/// that cmark 0.30 has with `_` and `__` in one paragraph and later versions have not.
@Suite struct HTMLPeerTests {
  @Test func agreesWithCmarkOnGeneratedParagraphs() throws {
    guard PeerTool.cmark.isInstalled else {
      if ProcessInfo.processInfo.environment["MOORING_SKIP_PEERS"] != "1" {
        Issue.record("cmark is not installed; scripts/test installs it")
      }
      return
    }
    let count = RepositoryFiles.number("MOORING_DOCUMENTS", default: 800)
    var generator = InlineGenerator(seed: UInt64(RepositoryFiles.number("MOORING_SEED", default: 1)))
    let sources = (0..<count).map { _ in generator.document() }.filter(Self.isComparable)
    let peers = try PeerTool.cmark.html(of: sources.map { Array($0.utf8) })
    var differing: [String] = []
    for (source, peer) in zip(sources, peers) {
      let own = html(source)
      guard own != peer else { continue }
      differing.append(
        """
        \(source.debugDescription)
          ours: \(String(decoding: own, as: UTF8.self).debugDescription)
          peer: \(String(decoding: peer, as: UTF8.self).debugDescription)
        """)
    }
    print("cmark's HTML: \(sources.count) paragraphs, \(differing.count) differ")
    if !differing.isEmpty {
      differing.sort { $0.utf8.count < $1.utf8.count }
      Issue.record(
        "\(differing.count) of \(sources.count) differ\n\(differing.prefix(10).joined(separator: "\n"))")
    }
  }

  /// Whether cmark 0.30 reads it as CommonMark 0.31.2 does: not a declaration with a lower-case letter; and it takes
  /// a label of white space alone for an empty one.
  private static func isComparable(_ source: String) -> Bool {
    source.firstMatch(of: /<![a-z]|\]\[\s+\]/) == nil
  }

  private func html(_ markdown: String) -> [UInt8] {
    var parser = MarkupParser(dialect: .commonmark)
    parser.append(Array(markdown.utf8).span)
    parser.finish()
    var writer = HTMLWriter(dialect: .commonmark, options: .exact)
    writer.write(parser.blocks)
    return writer.bytes
  }
}
