import Foundation

/// The examples of the specifications with their HTML, where the folder of specification data is there; those of
/// CommonMark also where scripts/fetch-specification has brought them.
package enum SpecificationExamples {
  package struct Example: Sendable {
    package var name: String
    package var markdown: String
    package var html: String
    /// What the example asks of its implementation, in that one's words.
    package var options: String
  }

  private static var folder: URL? {
    RepositoryFiles.shared("corpus", variable: "MOORING_CORPUS")?.appendingPathComponent("spec")
  }

  /// The 652 examples of CommonMark 0.31.2; none where there are no data.
  package static func commonmark() throws -> [Example] {
    let fetched = RepositoryFiles.root.appendingPathComponent(".build/specification/commonmark.json")
    let isFetched = FileManager.default.fileExists(atPath: fetched.path)
    guard
      let file = folder?.appendingPathComponent("commonmark-0.31.2.spec.json") ?? (isFetched ? fetched : nil)
    else { return [] }
    let list = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]] ?? []
    return list.compactMap { example($0, suite: "commonmark") }
  }

  /// The examples of one suite of all-specs.jsonl; none where the folder is not there.
  package static func suite(_ suite: String) throws -> [Example] {
    guard let file = folder?.appendingPathComponent("all-specs.jsonl") else { return [] }
    return try RepositoryFiles.lines(of: file).compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
      return object["suite"] as? String == suite ? example(object, suite: suite) : nil
    }
  }

  private static func example(_ object: [String: Any], suite: String) -> Example? {
    guard let markdown = object["markdown"] as? String, let html = object["html"] as? String else {
      return nil
    }
    return Example(
      name: "\(suite)#\(object["example"] ?? "?")", markdown: markdown, html: html,
      options: object["options"] as? String ?? "")
  }
}
