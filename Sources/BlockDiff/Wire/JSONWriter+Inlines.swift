import ByteStorage
import Markup

// Inline content on the wire (api.md §2, `inline`): `runs` or `html` beside a leaf's `text`, and the ops that change
// them.

extension JSONWriter {
  /// Writes the field `runs` or `html` of a leaf.
  mutating func writeInlines(
    of index: BlockIndex, in table: borrowing BlockTable, _ view: inout InlineView, _ output: InlineOutput
  ) {
    guard table[index].hasInlineContent else { return }
    switch output.form {
    case .none: break
    case .runs:
      var shown = view.takeRuns()
      view.writeWhole(index, of: table, policy: output.policy, to: &shown)
      write(.runs)
      write(shown.new, from: 0, of: table)
      view.shownRuns = shown
    case .html:
      var shown = view.takeHTML(output.policy)
      view.writeWhole(index, of: table, policy: output.policy, to: &shown)
      write(.html)
      write(string: shown.new.bytes.span)
      view.shownHTML = shown
    }
  }

  /// Writes the op that brings the content of an earlier leaf up to date, if it has changed.
  ///
  /// - Parameters:
  ///   - length: the length that the leaf's text had at `from`; `nil` where its text is another one.
  ///   - from: where the reader stands.
  mutating func writeInlineChange(
    of index: BlockIndex, since length: Int?, at from: ByteOffset, in table: borrowing BlockTable,
    _ view: inout InlineView, _ output: InlineOutput
  ) {
    switch output.form {
    case .none: break
    case .runs:
      var shown = view.takeRuns()
      writeRunsChange(of: index, since: length, at: from, in: table, &view, output.policy, &shown)
      view.shownRuns = shown
    case .html:
      var shown = view.takeHTML(output.policy)
      writeHTMLChange(of: index, since: length, at: from, in: table, &view, output.policy, &shown)
      view.shownHTML = shown
    }
  }

  private mutating func writeRunsChange(
    of index: BlockIndex, since length: Int?, at from: ByteOffset, in table: borrowing BlockTable,
    _ view: inout InlineView, _ policy: HTMLOptions, _ shown: inout ShownContent<InlineRuns>
  ) {
    guard let length else {
      view.writeWhole(index, of: table, policy: policy, to: &shown)
      return writeRunsOp(index, shown.new, from: 0, at: 0, in: table)
    }
    let (before, state) = view.write(
      changesOf: index, since: length, at: from, of: table, policy: policy, to: &shown)
    let common = shown.old.commonCount(shown.new)
    if common < shown.old.runs.count || common < shown.new.runs.count {
      writeRunsOp(index, shown.new, from: common, at: before + common, in: table)
    }
    shown.end(state)
  }

  private mutating func writeHTMLChange(
    of index: BlockIndex, since length: Int?, at from: ByteOffset, in table: borrowing BlockTable,
    _ view: inout InlineView, _ policy: HTMLOptions, _ shown: inout ShownContent<InlineHTML>
  ) {
    if let length {
      let (_, state) = view.write(
        changesOf: index, since: length, at: from, of: table, policy: policy, to: &shown)
      let (old, new) = (shown.old.bytes, shown.new.bytes)
      if new.starts(with: old) {
        if new.count > old.count { writeHTMLOp(index, .append, new, from: old.count, in: table) }
        return shown.end(state)
      }
    }
    view.writeWhole(index, of: table, policy: policy, to: &shown)
    writeHTMLOp(index, .html, shown.new.bytes, from: 0, in: table)
  }

  /// Writes the op for a sealed leaf that got other content because a definition came.
  mutating func writeResolution(
    of index: BlockIndex, in table: borrowing BlockTable, _ view: inout InlineView, _ output: InlineOutput
  ) {
    guard output.form != .none else { return }
    let before = count
    writeInlineChange(of: index, since: nil, at: table.position, in: table, &view, output)
    guard count > before else { return }
    removeLast()
    write(.whyDefinition)
  }

  private mutating func writeRunsOp(
    _ index: BlockIndex, _ runs: borrowing InlineRuns, from first: Int, at place: Int,
    in table: borrowing BlockTable
  ) {
    writeSeparator()
    write(.runsOp)
    write(id: index, of: table)
    write(.runsFrom)
    write(place)
    write(.runs)
    write(runs, from: first, of: table)
    writeRevision(of: index, in: table)
  }

  private mutating func writeHTMLOp(
    _ index: BlockIndex, _ field: HTMLField, _ html: GrowingBytes, from first: Int,
    in table: borrowing BlockTable
  ) {
    writeSeparator()
    write(.htmlOp)
    write(id: index, of: table)
    write(UInt8(ascii: "\""))
    write(field == .html ? .html : .append)
    write(string: html.span.extracting(first...))
    writeRevision(of: index, in: table)
  }

  private enum HTMLField { case html, append }

  private mutating func writeRevision(of index: BlockIndex, in table: borrowing BlockTable) {
    write(.rev)
    write(table[index].revision.value)
    write(UInt8(ascii: "}"))
  }

  // MARK: - Runs

  private mutating func write(_ list: borrowing InlineRuns, from first: Int, of table: borrowing BlockTable) {
    write(UInt8(ascii: "["))
    for place in first..<list.runs.count {
      if place > first { write(UInt8(ascii: ",")) }
      write(runAt: place, of: list, table)
    }
    write(UInt8(ascii: "]"))
  }

  private mutating func write(
    runAt place: Int, of list: borrowing InlineRuns, _ table: borrowing BlockTable
  ) {
    let run = list.runs[place]
    let source = list.bytes
    write(.runText)
    write(string: source.span.extracting(run.text))
    write(.marks)
    var isFirst = true
    for (mark, name) in JSONFragment.markNames where run.marks.contains(mark) {
      if !isFirst { write(UInt8(ascii: ",")) }
      isFirst = false
      write(name)
    }
    write(UInt8(ascii: "]"))
    write(.href, run.url, of: source)
    write(.imageSource, run.source, of: source)
    write(.title, run.title, of: source)
    if run.isDisplay { write(.display) }
    if let note = run.footnote {
      write(.footnote)
      write(id: note, of: table)
      write(UInt8(ascii: "\""))
    }
    if run.component != nil { write(list.components(around: place), of: source) }
    if run.isProvisional { write(.provisional) }
    write(UInt8(ascii: "}"))
  }

  private mutating func write(_ components: [InlineRuns.Component], of source: GrowingBytes) {
    if components.isEmpty { return }
    write(.components)
    for (place, component) in components.enumerated() {
      if place > 0 { write(UInt8(ascii: ",")) }
      write(.componentName)
      write(string: source.span.extracting(component.name))
      write(.attributes)
      write(attributes: component.attributes.lazy.map { ($0.name, $0.value) }, of: source.span)
      write(.attributesEnd)
    }
    write(UInt8(ascii: "]"))
  }

  private mutating func write(_ field: JSONFragment, _ range: Range<Int>?, of source: GrowingBytes) {
    guard let range else { return }
    write(field)
    write(string: source.span.extracting(range))
  }
}

extension InlineView {
  /// The buffers for runs, to be put back.
  fileprivate mutating func takeRuns() -> ShownContent<InlineRuns> {
    var taken = ShownContent(InlineRuns())
    swap(&taken, &shownRuns)
    return taken
  }

  /// The buffers for HTML that is written by a policy, to be put back.
  fileprivate mutating func takeHTML(_ policy: HTMLOptions) -> ShownContent<InlineHTML> {
    let taken = shownHTML
    shownHTML = nil
    if let taken, taken.old.options == policy { return taken }
    return ShownContent(InlineHTML(options: policy))
  }

  /// Writes the whole content of a leaf to `shown.new`, which is the content of no diff.
  fileprivate mutating func writeWhole<Sink: InlineSink>(
    _ index: BlockIndex, of table: borrowing BlockTable, policy: HTMLOptions,
    to shown: inout ShownContent<Sink>
  ) {
    shown.end(nil)
    shown.new.removeAll()
    write(index, of: table, policy: policy, to: &shown.new)
  }
}

extension JSONFragment {
  static let runsOp: JSONFragment = #"{"op":"runs","id":""#
  static let htmlOp: JSONFragment = #"{"op":"html","id":""#
  static let runsFrom: JSONFragment = #"","from":"#
  static let runs: JSONFragment = #","runs":"#
  static let html: JSONFragment = #","html":"#
  static let append: JSONFragment = #","append":"#
  static let whyDefinition: JSONFragment = #","why":"definition"}"#
  static let runText: JSONFragment = #"{"text":"#
  static let marks: JSONFragment = #","marks":["#
  static let href: JSONFragment = #","href":"#
  static let imageSource: JSONFragment = #","src":"#
  static let display: JSONFragment = #","display":true"#
  static let footnote: JSONFragment = #","footnote":""#
  static let provisional: JSONFragment = #","provisional":true"#
  static let components: JSONFragment = #","components":["#
  static let componentName: JSONFragment = #"{"name":"#
  static let attributesEnd: JSONFragment = "}}"

  /// The marks' names, by mdast.
  static let markNames: [(InlineRun.Marks, JSONFragment)] = [
    (.link, #""link""#), (.strong, #""strong""#), (.emphasis, #""emphasis""#), (.delete, #""delete""#),
    (.inlineCode, #""inlineCode""#), (.inlineMath, #""inlineMath""#), (.image, #""image""#),
    (.html, #""html""#), (.break, #""break""#), (.footnoteReference, #""footnoteReference""#),
    (.component, #""component""#),
  ]
}
