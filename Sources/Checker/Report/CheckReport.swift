/// What the check of a document, or of many together, found (api.md §6).
package struct CheckReport: Equatable, Sendable {
  /// How many chunks a split had: the states compared.
  package struct SplitCount: Equatable, Sendable {
    package var name: String
    package var chunks: Int
  }

  /// A violation and the name of the document that has it.
  package struct Finding: Equatable, Sendable {
    package var document: String
    package var violation: Violation
  }

  package var documents = 0
  package var bytes = 0
  /// The prefix lengths whose states were compared, whatever the number of splits.
  package var prefixes = 0
  /// Those of them that were also parsed whole.
  package var wholePrefixes = 0
  package var splits: [SplitCount] = []
  package var blocks = 0
  /// Blocks that changed their type while they were open.
  package var retypes = 0
  /// The number of token-like chunks.
  package var tokens = 0
  /// The bytes that each prefix holds back.
  package var held = Histogram()
  /// The tokens after which each byte shows, beyond the one that it came in.
  package var heldTokens = Histogram()
  /// Violations of a document whose name is not known here.
  package var violations: [Violation] = []
  package var findings: [Finding] = []
  package var elapsedMilliseconds = 0

  package init() {}

  package var isOK: Bool { violations.isEmpty && findings.isEmpty }

  /// Adds the report of a document.
  package mutating func merge(_ other: CheckReport, name: String) {
    documents += other.documents
    bytes += other.bytes
    prefixes += other.prefixes
    wholePrefixes += other.wholePrefixes
    blocks += other.blocks
    retypes += other.retypes
    tokens += other.tokens
    held.merge(other.held)
    heldTokens.merge(other.heldTokens)
    for split in other.splits {
      if let place = splits.firstIndex(where: { $0.name == split.name }) {
        splits[place].chunks += split.chunks
      } else {
        splits.append(split)
      }
    }
    findings += other.violations.map { Finding(document: name, violation: $0) } + other.findings
  }
}
