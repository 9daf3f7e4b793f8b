import BlockDiff
import Foundation
import TestSupport

/// Documents to send through the service: the shared corpus, else the repository's own vectors.
enum Documents {
  struct Document: Sendable {
    var name: String
    var source: [UInt8]
  }

  /// All documents, and where they come from.
  static func all() throws -> (documents: [Document], origin: String) {
    guard let corpus = RepositoryFiles.shared("corpus", variable: "MOORING_CORPUS") else {
      var documents: [Document] = []
      for file in ConformanceFiles.all where !file.isShared {
        for line in try RepositoryFiles.lines(of: file.url) {
          let record = try JSONReader.value(of: line)
          guard let source = text(record, "source") ?? text(record, "text") ?? text(record, "markdown") else {
            continue
          }
          documents.append(Document(name: "\(file.url.lastPathComponent)-\(documents.count)", source: source))
        }
      }
      return (documents, "the repository's vectors")
    }
    var documents: [Document] = []
    for (file, field) in [
      ("llm/llm-outputs.jsonl", "text"), ("streaming/cases.jsonl", "markdown"),
      ("components/components.jsonl", "text"), ("pathological/small.jsonl", "bytes_b64"),
    ] {
      for line in try RepositoryFiles.lines(of: corpus.appendingPathComponent(file)) {
        let record = try JSONReader.value(of: line)
        guard let id = record["id"]?.string, let source = text(record, ByteString(field)) else { continue }
        documents.append(Document(name: id.description, source: source))
      }
    }
    return (documents, "the corpus")
  }

  private static func text(_ record: JSONValue, _ field: ByteString) -> [UInt8]? {
    guard let value = record[field]?.string else { return nil }
    guard field == "bytes_b64" else { return value.utf8 }
    return Data(base64Encoded: Data(value.utf8)).map { Array($0) }
  }
}
