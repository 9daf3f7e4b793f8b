import Markup

// Inline content as mdast's phrasing nodes. References that resolve are links and images as any other; inline math is
// a node of mdast's math extension. What has not closed yet says so in `data`.

/// Text that becomes one node, and the image whose description it is.
private struct MdastText {
  var bytes: [UInt8] = []
  var imageDepth = 0
  var image = 0
  /// In a component whose content is raw: a value, and no children.
  var isRaw = false
}

extension JSONWriter {
  /// Writes the content of a leaf as nodes; the array that they stand in is open.
  mutating func writePhrasing(
    of index: BlockIndex, in table: borrowing BlockTable, _ view: inout InlineView
  ) {
    view.parse(index, of: table)
    let content = view.parser.content
    let leaf = view.leafText(index, table, .safe)
    var text = MdastText()
    for event in content.events {
      switch event.kind {
      case .text: text.bytes.append(copying: leaf.text(event.range))
      case .replacedText: text.bytes.append(copying: content.strings.span.extracting(event.range))
      case .bracketBegin, .bracketEnd: break
      case .softBreak: text.bytes.append(text.imageDepth > 0 ? 0x20 : 0x0A)
      case .imageBegin:
        if text.imageDepth == 0 {
          flush(&text)
          text.image = event.payload
        }
        text.imageDepth += 1
      case .imageEnd:
        text.imageDepth -= 1
        if text.imageDepth == 0 { writeImage(content, content.destinations[text.image], &text) }
      case .hardBreak where text.imageDepth > 0: text.bytes.append(0x20)
      case .componentBegin where text.imageDepth == 0: beginComponent(event, content, &text)
      case .componentEnd where text.imageDepth == 0: endComponent(&text)
      case .code, .math, .displayMath, .html:
        if text.imageDepth > 0 {
          text.bytes.append(copying: leaf.text(event.range))
        } else {
          writeValue(event, leaf, &text)
        }
      default:
        guard text.imageDepth == 0 else { continue }
        flush(&text)
        writeElement(event, content, leaf, table)
      }
    }
    flush(&text)
  }

  private mutating func flush(_ text: inout MdastText) {
    guard !text.bytes.isEmpty else { return }
    writeSeparator()
    write(.mdastText)
    write(string: text.bytes, in: text.bytes.indices)
    write(UInt8(ascii: "}"))
    text.bytes.removeAll(keepingCapacity: true)
  }

  private mutating func writeElement(
    _ event: InlineEvent, _ content: borrowing InlineContent, _ leaf: LeafText, _ table: borrowing BlockTable
  ) {
    switch event.kind {
    case .emphasisBegin: begin(.emphasis, event)
    case .strongBegin: begin(.strong, event)
    case .deleteBegin: begin(.delete, event)
    case .linkBegin:
      writeSeparator()
      write(.link)
      if event.isProvisional {
        write(#""""#)
        write(.provisionalData)
      } else {
        let destination = content.destinations[event.payload]
        write(string: content.strings, in: destination.url)
        writeTitle(content, destination)
      }
      write(.children)
    case .emphasisEnd, .strongEnd, .deleteEnd, .linkEnd: closeChildren()
    case .hardBreak:
      writeSeparator()
      write(.breakNode)
    case .footnoteReference:
      guard let note = leaf.footnote(event.range) else { return }
      writeSeparator()
      write(.footnoteReference)
      writeTypeFields(of: note, in: table)
      write(UInt8(ascii: "}"))
    case .text, .replacedText, .softBreak, .code, .math, .displayMath, .html, .imageBegin, .imageEnd,
      .bracketBegin, .bracketEnd, .componentBegin, .componentEnd:
      break
    }
  }

  private mutating func beginComponent(
    _ event: InlineEvent, _ content: borrowing InlineContent, _ text: inout MdastText
  ) {
    let component = content.components[event.component]
    flush(&text)
    writeSeparator()
    write(JSONFragment.mdastTypes[Int(BlockType.component.rawValue)])
    write(.name)
    write(string: content.strings, in: component.name)
    write(.attributes)
    write(attributes: component.attributes.lazy.map { ($0.name, $0.value) }, of: content.strings.span)
    write(UInt8(ascii: "}"))
    write(JSONFragment.contents[Int(component.content.rawValue)])
    if event.isProvisional { write(.provisionalData) }
    text.isRaw = component.content == .raw
    if !text.isRaw { write(.children) }
  }

  private mutating func endComponent(_ text: inout MdastText) {
    guard text.isRaw else {
      flush(&text)
      return closeChildren()
    }
    text.isRaw = false
    write(.value)
    write(string: text.bytes, in: text.bytes.indices)
    write(UInt8(ascii: "}"))
    text.bytes.removeAll(keepingCapacity: true)
  }

  private mutating func begin(_ node: JSONFragment, _ event: InlineEvent) {
    writeSeparator()
    write(node)
    if event.isProvisional { write(.provisionalData) }
    write(.children)
  }

  private mutating func writeValue(_ event: InlineEvent, _ leaf: LeafText, _ text: inout MdastText) {
    flush(&text)
    writeSeparator()
    let value = leaf.text(event.range)
    switch event.kind {
    case .code:
      write(.inlineCode)
      var code = [UInt8](copying: value)
      for index in code.indices where code[index] == 0x0A { code[index] = 0x20 }
      write(string: code.span)
    case .html:
      write(.htmlNode)
      write(string: value)
    default:
      write(.inlineMath)
      write(string: value)
    }
    if event.isProvisional { write(.provisionalData) }
    write(UInt8(ascii: "}"))
  }

  private mutating func writeImage(
    _ content: borrowing InlineContent, _ destination: LinkDestination, _ text: inout MdastText
  ) {
    writeSeparator()
    write(.imageNode)
    write(string: content.strings, in: destination.url)
    writeTitle(content, destination)
    write(.alternative)
    write(string: text.bytes, in: text.bytes.indices)
    write(UInt8(ascii: "}"))
    text.bytes.removeAll(keepingCapacity: true)
  }

  private mutating func writeTitle(_ content: borrowing InlineContent, _ destination: LinkDestination) {
    guard let title = destination.title else { return }
    write(.title)
    write(string: content.strings, in: title)
  }
}

extension JSONFragment {
  fileprivate static let emphasis: JSONFragment = #"{"type":"emphasis""#
  fileprivate static let strong: JSONFragment = #"{"type":"strong""#
  fileprivate static let delete: JSONFragment = #"{"type":"delete""#
  fileprivate static let link: JSONFragment = #"{"type":"link","url":"#
  fileprivate static let imageNode: JSONFragment = #"{"type":"image","url":"#
  fileprivate static let alternative: JSONFragment = #","alt":"#
  fileprivate static let inlineCode: JSONFragment = #"{"type":"inlineCode","value":"#
  fileprivate static let inlineMath: JSONFragment = #"{"type":"inlineMath","value":"#
  fileprivate static let htmlNode: JSONFragment = #"{"type":"html","value":"#
  fileprivate static let breakNode: JSONFragment = #"{"type":"break"}"#
  fileprivate static let footnoteReference: JSONFragment = #"{"type":"footnoteReference""#
  fileprivate static let provisionalData: JSONFragment = #","data":{"provisional":true}"#
}
