package import BlockDiff
package import Checker
package import Markup

/// One source for which something does not hold, ready to be read by whoever has to find out why.
package struct TestFailure: Error, Sendable, CustomStringConvertible {
  /// What was run: a vector's name, or a generated document's seed.
  package var name: String
  package var rule: String
  package var parse: ParseOptions
  package var source: [UInt8]
  package var split: Split
  /// The number of bytes after which it was noticed: the source's length + 1 after `finish`.
  package var offset: Int
  package var detail: String

  package init(
    name: String, rule: String = "", parse: ParseOptions, source: [UInt8], split: Split, offset: Int,
    detail: String
  ) {
    self.name = name
    self.rule = rule
    self.parse = parse
    self.source = source
    self.split = split
    self.offset = offset
    self.detail = detail
  }

  package var description: String {
    let shown = source.prefix(600)
    return """
      \(name)\(rule.isEmpty ? "" : " (\(rule))") [\(parse)] split \(split), at \(offset)\
      \(offset > source.count ? " (finished)" : "") of \(source.count) bytes
        source: \(Self.quoted(shown))\(source.count > shown.count ? "…" : "")
      \(detail)
      """
  }

  /// Bytes as a Swift string literal, malformed ones replaced.
  package static func quoted(_ bytes: some Sequence<UInt8>) -> String {
    SourceLiteral.quoted(String(decoding: Array(bytes), as: UTF8.self))
  }

  /// A report of many failures: the shortest sources first, at most `limit` in detail.
  package static func report(_ failures: [TestFailure], of count: Int, limit: Int = 10) -> String {
    let sorted = failures.sorted { ($0.source.count, $0.name) < ($1.source.count, $1.name) }
    var text = "\(failures.count) of \(count) failed"
    for failure in sorted.prefix(limit) { text += "\n\n\(failure)" }
    if failures.count > limit {
      let names = sorted.dropFirst(limit).prefix(60).map { "\($0.name)@\($0.offset)" }
      text += "\n\nand \(names.joined(separator: " "))"
    }
    return text
  }
}

extension DocumentBlock {
  /// The block on one line.
  package var summary: String {
    var text = "\(id) \(type.name)"
    if let parent { text += " in \(parent)" }
    text += " \(begin)..<\(end.map { "\($0)" } ?? "open") rev \(revision)"
    // A mirror names the fields that are there; this is for readers of failures only.
    for child in Mirror(reflecting: fields).children {
      guard let label = child.label, let value = Mirror(reflecting: child.value).children.first?.value else {
        continue
      }
      switch value {
      case let string as ByteString: text += " \(label)=\(TestFailure.quoted(string.utf8))"
      case let attributes as [DocumentBlock.Attribute]:
        let list = attributes.map { "\($0.name)=\($0.value?.description ?? "true")" }
        text += " \(label)=\(list)"
      default: text += " \(label)=\(value)"
      }
    }
    if let bytes = self.text { text += " \(TestFailure.quoted(bytes.utf8))" }
    return text
  }
}

/// Where two states differ first.
package enum StateDifference {
  /// Compares what `table` shows with the blocks expected; `nil` if they are the same.
  package static func between(_ expected: [DocumentBlock], _ table: borrowing BlockTable) -> String? {
    for row in 0..<min(expected.count, table.count) {
      let found = DocumentBlock(BlockIndex(row), of: table)
      if found != expected[row] { return describe(expected[row], found) }
    }
    if expected.count > table.count { return describe(expected[table.count], nil) }
    if expected.count < table.count {
      return describe(nil, DocumentBlock(BlockIndex(expected.count), of: table))
    }
    return nil
  }

  /// Compares two lists of blocks; `nil` if they are the same.
  package static func between(_ expected: [DocumentBlock], _ found: [DocumentBlock]) -> String? {
    for (expected, found) in zip(expected, found) where expected != found {
      return describe(expected, found)
    }
    if expected.count > found.count { return describe(expected[found.count], nil) }
    if expected.count < found.count { return describe(nil, found[expected.count]) }
    return nil
  }

  package static func describe(_ expected: DocumentBlock?, _ found: DocumentBlock?) -> String {
    """
      expected: \(expected?.summary ?? "no block")
      got:      \(found?.summary ?? "no block")
    """
  }
}
