package import BlockDiff
import Checker
import Foundation
package import Markup

/// Our finished blocks against another program's, over many sources.
package struct PeerComparison: Sendable {
  package var tool: PeerTool
  package var inputs: [Input]
  private var isGenerated = false

  package struct Input: Sendable {
    /// A name that stays the same: a vector's, or suite and number of an example.
    package var name: String
    package var source: [UInt8]
  }

  /// What came out of one comparison.
  package struct Result: Sendable {
    /// The failures that no entry of the list expects.
    package var failures: [TestFailure] = []
    /// The entries of the list that do not differ any more.
    package var stale: [String] = []
    package var known = 0
  }

  /// The dialect that the tool reads.
  package var dialect: Dialect { tool == .cmark ? .commonmark : .gfm }

  /// A comparison over documents made from a seed, without those in which the peers are known to differ.
  package init(_ tool: PeerTool, generated count: Int, seed: Int) {
    self.tool = tool
    isGenerated = true
    inputs = []
    inputs = GeneratedDocuments.documents(count, seed: seed, dialect: dialect).compactMap { subject in
      let source = Self.withoutSourceElement(subject.source)
      return Self.isComparable(source) ? Input(name: subject.name, source: source) : nil
    }
  }

  /// Whether the peers read a generated document as the design does: no NUL and no malformed UTF-8 (they move
  /// columns), no control characters (XML has none), no fence behind a quote's tab (its indentation is counted
  /// in bytes), no declaration with a lower-case letter (CommonMark 0.31).
  private static func isComparable(_ source: [UInt8]) -> Bool {
    guard String(validating: source, as: UTF8.self) != nil else { return false }
    let isPlain = source.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    let hasFence = ["```", "~~~"].contains { source.firstRange(of: Array($0.utf8)) != nil }
    let hasTab = source.firstRange(of: Array(">\t".utf8)) != nil
    let declares = zip(source, source.dropFirst(2)).enumerated().contains { place, pair in
      pair.0 == UInt8(ascii: "<") && source[place + 1] == UInt8(ascii: "!") && pair.1 >= UInt8(ascii: "a")
    }
    return isPlain && !declares && !(hasFence && hasTab)
  }

  /// In generated documents, what `tight` and `loose` say is left out of lists that hold html, thematic breaks and
  /// definitions: there the choices of identity.md §7 show. So are documents with a thematic break right after a
  /// definition, another such choice.
  private func difference(_ blocks: [DocumentBlock], _ input: Input, _ peer: PeerOutline) -> String? {
    let own = PeerOutline(blocks, source: input.source, for: tool)
    guard isGenerated else { return own.difference(from: peer) }
    for (block, next) in zip(blocks, blocks.dropFirst())
    where block.type == .definition && next.type == .thematicBreak {
      return nil
    }
    let chosen = own.chosenSpreads
    return own.withoutSpread(at: chosen).difference(from: peer.withoutSpread(at: chosen))
  }

  /// The examples of the repository's vectors for the tool's dialect and, where the corpus is there
  /// (`MOORING_CORPUS`, else `../shared/corpus`), every example of its suites and a number of real answers
  /// (all with `MOORING_PEER_ALL=1`).
  /// - Parameter withCorpus: whether to look for the corpus at all.
  package init(_ tool: PeerTool, withCorpus: Bool = true) async throws {
    self.tool = tool
    inputs = []
    let file = tool == .cmark ? "commonmark.jsonl" : "gfm.jsonl"
    let vectors = try await ConformanceVector.read(
      RepositoryFiles.conformance.appendingPathComponent(file))
    for vector in vectors { inputs.append(Input(name: vector.name, source: vector.source)) }
    guard withCorpus else { return }
    guard let corpus = RepositoryFiles.shared("corpus", variable: "MOORING_CORPUS") else {
      print("peer \(tool.rawValue): no corpus; the repository's \(inputs.count) examples only")
      return
    }
    var seen = Set(inputs.map(\.source))
    for line in try RepositoryFiles.lines(of: corpus.appendingPathComponent("spec/all-specs.jsonl")) {
      let record = try JSONReader.value(of: line)
      guard let text = record["markdown"]?.string, let suite = record["suite"]?.string else { continue }
      let name = "\(suite)-\(record["example"]?.integer.map(String.init) ?? "")"
      if seen.insert(text.utf8).inserted { inputs.append(Input(name: name, source: text.utf8)) }
    }
    let isAll = RepositoryFiles.number("MOORING_PEER_ALL", default: 0) > 0
    for answer in try RealAnswers.sample(isAll ? .max : 200) where seen.insert(answer.source).inserted {
      inputs.append(Input(name: answer.name, source: answer.source))
    }
    for place in inputs.indices { inputs[place].source = Self.withoutSourceElement(inputs[place].source) }
    print("peer \(tool.rawValue): \(inputs.count) sources, with the corpus at \(corpus.path)")
  }

  /// Makes text of tags of the element `source`, which CommonMark 0.31 took off the list of HTML blocks of
  /// type 6 and the peers still have there; models often use it as a tag of their own.
  private static func withoutSourceElement(_ source: [UInt8]) -> [UInt8] {
    var result = source
    for name in ["<source", "</source"] {
      while let range = result.firstRange(of: Array(name.utf8)) {
        result[range.lowerBound] = UInt8(ascii: "(")
      }
    }
    return result
  }

  /// Compares all inputs.
  ///
  /// - Parameters:
  ///   - known: the names of inputs whose difference is known.
  ///   - blocks: our finished blocks of a source; `nil` to leave it out.
  package func run(
    known: Set<String>, blocks: @Sendable (Input) -> [DocumentBlock]?
  ) async throws -> Result {
    let outlines = try tool.outlines(of: inputs.map(\.source))
    var result = Result()
    for (input, peer) in zip(inputs, outlines) {
      guard let blocks = blocks(input) else { continue }
      let difference = difference(blocks, input, peer)
      switch (difference, known.contains(input.name)) {
      case (let difference?, false):
        result.failures.append(
          TestFailure(
            name: input.name, parse: ParseOptions(dialect), source: input.source, split: .whole,
            offset: input.source.count + 1, detail: difference))
      case (nil, true): result.stale.append(input.name)
      case (.some, true): result.known += 1
      case (nil, false): break
      }
    }
    return result
  }
}

extension PeerComparison {
  /// The names and reasons in the list of known differences for the tool.
  package static func knownDifferences(_ tool: PeerTool) throws -> [String: String] {
    let file = RepositoryFiles.conformance.appendingPathComponent("known-differences.\(tool.rawValue).txt")
    var result: [String: String] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where line.first != "#" {
      let parts = line.split(separator: " ", maxSplits: 1)
      result[String(parts[0])] = parts.count > 1 ? String(parts[1]).trimmingCharacters(in: .whitespaces) : ""
    }
    return result
  }

  /// Our finished blocks of a source, fed whole.
  package static func finishedBlocks(_ source: [UInt8], dialect: Dialect) -> [DocumentBlock] {
    var parser = MarkupParser(dialect: dialect)
    parser.append(source.span)
    parser.finish()
    return (0..<parser.blocks.count).map { DocumentBlock(BlockIndex($0), of: parser.blocks) }
  }
}
