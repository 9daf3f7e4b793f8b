import BlockDiff
import Foundation
import Markup
import TestSupport
import Testing

/// Our HTML against cmark's and md4c's on what is made from a seed: nowhere may both agree with each other and not with
/// us, and what the known kinds of difference do not explain stays rare. `MOORING_DOCUMENTS` and `MOORING_SEED` make
/// more and others; `MOORING_SKIP_PEERS=1` lets a machine do without the programs.
@Suite struct PeerVoteTests {
  /// The share of sources whose difference from one peer no kind explains: faults of that peer that are too
  /// rare to be told apart, and on which the other one votes with us.
  private static let mostUnexplained = 0.02

  @Test func standsAloneOnNoGeneratedParagraph() throws {
    let count = RepositoryFiles.number("MOORING_DOCUMENTS", default: 800)
    var generator = InlineGenerator(seed: UInt64(RepositoryFiles.number("MOORING_SEED", default: 1)))
    try vote(on: (0..<count).map { _ in Array(generator.document().utf8) }, "paragraphs")
  }

  @Test func standsAloneOnNoGeneratedDocument() throws {
    let count = RepositoryFiles.number("MOORING_DOCUMENTS", default: 800)
    let seed = RepositoryFiles.number("MOORING_SEED", default: 1)
    let comparison = PeerComparison(.cmark, generated: count, seed: seed)
    try vote(on: comparison.inputs.map(\.source), "documents")
  }

  private func vote(on sources: [[UInt8]], _ what: String) throws {
    guard PeerTool.cmark.isInstalled && PeerTool.md4c.isInstalled else {
      if ProcessInfo.processInfo.environment["MOORING_SKIP_PEERS"] != "1" {
        Issue.record("cmark or .build/peers/md4c is not there; scripts/test installs and builds them")
      }
      return
    }
    // md4c takes tabs at lines' ends, in info strings and after markers for text: PeerTests has tabs.
    let sources = sources.map { $0.map { $0 == 0x09 ? 0x20 : $0 } }
    let cmark = try PeerTool.cmark.html(of: sources)
    let md4c = try PeerTool.md4c.html(of: sources)
    var kinds: [PeerVote.Kind: Int] = [:]
    var alone: [String] = []
    var unexplained: [String] = []
    for (place, source) in sources.enumerated() {
      let (ours, breaks) = html(source)
      let vote = PeerVote(
        source, ours: ours, cmark: cmark[place], md4c: md4c[place], breaksAfterDefinition: breaks)
      for kind in vote.kinds { kinds[kind, default: 0] += 1 }
      guard !vote.unexplained.isEmpty else { continue }
      let report = [("source", source), ("ours", ours), ("cmark", cmark[place]), ("md4c", md4c[place])]
        .map { "\($0.0): \(String(decoding: $0.1, as: UTF8.self).debugDescription)" }.joined(
          separator: "\n  ")
      if vote.isAlone { alone.append(report) } else { unexplained.append(report) }
    }
    let named = kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
    print(
      "\(what): \(sources.count), \(alone.count) where we stand alone, \(unexplained.count) unexplained; "
        + "known: \(named.joined(separator: ", "))")
    #expect(alone.isEmpty, "we stand alone:\n\(shortest(alone))")
    #expect(
      Double(unexplained.count) <= Self.mostUnexplained * Double(sources.count),
      "\(unexplained.count) differ from a peer:\n\(shortest(unexplained))")
  }

  private func shortest(_ reports: [String]) -> String {
    reports.sorted { $0.utf8.count < $1.utf8.count }.prefix(10).joined(separator: "\n")
  }

  /// Our HTML, and whether a thematic break follows a definition.
  private func html(_ source: [UInt8]) -> (html: [UInt8], breaksAfterDefinition: Bool) {
    var parser = MarkupParser(dialect: .commonmark)
    parser.append(source.span)
    parser.finish()
    let types = (0..<parser.blocks.count).map { parser.blocks[BlockIndex($0)].type }
    var writer = HTMLWriter(dialect: .commonmark, options: .exact)
    writer.write(parser.blocks)
    let breaks = zip(types, types.dropFirst()).contains { $0 == .definition && $1 == .thematicBreak }
    return (writer.bytes, breaks)
  }
}
