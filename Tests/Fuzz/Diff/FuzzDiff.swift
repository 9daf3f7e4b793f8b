import BlockDiff
import Checker
import FuzzSupport
import Markup

/// Diffs and snapshots as JSON: what a client reads from the wire is what the table shows, from every earlier
/// chunk on; and the client's reader takes any bytes at all.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  guard let input = unsafe FuzzInput(data, size) else { return 0 }
  if input.flags & 0x80 != 0 {
    readAnything(input.bytes)
  } else {
    do { try replay(input) } catch { input.fail("\(error)") }
  }
  return 0
}

/// Changes documents by their constructs.
@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maxSize: Int, _ seed: UInt32
) -> Int {
  unsafe mutateDocument(data, size: size, maxSize: maxSize, seed: seed)
}

private func readAnything(_ bytes: [UInt8]) {
  _ = try? BlockDocument(snapshot: bytes)
  var document = BlockDocument()
  try? document.apply(diff: bytes)
}

private func replay(_ input: FuzzInput) throws(BlockDocumentError) {
  let parse = input.parse
  var parser = MarkupParser(dialect: parse.dialect, options: parse.options)
  var generator = SeededGenerator(seed: UInt64(input.seed))
  var earlier: [BlockDocument] = []
  var client = BlockDocument()
  var writer = JSONWriter()
  var start: Int?
  let ends = Split.random(seed: UInt64(input.seed)).chunkEnds(of: input.bytes)
  for end in [0] + ends + [input.bytes.count + 1] {
    if end > input.bytes.count {
      parser.finish()
    } else {
      parser.append(input.bytes.span.extracting((start ?? 0)..<end))
    }
    try client.apply(diff: diff(parser.blocks, since: start, &writer))
    start = end
    writer.removeAll()
    writer.write(snapshotOf: parser.blocks, dialect: parse.dialect, in: Envelope())
    let snapshot = try BlockDocument(snapshot: writer.bytes)
    if snapshot != client { input.fail("at \(end) the diffs do not give the snapshot") }
    if !earlier.isEmpty {
      var old = generator.pick(earlier)
      let from = old.at.position.value
      try old.apply(diff: diff(parser.blocks, since: from, &writer))
      if old != client { input.fail("at \(end) the diff from \(from) does not give the snapshot") }
    }
    if earlier.count < 32 { earlier.append(client) }
    for row in 0..<parser.blocks.count {
      let index = BlockIndex(row)
      let id = parser.blocks.id(of: index)
      if parser.blocks.index(ofID: id) != index { input.fail("\(id) is not found") }
    }
  }
}

private func diff(_ table: borrowing BlockTable, since: Int?, _ writer: inout JSONWriter) -> [UInt8] {
  writer.removeAll()
  writer.write(table.diff(since: since.map { ByteOffset($0) }), of: table, in: Envelope())
  return writer.bytes
}

/// Writes the seed corpus where that is asked for.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
  SeedCorpus.writeIfAsked(SeedCorpus.documents)
  return 0
}
