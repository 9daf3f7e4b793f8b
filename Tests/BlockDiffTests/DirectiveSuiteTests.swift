import BlockDiff
import Foundation
import Markup
import TestSupport
import Testing

/// micromark's examples of directives, by structure: its HTML of each, in which a handler has written the directives, against
/// ours with our components rewritten as that handler would have. From the folder of specification data; where that is not
/// there, there is nothing to compare.
@Suite struct DirectiveSuiteTests {
  @Test func givesTheStructureOfMicromarksExamples() throws {
    let examples = try SpecificationExamples.suite("micromark-directive")
    let differing = examples.filter { expected($0) != found($0) }
    print(
      "micromark-directive: \(examples.count - differing.count) of \(examples.count) examples have the structure"
    )
    let names = Set(differing.map(\.name))
    for example in examples {
      #expect(
        names.contains(example.name) == Self.known.contains(example.name),
        "\(example.name) \(example.markdown.debugDescription)\n\(expected(example))\n\(found(example))")
    }
  }

  /// In text a name alone is text, so that `at 10:30` is: nobody would write it as a directive's. So is what is left of a
  /// directive where its label or attributes are none.
  private static let known: Set<String> = Set(
    [
      2, 5, 6, 7, 11, 12, 14, 21, 22, 23, 24, 45, 46, 47, 48, 49, 50, 57, 58, 59, 61, 64, 208, 214,
      // Made without indented code.
      179,
    ].map { "micromark-directive#\($0)" })

  private static let dialect = Dialect(name: "directives", extensions: .directives)

  private func expected(_ example: SpecificationExamples.Example) -> String { normalized(example.html) }

  private func found(_ example: SpecificationExamples.Example) -> String {
    var parser = MarkupParser(dialect: Self.dialect)
    parser.append(Array(example.markdown.utf8).span)
    parser.finish()
    var writer = HTMLWriter(dialect: Self.dialect, options: .exact)
    writer.write(parser.blocks)
    let html = String(decoding: writer.bytes, as: UTF8.self)
    return normalized(Rewriting(html, parser.blocks, handles: handler(example.options)).result)
  }

  /// Which directives the example's handlers write; the others are left out.
  private func handler(_ options: String) -> (String, _ isText: Bool) -> Bool {
    if options.contains("'*'") { return { _, _ in true } }
    return options.contains("abbr") ? { $0 == "abbr" && $1 } : { _, _ in false }
  }

  /// Without white space that stands beside a tag, and one space for any other.
  private func normalized(_ html: String) -> String {
    html.replacing(#/\s+/#, with: " ").replacing(#/\s*(<[^>]*>)\s*/#) { String($0.1) }
      .trimmingCharacters(in: .whitespaces)
  }
}

/// Our HTML with its components as micromark's handlers write directives.
private struct Rewriting {
  private struct Element {
    var name: String
    var attributes: String
    var isText: Bool
    var content = ""
    var label = ""
  }

  private var open: [Element] = []
  private(set) var result = ""

  init(_ html: String, _ blocks: borrowing BlockTable, handles: (String, Bool) -> Bool) {
    var attributes: [String: String] = [:]
    for row in 0..<blocks.count {
      let index = BlockIndex(row)
      guard blocks[index].type == .component else { continue }
      var id: [UInt8] = []
      blocks.appendID(of: index, to: &id)
      attributes[String(decoding: id, as: UTF8.self)] = blocks.attributes(of: index).map { attribute in
        let value = attribute.value.map { String(decoding: blocks.strings[$0], as: UTF8.self) } ?? ""
        return Self.attribute(String(decoding: blocks.strings[attribute.name], as: UTF8.self), value)
      }.joined()
    }
    var rest = html[...]
    let tag =
      #/<div data-component="(?<block>[^"]*)" id="(?<id>[^"]*)">\n?|<span data-component="(?<text>[^"]*)"( data-attributes="(?<json>[^"]*)")?>|<\/(?:div|span)>|<p data-label>(?<label>.*?)<\/p>/#
    while let match = rest.firstMatch(of: tag) {
      append(String(rest[..<match.range.lowerBound]))
      rest = rest[match.range.upperBound...]
      if let name = match.block {
        let id = String(match.id ?? "")
        open.append(Element(name: String(name), attributes: attributes[id] ?? "", isText: false))
      } else if let name = match.text {
        let json = match.json.map(String.init) ?? "{}"
        open.append(Element(name: String(name), attributes: Self.attributes(json), isText: true))
      } else if let label = match.label {
        open[open.count - 1].label = String(label)
      } else {
        let element = open.removeLast()
        if handles(element.name, element.isText) { append(Self.written(element)) }
      }
    }
    append(String(rest))
  }

  private mutating func append(_ text: String) {
    if open.isEmpty { result += text } else { open[open.count - 1].content += text }
  }

  private static func written(_ element: Element) -> String {
    let content = element.content.allSatisfy(\.isWhitespace) ? element.label : element.content
    let isVoid = ["br", "hr", "img"].contains(element.name)
    return "<\(element.name)\(element.attributes)>" + (isVoid ? "" : "\(content)</\(element.name)>")
  }

  private static func attribute(_ name: String, _ value: String) -> String {
    let value = value.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing(
      "<", with: "&lt;")
    return " \(name)=\"\(value)\""
  }

  private static func attributes(_ json: String) -> String {
    let object = json.replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing(
      "&amp;", with: "&")
    // In the order of the text, which a dictionary has not.
    return object.matches(of: #/"((?:[^"\\]|\\.)*)":(true|"(?:[^"\\]|\\.)*")/#).map { match in
      let value = try? JSONDecoder().decode(String.self, from: Data(match.2.utf8))
      return attribute(String(match.1), value ?? "")
    }.joined()
  }
}
