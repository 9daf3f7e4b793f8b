import Markup

extension HTMLOutput {
  /// Writes some events of a leaf's inline content, which are balanced, up to the first footnote reference, which only
  /// the caller knows how to write.
  ///
  /// - Parameter text: the leaf's text.
  /// - Returns: the place of that event, or the end of the events.
  mutating func write(
    _ content: borrowing InlineContent, _ events: Range<Int>, of text: borrowing Span<UInt8>
  ) -> Int {
    /// In an image: its description is plain text.
    var imageDepth = 0
    for index in events {
      let event = content.events[index]
      switch event.kind {
      case .text: writeEscaped(text, event.range)
      case .replacedText: writeEscaped(content.strings.span, event.range)
      case .imageBegin:
        if imageDepth == 0 { beginImage(content, event) }
        imageDepth += 1
      case .imageEnd:
        imageDepth -= 1
        if imageDepth == 0 { endImage(content, event) }
      case .softBreak: write(byte: imageDepth == 0 ? 0x0A : 0x20)
      case .hardBreak: if imageDepth == 0 { write("<br />\n") } else { write(byte: 0x20) }
      case .code:
        if imageDepth == 0 { write("<code>") }
        writeCodeSpan(text, event.range)
        if imageDepth == 0 { write("</code>") }
      case .math, .displayMath: writeMath(text, event, isPlain: imageDepth > 0)
      case .html:
        if imageDepth == 0 { writeInlineHTML(text, event.range) } else { writeEscaped(text, event.range) }
      case .footnoteReference: if imageDepth == 0 { return index }
      case .bracketBegin, .bracketEnd: break
      case .linkBegin: if imageDepth == 0 { beginLink(content, event) }
      case .linkEnd: if imageDepth == 0 { write("</a>") }
      case .emphasisBegin: if imageDepth == 0 { write("<em>") }
      case .emphasisEnd: if imageDepth == 0 { write("</em>") }
      case .strongBegin: if imageDepth == 0 { write("<strong>") }
      case .strongEnd: if imageDepth == 0 { write("</strong>") }
      case .deleteBegin: if imageDepth == 0 { write("<del>") }
      case .deleteEnd: if imageDepth == 0 { write("</del>") }
      case .componentBegin: if imageDepth == 0 { beginComponent(content, event) }
      case .componentEnd: if imageDepth == 0 { write("</span>") }
      }
    }
    return events.upperBound
  }

  private mutating func writeMath(_ text: borrowing Span<UInt8>, _ event: InlineEvent, isPlain: Bool) {
    if isPlain { return writeEscaped(text, event.range) }
    write("<code class=\"language-math ")
    if event.kind == .displayMath { write("math-display\">") } else { write("math-inline\">") }
    writeEscaped(text, event.range)
    write("</code>")
  }

  private mutating func beginLink(_ content: borrowing InlineContent, _ event: InlineEvent) {
    // An address that may still grow leads nowhere.
    guard !event.isProvisional else { return write("<a>") }
    let destination = content.destinations[event.payload]
    write("<a href=\"")
    writeURL(content.strings.span, destination.url, isImage: false)
    write("\"")
    writeTitle(content, destination)
    write(">")
  }

  private mutating func beginImage(_ content: borrowing InlineContent, _ event: InlineEvent) {
    write("<img src=\"")
    writeURL(content.strings.span, content.destinations[event.payload].url, isImage: true)
    write("\" alt=\"")
  }

  private mutating func endImage(_ content: borrowing InlineContent, _ event: InlineEvent) {
    write("\"")
    writeTitle(content, content.destinations[event.payload])
    write(" />")
  }

  private mutating func writeTitle(_ content: borrowing InlineContent, _ destination: LinkDestination) {
    guard let title = destination.title else { return }
    write(" title=\"")
    writeEscaped(content.strings.span, title)
    write("\"")
  }

  /// Writes a reference to a footnote.
  ///
  /// - Parameters:
  ///   - label: the note's label.
  ///   - suffix: what tells the reference's ID from those of other references to the note; empty for none.
  mutating func writeFootnoteReference(_ label: borrowing Span<UInt8>, number: Int, suffix: [UInt8]) {
    write("<sup class=\"footnote-ref\"><a href=\"#fn-")
    writeURL(label, 0..<label.count, isImage: false)
    write("\" id=\"fnref-")
    writeURL(label, 0..<label.count, isImage: false)
    if !suffix.isEmpty {
      write("-")
      writeEscaped(suffix.span)
    }
    write("\" data-footnote-ref>")
    write(decimal: number)
    write("</a></sup>")
  }
}
