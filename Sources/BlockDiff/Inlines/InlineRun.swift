package import ByteStorage
package import Markup

/// A piece of a leaf's inline content with its marks (identity.md §8), as attributed strings want it.
package struct InlineRun: Sendable, Equatable {
  /// The inline elements that a run lies in, or is; by mdast's names on the wire.
  package struct Marks: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let link = Marks(rawValue: 1)
    package static let strong = Marks(rawValue: 2)
    package static let emphasis = Marks(rawValue: 4)
    package static let delete = Marks(rawValue: 8)
    package static let inlineCode = Marks(rawValue: 16)
    package static let inlineMath = Marks(rawValue: 32)
    /// The text is the image's description.
    package static let image = Marks(rawValue: 64)
    /// Raw HTML, as it is written.
    package static let html = Marks(rawValue: 128)
    /// A hard line break; the text is one LF. A soft one is an LF of ordinary text.
    package static let `break` = Marks(rawValue: 256)
    /// The text is the note's number.
    package static let footnoteReference = Marks(rawValue: 512)
    package static let component = Marks(rawValue: 1024)
  }

  /// The text, as a range of `InlineRuns.bytes`.
  package var text: Range<Int>
  package var marks: Marks
  /// Whether an element that the run lies in has not closed yet.
  package var isProvisional = false
  /// Where a link leads, and its title or the image's: ranges of `InlineRuns.bytes`. A link says it in its first
  /// `InlineRuns.maxNamedRuns` runs.
  package var url: Range<Int>?
  package var title: Range<Int>?
  /// Where an image is.
  package var source: Range<Int>?
  /// Math that stands on lines of its own.
  package var isDisplay = false
  /// The footnote definition that is referred to.
  package var footnote: BlockIndex?
  /// The innermost component that the run lies in: an index of `InlineRuns.components`.
  package var component: Int?
}

/// The runs of one leaf, or a part of them.
package struct InlineRuns: Sendable {
  package internal(set) var runs: [InlineRun] = []
  /// The bytes of all texts, URLs and titles.
  package internal(set) var bytes = GrowingBytes()
  /// The components that runs lie in.
  package internal(set) var components: [Component] = []

  /// A component in a leaf's text, with ranges of `bytes`.
  package struct Component: Sendable {
    package var name: Range<Int>
    package var attributes: [InlineComponent.Attribute]
    /// The component around it.
    package var parent: Int?
    /// How many runs there were before it.
    var firstRun: Int
  }

  package init() {}

  /// In how many runs a link says where it leads, and a component what it is: each of them repeats that, so that
  /// otherwise a long URL around thousands of words, each emphasised, would be a thousand times its source.
  package static let maxNamedRuns = 64

  /// The largest buffers that are kept for the next leaf: what a growing one has needs less.
  static let maxSpareBytes = 16 << 10
  private static let maxSpareRuns = 256

  mutating func removeAll() {
    runs.removeAll(keepingCapacity: runs.capacity <= Self.maxSpareRuns)
    if bytes.capacity > Self.maxSpareBytes { bytes = GrowingBytes() } else { bytes.truncate(to: 0) }
    if !components.isEmpty { components.removeAll(keepingCapacity: components.capacity <= Self.maxSpareRuns) }
  }

  /// How many of the first runs show the same in both.
  func commonCount(_ other: borrowing InlineRuns) -> Int {
    var index = 0
    while index < runs.count && index < other.runs.count && isEqual(index, other) { index += 1 }
    return index
  }

  private func isEqual(_ index: Int, _ other: borrowing InlineRuns) -> Bool {
    let (a, b) = (runs[index], other.runs[index])
    func same(_ a: Range<Int>?, _ b: Range<Int>?) -> Bool {
      guard let a, let b else { return a == nil && b == nil }
      guard a.count == b.count else { return false }
      let (mine, theirs) = (bytes.span.extracting(a), other.bytes.span.extracting(b))
      for index in 0..<mine.count where mine[index] != theirs[index] { return false }
      return true
    }
    return a.marks == b.marks && a.isProvisional == b.isProvisional && a.isDisplay == b.isDisplay
      && a.footnote == b.footnote && same(a.text, b.text) && same(a.url, b.url) && same(a.title, b.title)
      && same(a.source, b.source) && areEqual(a.component, b.component, other)
  }

  /// Whether a component and those around it are the same in both.
  private func areEqual(_ index: Int?, _ otherIndex: Int?, _ other: InlineRuns) -> Bool {
    var (index, otherIndex) = (index, otherIndex)
    while let first = index, let second = otherIndex {
      let (a, b) = (components[first], other.components[second])
      guard bytes[a.name] == other.bytes[b.name], a.attributes.count == b.attributes.count else {
        return false
      }
      for (a, b) in zip(a.attributes, b.attributes) {
        guard bytes[a.name] == other.bytes[b.name] else { return false }
        guard a.value.map({ bytes[$0] }) == b.value.map({ other.bytes[$0] }) else { return false }
      }
      (index, otherIndex) = (a.parent, b.parent)
    }
    return index == nil && otherIndex == nil
  }

  /// The components that a run lies in, outermost first, but for those that have had as many runs as say so.
  func components(around place: Int) -> [Component] {
    var result: [Component] = []
    var index = runs[place].component
    while let current = index {
      if place - components[current].firstRun < Self.maxNamedRuns { result.append(components[current]) }
      index = components[current].parent
    }
    return result.reversed()
  }
}
