import Foundation
import TestSupport
import Testing

/// Block structure against cmark and cmark-gfm, which scripts/test installs.
///
/// `MOORING_SKIP_PEERS=1` lets a machine do without them; `MOORING_PEER_ALL=1` compares every answer of the
/// corpus, not only a sample.
@Suite struct PeerTests {
  @Test(arguments: PeerTool.withOutlines)
  func agreesWithThePeer(_ tool: PeerTool) async throws {
    guard isThere(tool) else { return }
    let comparison = try await PeerComparison(tool)
    let known = try PeerComparison.knownDifferences(tool)
    let result = try await comparison.run(known: Set(known.keys)) {
      PeerComparison.finishedBlocks($0.source, dialect: comparison.dialect)
    }
    report(result, tool, of: comparison.inputs.count)
  }

  /// The vectors' own blocks agree too, so that a difference in the test above is the parser's.
  @Test(arguments: PeerTool.withOutlines)
  func agreesWithTheVectors(_ tool: PeerTool) async throws {
    guard isThere(tool) else { return }
    let file = tool == .cmark ? "commonmark.jsonl" : "gfm.jsonl"
    let vectors = try await ConformanceVector.read(
      RepositoryFiles.conformance.appendingPathComponent(file))
    let blocks = Dictionary(uniqueKeysWithValues: vectors.map { ($0.name, $0.blocks) })
    let comparison = try await PeerComparison(tool, withCorpus: false)
    let result = try await comparison.run(known: []) { blocks[$0.name] }
    report(result, tool, of: vectors.count)
  }

  /// Documents made from a seed, against the peer that has CommonMark 0.30. `MOORING_DOCUMENTS` and
  /// `MOORING_SEED` make more and others.
  @Test func agreesWithCmarkOnGeneratedDocuments() async throws {
    let tool = PeerTool.cmark
    guard isThere(tool) else { return }
    let count = RepositoryFiles.number("MOORING_DOCUMENTS", default: 400)
    let seed = RepositoryFiles.number("MOORING_SEED", default: 1)
    let comparison = PeerComparison(tool, generated: count, seed: seed)
    let result = try await comparison.run(known: []) {
      PeerComparison.finishedBlocks($0.source, dialect: comparison.dialect)
    }
    report(result, tool, of: comparison.inputs.count)
  }

  private func isThere(_ tool: PeerTool) -> Bool {
    if tool.isInstalled { return true }
    if ProcessInfo.processInfo.environment["MOORING_SKIP_PEERS"] == "1" {
      print("SKIPPED: \(tool.rawValue) is not installed, and MOORING_SKIP_PEERS is set")
    } else {
      Issue.record(
        """
        \(tool.rawValue) is not installed, so nothing was compared with it. scripts/test installs it \
        (apt-get install \(tool.rawValue)); MOORING_SKIP_PEERS=1 leaves it out.
        """)
    }
    return false
  }

  private func report(_ result: PeerComparison.Result, _ tool: PeerTool, of count: Int) {
    print(
      "\(tool.rawValue): \(count) sources, \(result.known) known differences, \(result.failures.count) others"
    )
    if !result.failures.isEmpty {
      Issue.record("\(tool.rawValue): \(TestFailure.report(result.failures, of: count, limit: 20))")
    }
    if !result.stale.isEmpty {
      Issue.record("take from the list of known differences, they agree now: \(result.stale.sorted())")
    }
  }
}
