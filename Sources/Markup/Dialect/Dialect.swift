/// A grammar: CommonMark 0.31.2 and what is switched on beyond it.
///
/// The three shipped dialects are `commonmark`, `gfm` and `chat`; the files in Config/dialects say the same,
/// and a test compares them.
package struct Dialect: Sendable, Equatable {
  /// The constructs beyond CommonMark that a dialect may have.
  package struct Extensions: OptionSet, Sendable, Hashable {
    package var rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// GFM tables.
    package static let tables = Extensions(rawValue: 1 << 0)
    /// GFM task list items.
    package static let taskListItems = Extensions(rawValue: 1 << 1)
    /// Footnote definitions (and references, in inline content) as cmark-gfm has them.
    package static let footnotes = Extensions(rawValue: 1 << 2)
    /// `> [!note]` and the other four alerts.
    package static let alerts = Extensions(rawValue: 1 << 3)
    /// `$$` and `\[` math blocks.
    package static let math = Extensions(rawValue: 1 << 4)
    /// Any element whose name has an upper-case letter or a hyphen, and is none of HTML's, is a component
    /// with Markdown content. (The elements in `components` are components in any case.)
    package static let anyComponent = Extensions(rawValue: 1 << 5)
    /// A first line of `---` opens front matter.
    package static let frontMatter = Extensions(rawValue: 1 << 6)
    /// Directives (`:::name`, `::name`, `:name[label]`) are components.
    package static let directives = Extensions(rawValue: 1 << 7)
  }

  /// One element that is a component.
  package struct Component: Sendable, Equatable {
    /// How its content is read.
    package var content: ComponentContent
    /// Whether it also ends at its close tag alone on a line inside a fence that it contains: for reasoning
    /// elements, since models forget to close fences while they think.
    package var isContained: Bool

    package init(content: ComponentContent, isContained: Bool = false) {
      self.content = content
      self.isContained = isContained
    }
  }

  /// The dialect's name, as requests give it.
  package var name: String
  package var extensions: Extensions
  /// The named components. Names match by bytes.
  package var components: [String: Component]
  /// The attributes that give a component its key, the first non-empty one winning.
  package var keyAttributes: [String]
  /// The attribute that replaces the tag's name in a component's ID.
  package var templateAttribute: String

  package init(
    name: String, extensions: Extensions = [], components: [String: Component] = [:],
    keyAttributes: [String] = ["key", "id"], templateAttribute: String = "template"
  ) {
    self.name = name
    self.extensions = extensions
    self.components = components
    self.keyAttributes = keyAttributes
    self.templateAttribute = templateAttribute
  }
}

extension Dialect {
  /// CommonMark 0.31.2, nothing else.
  package static let commonmark = Dialect(name: "commonmark")

  /// GitHub Flavored Markdown: tables, task list items and footnotes.
  package static let gfm = Dialect(name: "gfm", extensions: [.tables, .taskListItems, .footnotes])

  /// What chat models write: GFM with alerts, math blocks and components.
  package static let chat = Dialect(
    name: "chat",
    extensions: [.tables, .taskListItems, .footnotes, .alerts, .math, .anyComponent],
    components: [
      "think": Component(content: .markdown, isContained: true),
      "thinking": Component(content: .markdown, isContained: true),
      "reasoning": Component(content: .markdown, isContained: true),
      "artifact": Component(content: .raw),
      "antArtifact": Component(content: .raw),
      "boltArtifact": Component(content: .markdown),
      "boltAction": Component(content: .raw),
      "tool_call": Component(content: .raw),
    ])

  /// The dialects that are there without any configuration.
  package static let shipped: [Dialect] = [.chat, .gfm, .commonmark]
}

extension Dialect {
  /// Whether elements of this name are components (identity.md §5).
  package func hasComponent(named name: String) -> Bool {
    Grammar(self, options: MarkupParser.Options()).component(named: Array(name.utf8)) != nil
  }
}
