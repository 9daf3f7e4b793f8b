package import BlockDiff
import Foundation
import Markup

/// The block structure of a finished document, reduced to what cmark's XML and our blocks both say: one line a
/// block, indented by depth, with the place where it begins as `@line:column`.
///
/// Footnote definitions stand apart, each with what is in it, since cmark-gfm moves them to the end and drops
/// those that nothing refers to. Link reference definitions are in neither, since cmark keeps none.
package struct PeerOutline: Equatable, Sendable {
  package var lines: [String] = []
  package var footnotes: [[String]] = []
  /// The lines of lists that hold HTML, a thematic break or a definition at any depth: whether these are loose is a
  /// choice of identity.md §7.
  package private(set) var chosenSpreads: Set<Int> = []

  package init() {}

  /// What differs from the peer's outline first; `nil` if nothing does.
  package func difference(from peer: PeerOutline) -> String? {
    for (own, other) in zip(lines, peer.lines) where !Self.isSame(own, other) {
      return "  peer: \(other)\n  ours: \(own)"
    }
    if lines.count != peer.lines.count {
      let shared = min(lines.count, peer.lines.count)
      let other = peer.lines.count > shared ? peer.lines[shared] : "no block"
      return "  peer: \(other)\n  ours: \(lines.count > shared ? lines[shared] : "no block")"
    }
    var rest = footnotes
    for footnote in peer.footnotes {
      let place = rest.firstIndex { own in
        own.count == footnote.count && zip(own, footnote).allSatisfy { Self.isSame($0, $1) }
      }
      guard let place else {
        return "  peer has a footnote definition with\n    \(footnote.joined(separator: "\n    "))"
      }
      rest.remove(at: place)
    }
    return nil
  }

  /// The outline without what the lists at these lines, and all in footnotes, say of being tight or loose.
  package func withoutSpread(at places: Set<Int>) -> PeerOutline {
    func strip(_ line: String) -> String {
      line.hasSuffix(" tight") || line.hasSuffix(" loose") ? String(line.dropLast(6)) : line
    }
    var result = self
    for place in places where place < lines.count { result.lines[place] = strip(lines[place]) }
    result.footnotes = footnotes.map { $0.map(strip) }
    return result
  }

  /// Whether two lines say the same; a position is compared only where ours has one.
  private static func isSame(_ own: String, _ other: String) -> Bool {
    if own == other { return true }
    guard let sign = other.range(of: " @", options: .backwards) else { return false }
    let rest = other[..<sign.lowerBound]
    // cmark-gfm gives no position to a paragraph whose last line became a table.
    return own == rest || (other.hasSuffix(" @?") && own.hasPrefix(rest + " @"))
  }
}

// MARK: - From our blocks

extension PeerOutline {
  /// The outline of finished blocks, with columns as `tool` counts them: only cmark-gfm's include a byte order
  /// mark.
  package init(_ blocks: [DocumentBlock], source: [UInt8], for tool: PeerTool) {
    let positions = LinePositions(source, countsByteOrderMark: tool == .cmarkGFM)
    // Depth and home (-1: the document, else an index of `footnotes`) of each container so far.
    var places: [ByteString: (depth: Int, home: Int)] = [:]
    var alignments: [ByteString: [ColumnAlignment]] = [:]
    // The next column of each header row: cmark-gfm names the alignments there only.
    var columns: [ByteString: Int] = [:]
    var parents: [ByteString: ByteString?] = [:]
    // The line of each list.
    var lists: [ByteString: Int] = [:]
    var afterDefinition = false
    for block in blocks {
      var (depth, home) = block.parent.flatMap { places[$0] } ?? (-1, -1)
      depth += 1
      parents[block.id] = .some(block.parent)
      if block.type == .footnoteDefinition {
        places[block.id] = (-1, footnotes.count)
        footnotes.append([])
        afterDefinition = false
        continue
      }
      places[block.id] = (depth, home)
      if block.type == .list && home < 0 { lists[block.id] = lines.count }
      if [.html, .thematicBreak, .definition].contains(block.type) {
        var ancestor = block.parent
        while let id = ancestor {
          if let line = lists[id] { chosenSpreads.insert(line) }
          ancestor = parents[id] ?? nil
        }
      }
      guard block.type != .definition else {
        afterDefinition = true
        continue
      }
      var line = block.peerDescription
      switch block.type {
      case .table: alignments[block.id] = block.fields.align
      case .tableRow: if block.fields.header == true { columns[block.id] = 0 }
      case .tableCell:
        let row = block.parent ?? ""
        guard let column = columns[row], let table = parents[row] ?? nil else { break }
        columns[row] = column + 1
        if let align = alignments[table], column < align.count, align[column] != .none {
          line = "cell \(align[column])"
        }
      default: break
      }
      // cmark lets a paragraph begin at the definitions that were taken off its front.
      if block.hasPeerPosition && !afterDefinition { line += " @\(positions[block.begin.value])" }
      afterDefinition = false
      append(line, depth: depth, home: home)
    }
  }

  fileprivate mutating func append(_ line: String, depth: Int, home: Int) {
    let indented = String(repeating: "  ", count: depth) + line
    if home < 0 { lines.append(indented) } else { footnotes[home].append(indented) }
  }
}

extension DocumentBlock {
  fileprivate var peerDescription: String {
    switch type {
    case .heading: "heading \(fields.depth ?? 0)"
    case .code: "code [\(info)] \(literal)"
    case .html: "html \(literal)"
    case .list:
      "list \(fields.start.map { "ordered \($0)" } ?? "bullet") \(fields.spread == true ? "loose" : "tight")"
    case .listItem: "item" + (fields.checked.map { $0 ? " checked" : " unchecked" } ?? "")
    case .tableRow: fields.header == true ? "header row" : "row"
    case .tableCell: "cell"
    default: type.name.description
    }
  }

  private var info: String {
    guard let lang = fields.lang else { return "" }
    return fields.meta.map { "\(lang) \($0)" } ?? lang.description
  }

  private var literal: String { PeerOutline.quoted(text?.description ?? "") }

  fileprivate var hasPeerPosition: Bool {
    switch type {
    case .paragraph, .heading, .blockquote, .listItem, .thematicBreak, .html: true
    case .code: fields.fenced == true
    default: false
    }
  }
}

/// Lines and columns (bytes, both from 1) of source offsets.
private struct LinePositions {
  private var starts = [0]

  init(_ source: [UInt8], countsByteOrderMark: Bool) {
    if !countsByteOrderMark && source.starts(with: [0xEF, 0xBB, 0xBF]) { starts = [3] }
    for (offset, byte) in source.enumerated() {
      let isEnd = byte == 0x0A || (byte == 0x0D && (offset + 1 == source.count || source[offset + 1] != 0x0A))
      if isEnd { starts.append(offset + 1) }
    }
  }

  subscript(offset: Int) -> String {
    let line = starts.lastIndex { $0 <= offset } ?? 0
    return "\(line + 1):\(offset - starts[line] + 1)"
  }
}

// MARK: - From cmark's XML

extension PeerOutline {
  /// The outline of a document that `cmark` or `cmark-gfm` wrote with `-t xml --sourcepos`.
  package init(cmarkXML xml: String) {
    var reader = CmarkXMLReader(xml)
    // Outside `document`, whose children are at depth 0.
    var depth = -2
    var inline = 0
    var home = -1
    var homeDepth = 0
    while let tag = reader.next() {
      if tag.isEnd {
        if inline > 0 {
          inline -= 1
        } else {
          depth -= 1
          if home >= 0 && depth < homeDepth { home = -1 }
        }
        continue
      }
      if inline > 0 || CmarkXMLReader.inlineNames.contains(tag.name) {
        if !tag.isEmpty { inline += 1 }
        continue
      }
      let nodeDepth = depth + 1
      if tag.name == "<unknown>" && nodeDepth == 0 {
        home = footnotes.count
        homeDepth = nodeDepth
        footnotes.append([])
      } else if nodeDepth >= 0, let line = tag.outlineLine {
        append(line, depth: home >= 0 ? nodeDepth - homeDepth - 1 : nodeDepth, home: home)
      }
      // `<unknown>` inside a paragraph is a footnote reference.
      if !tag.isEmpty { depth = nodeDepth }
    }
  }

  fileprivate static func quoted(_ text: String) -> String {
    var bytes = Array(text.utf8)
    // cmark keeps line ends as they are; ours are each one line feed.
    var normal: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      if byte == 0x0D {
        if place + 1 == bytes.count || bytes[place + 1] != 0x0A { normal.append(0x0A) }
      } else {
        normal.append(byte)
      }
    }
    bytes = normal
    return TestFailure.quoted(bytes)
  }
}

/// Reads the little XML that cmark writes.
private struct CmarkXMLReader {
  struct Tag {
    var name: String
    var attributes: [String: String]
    var isEnd: Bool
    var isEmpty: Bool
    /// The text up to the next tag.
    var text: String
  }

  static let inlineNames: Set<String> = [
    "text", "softbreak", "linebreak", "code", "html_inline", "emph", "strong", "link", "image",
    "strikethrough", "custom_inline", "footnote_reference",
  ]

  private let bytes: [UInt8]
  private var position = 0
  /// The names of open elements: `<unknown>` is inline in these.
  private var open: [String] = []

  init(_ xml: String) { bytes = Array(xml.utf8) }

  mutating func next() -> Tag? {
    while true {
      guard let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
      // A name that cmark-gfm does not know is written `<<unknown>`.
      var nameStart = start + 1
      let isEnd = bytes[nameStart] == UInt8(ascii: "/")
      if isEnd { nameStart += 1 }
      var end = nameStart
      if bytes[nameStart...].starts(with: "<unknown>".utf8) { end += 9 }
      let nameEnd = bytes[end...].firstIndex { $0 == 0x20 || $0 == 0x3E || $0 == 0x2F } ?? bytes.count
      guard let close = bytes[nameEnd...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      let name = string(nameStart..<nameEnd)
      position = close + 1
      if name.hasPrefix("?") || name.hasPrefix("!") { continue }
      let next = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
      let isEmpty = bytes[close - 1] == UInt8(ascii: "/") && !isEnd
      if isEnd { open.removeLast() }
      let isInline = name == "<unknown>" && (open.last != "document")
      let tag = Tag(
        name: isInline ? "footnote_reference" : name,
        attributes: attributes(nameEnd..<close), isEnd: isEnd, isEmpty: isEmpty,
        text: unescaped(string(position..<next)))
      if !isEnd && !isEmpty { open.append(name) }
      return tag
    }
  }

  private func attributes(_ range: Range<Int>) -> [String: String] {
    var result: [String: String] = [:]
    var rest = bytes[range]
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")),
      let quote = rest[(equals + 2)...].firstIndex(of: UInt8(ascii: "\""))
    {
      let name = string(rest.startIndex..<equals).drop { $0 == " " }
      result[String(name)] = unescaped(string(equals + 2..<quote))
      rest = rest[(quote + 1)...]
    }
    return result
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result: [UInt8] = []
    var rest = Substring(text).utf8
    let names: [(String, UInt8)] = [("&lt;", 0x3C), ("&gt;", 0x3E), ("&quot;", 0x22), ("&amp;", 0x26)]
    while let byte = rest.first {
      if let (name, character) = names.first(where: { rest.starts(with: $0.0.utf8) }) {
        result.append(character)
        rest = rest.dropFirst(name.utf8.count)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension CmarkXMLReader.Tag {
  /// The outline's line for a block; `nil` for what it leaves out.
  fileprivate var outlineLine: String? {
    let start = attributes["sourcepos"].map { String($0.prefix { $0 != "-" }) } ?? "?"
    switch name {
    case "paragraph": return "paragraph @\(start)"
    case "heading": return "heading \(attributes["level"] ?? "?") @\(start)"
    case "thematic_break": return "thematicBreak @\(start)"
    case "block_quote": return "blockquote @\(start)"
    case "list":
      let kind = attributes["type"] == "ordered" ? "ordered \(attributes["start"] ?? "?")" : "bullet"
      return "list \(kind) \(attributes["tight"] == "true" ? "tight" : "loose")"
    case "item": return "item @\(start)"
    case "tasklist":
      return "item \(attributes["completed"] == "true" ? "checked" : "unchecked") @\(start)"
    case "code_block":
      let info = attributes["info"].map(Self.words) ?? ""
      return "code [\(info)] \(literal) @\(start)"
    case "html_block": return "html \(literal) @\(start)"
    case "table": return "table"
    case "table_header": return "header row"
    case "table_row": return "row"
    case "table_cell":
      // Cells that a row lacks are padded with column 0.
      if start.hasSuffix(":0") { return nil }
      return attributes["align"].map { "cell \($0)" } ?? "cell"
    default: return "unknown element \(name)"
    }
  }

  private var literal: String {
    // Ours has no line end after the last line.
    PeerOutline.quoted(text.hasSuffix("\n") || text.hasSuffix("\r\n") ? String(text.dropLast()) : text)
  }

  /// An info string with one space between its first word and the rest.
  private static func words(_ info: String) -> String {
    let trimmed = info.drop { $0 == " " || $0 == "\t" }
    let language = trimmed.prefix { $0 != " " && $0 != "\t" }
    let meta = trimmed.dropFirst(language.count).drop { $0 == " " || $0 == "\t" }
    return meta.isEmpty ? String(language) : "\(language) \(meta)"
  }
}
