import BlockDiff
import Checker
import Foundation
import Markup

extension Command {
  /// `mooring stream`.
  static let stream = Command(
    words: ["stream"], summary: "Prints the diffs that a document's chunks make, a JSON line each",
    operand: "[FILE]",
    notes: "The last line is the diff that finishes the stream.",
    options: [
      Option("--split", "SPLIT", "tokens (default), bytes, lines, random:SEED or a number of bytes"),
      Option("--delay", "MS", "Milliseconds to wait before each chunk but the first; 0 by default"),
      Option("--inline", "FORM", "Inline content beside the text: none (default), runs or html"),
      .dialect,
    ]
  ) { arguments in
    let text = arguments["--split"] ?? "tokens"
    guard let chunks = Chunks(text) else {
      throw arguments.refused("--split", text, accepted: Chunks.accepted)
    }
    let delay = try arguments.number("--delay", in: 0...3_600_000) ?? 0
    let dialect = try arguments.dialect()
    let inline = try arguments.inline()
    let source = try Input.bytes(of: arguments.operands)

    var parser = MarkupParser(dialect: dialect)
    var inlines = InlineView(dialect: dialect)
    // The first diff begins with nothing at all.
    var position: ByteOffset?
    var start = 0
    for end in chunks.ends(of: source) where end > start {
      if start > 0, delay > 0 { try await Task.sleep(for: .milliseconds(delay)) }
      parser.append(source.span.extracting(start..<end))
      start = end
      Output.write(diffLine(of: parser.blocks, since: position, &inlines, inline))
      position = parser.blocks.position
    }
    parser.finish()
    Output.write(diffLine(of: parser.blocks, since: position, &inlines, inline))
  }

  private static func diffLine(
    of table: borrowing BlockTable, since position: ByteOffset?, _ inlines: inout InlineView,
    _ inline: InlineOutput
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(table.diff(since: position), of: table, inlines: &inlines, as: inline, in: Envelope())
    return writer.bytes + [0x0A]
  }
}

/// How a document is fed: one of the checker's splits, or chunks of so many bytes.
private enum Chunks {
  static let accepted = "bytes, lines, tokens, random:SEED, or a number of bytes from 1 to 1073741824"

  case split(Split)
  case bytes(Int)

  /// Reads the option's value.
  init?(_ text: String) {
    if let count = Int(text) {
      guard (1...1 << 30).contains(count) else { return nil }
      self = .bytes(count)
    } else if text != "all", text != "random", let splits = CheckOptions.splits(named: text, seed: 1),
      splits.count == 1
    {
      self = .split(splits[0])
    } else {
      return nil
    }
  }

  /// The offsets at which chunks end; one that comes twice stands for an empty chunk.
  func ends(of source: [UInt8]) -> [Int] {
    switch self {
    case .split(let split): split.chunkEnds(of: source)
    case .bytes(let count): Array(stride(from: count, to: source.count, by: count)) + [source.count]
    }
  }
}
