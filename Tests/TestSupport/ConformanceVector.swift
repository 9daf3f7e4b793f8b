package import BlockDiff
package import Checker
package import Foundation
import Markup

/// One conformance vector: a source, what each byte of it changes, and the finished blocks.
package struct ConformanceVector: Sendable {
  package var name: String
  package var rule: String
  package var parse: ParseOptions
  package var source: [UInt8]
  package var steps: [Step]
  package var finish: [BlockDocument.Operation]
  package var blocks: [DocumentBlock]

  /// What changes when the source has grown to `at` bytes.
  package struct Step: Sendable {
    package var at: Int
    package var pending: Int
    package var operations: [BlockDocument.Operation]
  }
}

/// What is wrong with a line of vectors.
package enum ConformanceError: Error, Equatable, Sendable {
  case unreadable(line: Int, String)
}

extension ConformanceVector {
  /// Reads a file of vectors (the format is in Tests/Conformance/README.md).
  ///
  /// - Parameter filter: a part of the name or rule of those wanted; `nil` for all.
  package static func read(_ file: URL, filter: String? = nil) async throws -> [ConformanceVector] {
    let lines = try RepositoryFiles.lines(of: file)
    // A vector's line is long, so lines are worth a task each.
    return try await withThrowingTaskGroup(of: (Int, ConformanceVector?).self) { group in
      for (number, line) in lines.enumerated() {
        group.addTask {
          do { return (number, try ConformanceVector(line: line, filter: filter)) } catch {
            throw ConformanceError.unreadable(line: number + 1, "\(error)")
          }
        }
      }
      var vectors = [ConformanceVector?](repeating: nil, count: lines.count)
      for try await (number, vector) in group { vectors[number] = vector }
      return vectors.compactMap { $0 }
    }
  }

  /// Reads one line; `nil` where `filter` does not want it.
  private init?(line: [UInt8], filter: String?) throws {
    let object = try JSONReader.value(of: line)
    name = object["name"]?.string?.description ?? ""
    rule = object["rule"]?.string?.description ?? ""
    if let filter, !name.contains(filter), !rule.contains(filter) { return nil }
    parse = try Self.parseOptions(object)
    if let text = object["source"]?.string {
      source = text.utf8
    } else {
      let encoded = object["source_b64"]?.string?.description ?? ""
      guard let data = Data(base64Encoded: encoded) else { throw BlockDocumentError.malformed("source_b64") }
      source = Array(data)
    }
    steps = []
    for step in object["steps"]?.array ?? [] {
      guard let at = step["at"]?.integer, let pending = step["pending"]?.integer else {
        throw BlockDocumentError.malformed("steps")
      }
      steps.append(Step(at: at, pending: pending, operations: try Self.operations(step)))
    }
    finish = try Self.operations(object["finish"] ?? .null)
    blocks = try (object["blocks"]?.array ?? []).map { Self.withText(try DocumentBlock($0)) }
  }

  private static func operations(_ object: JSONValue) throws -> [BlockDocument.Operation] {
    try (object["ops"]?.array ?? []).map { value in
      let operation = try BlockDocument.Operation(value)
      if case .open(let block) = operation { return .open(withText(block)) }
      return operation
    }
  }

  /// Vectors may leave an empty text out.
  private static func withText(_ block: DocumentBlock) -> DocumentBlock {
    var block = block
    switch block.type {
    case .paragraph, .heading, .code, .tableCell, .html, .math, .definition, .yaml:
      block.text = block.text ?? ""
    case .component: if block.fields.content == "raw" { block.text = block.text ?? "" }
    case .thematicBreak, .blockquote, .list, .listItem, .table, .tableRow, .footnoteDefinition: break
    }
    return block
  }

  private static func parseOptions(_ object: JSONValue) throws -> ParseOptions {
    let name = object["dialect"]?.string?.description ?? ""
    guard var dialect = Dialect.shipped.first(where: { $0.name == name }) else {
      throw BlockDocumentError.malformed("dialect \(name)")
    }
    var options = MarkupParser.Options()
    guard case .object(let members)? = object["options"] else { return ParseOptions(dialect) }
    for member in members {
      switch (member.name.description, member.value) {
      case ("open", .array(let names)): options.open = names.compactMap { $0.string?.description }
      case ("frontMatter", .boolean(let flag)): options.frontMatter = flag
      case ("keys", .array(let names)): dialect.keyAttributes = names.compactMap { $0.string?.description }
      case ("components", .object(let components)):
        for component in components {
          let content: ComponentContent =
            switch component.value.string {
            case "markdown": .markdown
            case "raw": .raw
            case "none": .none
            default: throw BlockDocumentError.malformed("components")
            }
          dialect.components[component.name.description] = Dialect.Component(content: content)
        }
      case (let other, _): throw BlockDocumentError.malformed("option \(other)")
      }
    }
    return ParseOptions(dialect, options: options)
  }
}
