import ByteStorage
import Markup

@testable import BlockDiff

/// The runs of a leaf in short: with bars between them, a run's components and marks in braces, `?` where it is
/// provisional, and what it leads to.
enum RunSummary {
  /// The runs of the last leaf of a text.
  static func of(_ text: String, _ dialect: Dialect = .chat, isFinished: Bool = false) -> String {
    var parser = MarkupParser(dialect: dialect)
    parser.append(Array(text.utf8).span)
    if isFinished { parser.finish() }
    var view = InlineView(dialect: dialect)
    view.update(to: parser.blocks)
    let rows = (0..<parser.blocks.count).filter { parser.blocks[BlockIndex($0)].hasInlineContent }
    guard let row = rows.last else { return "no leaf" }
    var list = InlineRuns()
    view.write(BlockIndex(row), of: parser.blocks, policy: .safe, to: &list)
    return list.runs.indices.map { short($0, list) }.joined(separator: "|")
  }

  private static let names: [(InlineRun.Marks, String)] = [
    (.link, "link"), (.strong, "strong"), (.emphasis, "em"), (.delete, "del"), (.inlineCode, "code"),
    (.inlineMath, "math"), (.image, "image"), (.html, "html"), (.break, "break"),
    (.footnoteReference, "note"),
  ]

  private static func short(_ place: Int, _ list: InlineRuns) -> String {
    let run = list.runs[place]
    let string = { (range: Range<Int>) in String(decoding: list.bytes[range], as: UTF8.self) }
    var text = string(run.text)
    let components = list.components(around: place).map { component in
      component.attributes.reduce(string(component.name)) { result, attribute in
        result + " " + string(attribute.name) + (attribute.value.map { "=" + string($0) } ?? "")
      }
    }
    let marks = components + names.filter { run.marks.contains($0.0) }.map(\.1)
    if !marks.isEmpty || run.isProvisional {
      text += "{\(marks.joined(separator: ","))\(run.isProvisional ? "?" : "")}"
    }
    if let url = run.url ?? run.source { text += "→" + string(url) }
    return text
  }
}
