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
      var runs = InlineRuns()
      view.write(index, of: table, policy: output.policy, to: &runs)
      write(.runs)
      write(runs, from: 0, of: table)
    case .html:
      var html = InlineHTML(view, output)
      view.write(index, of: table, policy: output.policy, to: &html)
      write(.html)
      write(string: html.bytes, in: html.bytes.indices)
    }
  }

  /// Writes the op that brings the content of an earlier leaf up to date, if it has changed.
  ///
  /// - Parameter length: the length that the leaf's text had at `from`; `nil` where its text is another one.
  mutating func writeInlineChange(
    of index: BlockIndex, since length: Int?, in table: borrowing BlockTable, _ view: inout InlineView,
    _ output: InlineOutput
  ) {
    switch output.form {
    case .none: break
    case .runs:
      var (old, new) = (InlineRuns(), InlineRuns())
      guard let length else {
        view.write(index, of: table, policy: output.policy, to: &new)
        return writeRunsOp(index, new, from: 0, at: 0, in: table)
      }
      let before = view.write(
        changesOf: index, since: length, of: table, policy: output.policy, before: &old, now: &new)
      let common = old.commonCount(new)
      guard common < old.runs.count || common < new.runs.count else { return }
      writeRunsOp(index, new, from: common, at: before + common, in: table)
    case .html:
      var (old, new) = (InlineHTML(view, output), InlineHTML(view, output))
      if let length {
        _ = view.write(
          changesOf: index, since: length, of: table, policy: output.policy, before: &old, now: &new)
        if new.bytes == old.bytes { return }
        if new.bytes.starts(with: old.bytes) {
          return writeHTMLOp(index, .append, new.bytes, from: old.bytes.count, in: table)
        }
        new = InlineHTML(view, output)
      }
      view.write(index, of: table, policy: output.policy, to: &new)
      writeHTMLOp(index, .html, new.bytes, from: 0, in: table)
    }
  }

  /// Writes the op for a sealed leaf that got other content because a definition came.
  mutating func writeResolution(
    of index: BlockIndex, in table: borrowing BlockTable, _ view: inout InlineView, _ output: InlineOutput
  ) {
    guard output.form != .none else { return }
    let before = count
    writeInlineChange(of: index, since: nil, in: table, &view, output)
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
    _ index: BlockIndex, _ field: HTMLField, _ html: [UInt8], from first: Int, in table: borrowing BlockTable
  ) {
    writeSeparator()
    write(.htmlOp)
    write(id: index, of: table)
    write(UInt8(ascii: "\""))
    write(field == .html ? .html : .append)
    write(string: html, in: first..<html.count)
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
      write(list.runs[place], of: list.bytes, table)
    }
    write(UInt8(ascii: "]"))
  }

  private mutating func write(_ run: InlineRun, of source: [UInt8], _ table: borrowing BlockTable) {
    write(.runText)
    write(string: source, in: run.text)
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
    if run.isProvisional { write(.provisional) }
    write(UInt8(ascii: "}"))
  }

  private mutating func write(_ field: JSONFragment, _ range: Range<Int>?, of source: [UInt8]) {
    guard let range else { return }
    write(field)
    write(string: source, in: range)
  }
}

extension InlineHTML {
  init(_ view: borrowing InlineView, _ output: InlineOutput) {
    self.init(dialect: view.dialect, options: output.policy)
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

  /// The marks' names, by mdast.
  static let markNames: [(InlineRun.Marks, JSONFragment)] = [
    (.link, #""link""#), (.strong, #""strong""#), (.emphasis, #""emphasis""#), (.delete, #""delete""#),
    (.inlineCode, #""inlineCode""#), (.inlineMath, #""inlineMath""#), (.image, #""image""#),
    (.html, #""html""#), (.break, #""break""#), (.footnoteReference, #""footnoteReference""#),
  ]
}
