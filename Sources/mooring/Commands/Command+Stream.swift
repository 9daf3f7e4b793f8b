import BlockDiff
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
      .dialect,
    ]
  ) { arguments in
    let text = arguments["--split"] ?? "tokens"
    guard let split = ChunkSplit(text) else {
      throw arguments.refused("--split", text, accepted: ChunkSplit.accepted)
    }
    let delay = try arguments.number("--delay", in: 0...3_600_000) ?? 0
    let dialect = try arguments.dialect()
    let source = try Input.bytes(of: arguments.operands)

    var parser = MarkupParser(dialect: dialect)
    // The first diff begins with nothing at all.
    var position: ByteOffset?
    var start = 0
    for end in split.chunkEnds(of: source) {
      if start > 0, delay > 0 { try await Task.sleep(for: .milliseconds(delay)) }
      parser.append(source.span.extracting(start..<end))
      start = end
      Output.write(diffLine(of: parser.blocks, since: position))
      position = parser.blocks.position
    }
    parser.finish()
    Output.write(diffLine(of: parser.blocks, since: position))
  }

  private static func diffLine(of table: borrowing BlockTable, since position: ByteOffset?) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(table.diff(since: position), of: table, in: Envelope())
    return writer.bytes + [0x0A]
  }
}
