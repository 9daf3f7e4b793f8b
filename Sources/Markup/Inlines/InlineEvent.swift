/// One step of a leaf's inline content, in document order. Elements that hold others are entered and exited.
@usableFromInline
package struct InlineEvent: Sendable, Equatable {
  /// The inline elements, by mdast's names.
  package enum Kind: UInt8, Sendable {
    /// Text: a range of the leaf's text.
    case text
    /// Text that is not the leaf's own bytes: a character reference's, a range of `InlineContent.strings`.
    case replacedText
    case softBreak, hardBreak
    /// A code span: `range` is its content, in which line ends are spaces.
    case code
    /// Math, `range` being what stands between its delimiters.
    case math, displayMath
    /// Raw HTML: a range of the leaf's text.
    case html
    case emphasisBegin, emphasisEnd, strongBegin, strongEnd, deleteBegin, deleteEnd
    /// `destination` of the content's links is `payload`.
    case linkBegin, linkEnd, imageBegin, imageEnd
    /// An open bracket's text, which may become a link's: nothing but provisional.
    case bracketBegin, bracketEnd
    /// A footnote reference: `range` is its label in the leaf's text.
    case footnoteReference
    /// `component` is the index of the component. The content of a raw one is a text, or nothing.
    case componentBegin, componentEnd
  }

  package var kind: Kind
  @usableFromInline var lower: UInt32
  @usableFromInline var upper: UInt32
  @usableFromInline var compactPayload: Int32

  @inlinable package var range: Range<Int> {
    get { Int(lower)..<Int(upper) }
    set { (lower, upper) = (UInt32(newValue.lowerBound), UInt32(newValue.upperBound)) }
  }

  /// Link and image: the index of its destination. -1 where the element has not closed yet and is shown as if it
  /// did at the end; for a component -1 less its index.
  @inlinable package var payload: Int { Int(compactPayload) }

  /// Component: its index, also where it has not closed yet.
  package var component: Int { payload < 0 ? -1 - payload : payload }

  /// Whether the element has not closed yet (identity.md §8).
  @inlinable package var isProvisional: Bool { payload < 0 }

  init(_ kind: Kind, _ range: Range<Int> = 0..<0, payload: Int = 0) {
    self.kind = kind
    (lower, upper) = (UInt32(range.lowerBound), UInt32(range.upperBound))
    compactPayload = Int32(payload)
  }
}

/// Where a link or image leads: ranges of `InlineContent.strings`, unescaped.
package struct LinkDestination: Sendable, Equatable {
  package var url: Range<Int>
  package var title: Range<Int>?
}

/// The inline content of one leaf.
package struct InlineContent: Sendable {
  package internal(set) var events: [InlineEvent] = []
  package internal(set) var destinations: [LinkDestination] = []
  package internal(set) var components: [InlineComponent] = []
  /// The bytes of URLs, titles, components' names and attributes, and resolved references.
  package internal(set) var strings: [UInt8] = []
  /// Labels of references that no definition has, as ranges of the leaf's text, those of footnotes without the `^`.
  package internal(set) var waiting: [WaitingLabel] = []

  /// How far the content is settled: whatever the leaf's text goes on with, these bytes give the first
  /// `settledEvents` of `events`, and a parse from here on gives the others. All of it in a final text.
  package internal(set) var settledEnd = 0
  package internal(set) var settledEvents = 0
  /// Whether something was taken as text only because it had been open for too long: in a final text it may turn out
  /// to be more.
  package internal(set) var hasGivenUp = false

  package init() {}

  mutating func removeAll() {
    events.empty()
    destinations.empty()
    components.empty()
    strings.empty()
    waiting.empty()
    settledEnd = 0
    settledEvents = 0
    hasGivenUp = false
  }

  mutating func intern(_ prefix: [UInt8], _ bytes: borrowing Span<UInt8>) -> Range<Int> {
    let start = strings.count
    strings.append(copying: prefix.span)
    strings.append(copying: bytes)
    return start..<strings.count
  }

  mutating func intern(_ bytes: some Collection<UInt8>) -> Range<Int> {
    let start = strings.count
    strings.append(contentsOf: bytes)
    return start..<strings.count
  }
}

/// A label that no definition has yet.
package struct WaitingLabel: Sendable, Equatable {
  package var range: Range<Int>
  package var isFootnote: Bool
}
