import BlockDiff
import Foundation

/// Answers of real models, read from the corpus where it is there.
package enum RealAnswers {
  /// At most `count` answers, spread over the corpus; none where there is no corpus.
  package static func sample(_ count: Int) throws -> [(name: String, source: [UInt8])] {
    guard count > 0, let corpus = RepositoryFiles.shared("corpus", variable: "MOORING_CORPUS") else {
      return []
    }
    let lines = try RepositoryFiles.lines(of: corpus.appendingPathComponent("llm/llm-outputs.jsonl"))
    let step = max(1, lines.count / min(count, lines.count))
    var result: [(name: String, source: [UInt8])] = []
    for place in stride(from: 0, to: lines.count, by: step) {
      let record = try JSONReader.value(of: lines[place])
      guard let text = record["text"]?.string, let id = record["id"]?.string else { continue }
      result.append((id.description, text.utf8))
    }
    return result
  }
}
