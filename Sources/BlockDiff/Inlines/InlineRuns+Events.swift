import ByteStorage
import Markup

// From nested elements to flat runs: neighbours that show alike are one run.
extension InlineRuns: InlineSink {
  mutating func append(
    _ content: borrowing InlineContent, _ events: Range<Int>, of leaf: LeafText,
    _ numbering: inout FootnoteNumbering
  ) {
    var builder = RunBuilder(first: runs.count)
    for index in events {
      let event = content.events[index]
      switch event.kind {
      case .text: append(leaf.text(event.range), [], &builder)
      case .replacedText: append(content.strings.span.extracting(event.range), [], &builder)
      case .softBreak: append(builder.lineBreak.span, [], &builder)
      case .hardBreak:
        appendElement(builder.lineBreak.span, .break, &builder)
      case .code:
        builder.begin(.inlineCode, event.isProvisional)
        appendCode(leaf.text(event.range), &builder)
        builder.end(.inlineCode, event.isProvisional)
      case .math, .displayMath:
        builder.isDisplay = event.kind == .displayMath
        builder.begin(.inlineMath, event.isProvisional)
        appendElement(leaf.text(event.range), [], &builder)
        builder.end(.inlineMath, event.isProvisional)
        builder.isDisplay = false
      case .html: appendElement(leaf.text(event.range), .html, &builder)
      case .footnoteReference:
        guard builder.imageDepth == 0, let note = leaf.footnote(event.range) else { continue }
        builder.footnote = note
        let number = Array(String(numbering.number(of: note)).utf8)
        appendElement(number.span, .footnoteReference, &builder)
        builder.footnote = nil
      case .emphasisBegin: builder.begin(.emphasis, event.isProvisional)
      case .emphasisEnd: builder.end(.emphasis, event.isProvisional)
      case .strongBegin: builder.begin(.strong, event.isProvisional)
      case .strongEnd: builder.end(.strong, event.isProvisional)
      case .deleteBegin: builder.begin(.delete, event.isProvisional)
      case .deleteEnd: builder.end(.delete, event.isProvisional)
      case .linkBegin: if builder.imageDepth == 0 { beginLink(event, content, leaf, &builder) }
      case .linkEnd: if builder.imageDepth == 0 { builder.endLink(event.isProvisional) }
      case .bracketBegin: builder.begin([], true)
      case .bracketEnd: builder.end([], true)
      case .imageBegin: beginImage(event, content, leaf, &builder)
      case .imageEnd: endImage(&builder)
      case .componentBegin: if builder.imageDepth == 0 { beginComponent(event, content, &builder) }
      case .componentEnd: if builder.imageDepth == 0 { endComponent(event, &builder) }
      }
    }
  }

  private mutating func append(
    _ source: borrowing Span<UInt8>, _ marks: InlineRun.Marks, _ builder: inout RunBuilder
  ) {
    guard !source.isEmpty else { return }
    let start = bytes.count
    bytes.append(source)
    let run = builder.run(start..<bytes.count, marks)
    if let last = runs.indices.last, last >= builder.first, builder.canJoin(runs[last], run) {
      runs[last].text = runs[last].text.lowerBound..<bytes.count
    } else {
      append(run, builder)
    }
  }

  private mutating func append(_ run: InlineRun, _ builder: borrowing RunBuilder) {
    var run = run
    if runs.count - builder.linkFirst >= Self.maxNamedRuns {
      run.url = nil
      if builder.imageDepth == 0 { run.title = nil }
    }
    runs.append(run)
  }

  /// What is a run of its own, whatever stands beside it.
  private mutating func appendElement(
    _ source: borrowing Span<UInt8>, _ mark: InlineRun.Marks, _ builder: inout RunBuilder
  ) {
    guard builder.imageDepth == 0 else { return append(source, [], &builder) }
    builder.first = runs.count
    append(source, mark, &builder)
    builder.first = runs.count
  }

  /// A code span's line ends are spaces.
  private mutating func appendCode(_ source: borrowing Span<UInt8>, _ builder: inout RunBuilder) {
    var begin = 0
    for index in source.indices where source[index] == 0x0A {
      append(source.extracting(begin..<index), [], &builder)
      append(RunBuilder.space.span, [], &builder)
      begin = index + 1
    }
    append(source.extracting(begin...), [], &builder)
  }

  private mutating func intern(_ source: [UInt8], _ range: Range<Int>) -> Range<Int> {
    let start = bytes.count
    bytes.append(source.span.extracting(range))
    return start..<bytes.count
  }

  private mutating func beginLink(
    _ event: InlineEvent, _ content: borrowing InlineContent, _ leaf: LeafText, _ builder: inout RunBuilder
  ) {
    // Two links side by side stay two.
    builder.first = runs.count
    builder.linkFirst = runs.count
    builder.begin(.link, event.isProvisional)
    guard !event.isProvisional else { return }
    let destination = content.destinations[event.payload]
    if leaf.policy.allows(content.strings.span.extracting(destination.url), isImage: false) {
      builder.url = intern(content.strings, destination.url)
    }
    builder.linkTitle = destination.title.map { intern(content.strings, $0) }
  }

  private mutating func beginImage(
    _ event: InlineEvent, _ content: borrowing InlineContent, _ leaf: LeafText, _ builder: inout RunBuilder
  ) {
    builder.imageDepth += 1
    guard builder.imageDepth == 1 else { return }
    builder.first = runs.count
    let destination = content.destinations[event.payload]
    if leaf.policy.allows(content.strings.span.extracting(destination.url), isImage: true) {
      builder.source = intern(content.strings, destination.url)
    }
    builder.imageTitle = destination.title.map { intern(content.strings, $0) }
    builder.imageRun = runs.count
  }

  /// An image is one run, also where it has no description.
  private mutating func endImage(_ builder: inout RunBuilder) {
    if builder.imageDepth == 1 {
      if runs.count == builder.imageRun { append(builder.run(bytes.count..<bytes.count, []), builder) }
      builder.source = nil
      builder.imageTitle = nil
      builder.first = runs.count
    }
    builder.imageDepth -= 1
  }
}

// MARK: - Components

extension InlineRuns {
  private mutating func beginComponent(
    _ event: InlineEvent, _ content: borrowing InlineContent, _ builder: inout RunBuilder
  ) {
    let component = content.components[event.component]
    let attributes = component.attributes.map { attribute in
      InlineComponent.Attribute(
        name: intern(content.strings, attribute.name),
        value: attribute.value.map { intern(content.strings, $0) })
    }
    components.append(
      Component(
        name: intern(content.strings, component.name), attributes: attributes, parent: builder.component,
        firstRun: runs.count))
    // Two components side by side stay two.
    builder.first = runs.count
    builder.component = components.count - 1
    builder.begin(.component, event.isProvisional)
  }

  /// A component is a run, also where it holds nothing.
  private mutating func endComponent(_ event: InlineEvent, _ builder: inout RunBuilder) {
    guard let current = builder.component else { return }
    if runs.count == components[current].firstRun {
      append(builder.run(bytes.count..<bytes.count, []), builder)
    }
    builder.first = runs.count
    builder.end(.component, event.isProvisional)
    builder.component = components[current].parent
  }
}

/// The elements that are open while runs are made.
private struct RunBuilder {
  /// The first run that what comes may join.
  var first: Int
  private var depths = (link: 0, strong: 0, emphasis: 0, delete: 0, component: 0)
  private var marks: InlineRun.Marks = []
  private var provisional = 0
  /// Where a link leads, and how many runs there were before it.
  var url: Range<Int>?
  var linkFirst = 0
  var linkTitle: Range<Int>?
  var source: Range<Int>?
  var imageTitle: Range<Int>?
  var imageDepth = 0
  var imageRun = 0
  var isDisplay = false
  var footnote: BlockIndex?
  /// The innermost component, by its index.
  var component: Int?

  // Made once: an array for each break would be an allocation for each.
  static let space: [UInt8] = [0x20]
  private static let lineEnd: [UInt8] = [0x0A]

  /// What a line break shows as.
  var lineBreak: [UInt8] { imageDepth > 0 ? Self.space : Self.lineEnd }

  init(first: Int) { self.first = first }

  mutating func begin(_ mark: InlineRun.Marks, _ isProvisional: Bool) {
    if isProvisional { provisional += 1 }
    count(mark, 1)
  }

  mutating func end(_ mark: InlineRun.Marks, _ isProvisional: Bool) {
    if isProvisional { provisional -= 1 }
    count(mark, -1)
  }

  mutating func endLink(_ isProvisional: Bool) {
    end(.link, isProvisional)
    url = nil
    linkTitle = nil
  }

  private mutating func count(_ mark: InlineRun.Marks, _ change: Int) {
    var depth = change
    switch mark {
    case .link:
      depths.link += change
      depth = depths.link
    case .strong:
      depths.strong += change
      depth = depths.strong
    case .emphasis:
      depths.emphasis += change
      depth = depths.emphasis
    case .delete:
      depths.delete += change
      depth = depths.delete
    case .component:
      depths.component += change
      depth = depths.component
    default: break
    }
    if depth > 0 { marks.insert(mark) } else { marks.remove(mark) }
  }

  func run(_ text: Range<Int>, _ mark: InlineRun.Marks) -> InlineRun {
    // An image's description is plain text.
    let isInImage = imageDepth > 0
    var all = isInImage ? marks.subtracting([.inlineCode, .inlineMath]).union(.image) : marks.union(mark)
    if isInImage { all.formIntersection([.link, .strong, .emphasis, .delete, .image, .component]) }
    return InlineRun(
      text: text, marks: all, isProvisional: provisional > 0, url: url,
      title: isInImage ? imageTitle : linkTitle, source: source, isDisplay: isDisplay && !isInImage,
      footnote: isInImage ? nil : footnote, component: component)
  }

  /// Whether `next` goes on with `last`, which is of the same link and component, if of any: in an image, whatever it
  /// is, as one description.
  func canJoin(_ last: InlineRun, _ next: InlineRun) -> Bool {
    imageDepth > 0
      || last.component == next.component && last.marks == next.marks
        && last.isProvisional == next.isProvisional
        && last.source == next.source && last.isDisplay == next.isDisplay
        && last.text.upperBound == next.text.lowerBound
  }
}
