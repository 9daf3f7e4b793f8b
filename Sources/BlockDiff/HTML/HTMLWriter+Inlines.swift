import Markup

extension HTMLWriter {
  /// Writes a leaf's inline content.
  mutating func writeInlines(_ index: BlockIndex, _ table: borrowing BlockTable) {
    let range = table.textRange(of: index)
    let text = table.text.span.extracting(range)
    inlines.parse(text, references: references, table: table)
    let content = inlines.content
    write(content, 0..<content.events.count, of: table.text, at: range.lowerBound) { writer, label in
      writer.writeFootnoteReference(label, table)
    }
  }

  /// Writes some events, which are balanced.
  ///
  /// - Parameter writeNote: writes a footnote reference, whose label it is given as a range of `text`.
  mutating func write(
    _ content: borrowing InlineContent, _ events: Range<Int>, of text: [UInt8], at base: Int,
    writeNote: (inout HTMLWriter, Range<Int>) -> Void
  ) {
    /// In an image: its description is plain text.
    var imageDepth = 0
    for index in events {
      let event = content.events[index]
      let range = event.range.lowerBound + base..<event.range.upperBound + base
      switch event.kind {
      case .text: writeEscaped(text, range)
      case .replacedText: writeEscaped(content.strings, event.range)
      case .imageBegin:
        if imageDepth == 0 { beginImage(content, event) }
        imageDepth += 1
      case .imageEnd:
        imageDepth -= 1
        if imageDepth == 0 { endImage(content, event) }
      case .softBreak, .hardBreak: writeBreak(event.kind, isPlain: imageDepth > 0)
      case .code:
        if imageDepth == 0 { write("<code>") }
        writeCodeSpan(text, range)
        if imageDepth == 0 { write("</code>") }
      case .math: writeMath(text, range, isDisplay: false, isPlain: imageDepth > 0)
      case .displayMath: writeMath(text, range, isDisplay: true, isPlain: imageDepth > 0)
      case .html: if imageDepth == 0 { writeInlineHTML(text, range) } else { writeEscaped(text, range) }
      case .footnoteReference: if imageDepth == 0 { writeNote(&self, range) }
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
  }

  private mutating func writeBreak(_ kind: InlineEvent.Kind, isPlain: Bool) {
    if isPlain {
      write(" ")
    } else {
      write(kind == .softBreak ? "\n" : "<br />\n")
    }
  }

  private mutating func writeCodeSpan(_ text: [UInt8], _ range: Range<Int>) {
    var begin = range.lowerBound
    for index in range where text[index] == 0x0A {
      writeEscaped(text, begin..<index)
      write(" ")
      begin = index + 1
    }
    writeEscaped(text, begin..<range.upperBound)
  }

  private mutating func writeMath(_ text: [UInt8], _ range: Range<Int>, isDisplay: Bool, isPlain: Bool) {
    if isPlain { return writeEscaped(text, range) }
    write("<code class=\"language-math ")
    write(isDisplay ? "math-display\">" : "math-inline\">")
    writeEscaped(text, range)
    write("</code>")
  }

  private mutating func writeInlineHTML(_ text: [UInt8], _ range: Range<Int>) {
    switch options.rawHTML {
    case .verbatim: writeVerbatim(text, range)
    case .escaped: writeEscaped(text, range)
    case .omitted: write("<!-- raw HTML omitted -->")
    }
  }

  private mutating func beginLink(_ content: borrowing InlineContent, _ event: InlineEvent) {
    // An address that may still grow leads nowhere.
    guard !event.isProvisional else { return write("<a>") }
    let destination = content.destinations[event.payload]
    write("<a href=\"")
    writeURL(content.strings, destination.url, isImage: false)
    write("\"")
    writeTitle(content, destination)
    write(">")
  }

  private mutating func beginImage(_ content: borrowing InlineContent, _ event: InlineEvent) {
    write("<img src=\"")
    writeURL(content.strings, content.destinations[event.payload].url, isImage: true)
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
    writeEscaped(content.strings, title)
    write("\"")
  }

  // MARK: - URLs

  /// Writes a URL: what HTML or URLs cannot hold is escaped, what is escaped stays.
  mutating func writeURL(_ source: [UInt8], _ range: Range<Int>, isImage: Bool) {
    guard options.allows(source[range], isImage: isImage) else { return }
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in source[range] {
      if Self.isSafeInURL(byte) {
        bytes.append(byte)
      } else if byte == UInt8(ascii: "&") {
        write("&amp;")
      } else if byte == UInt8(ascii: "'") {
        write("&#x27;")
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      }
    }
  }

  private static func isSafeInURL(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "!"),
      UInt8(ascii: "*"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "%"),
      UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: ";"),
      UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "$"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
