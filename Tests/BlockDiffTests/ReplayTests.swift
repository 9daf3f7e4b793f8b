import BlockDiff
import Checker
import Markup
import TestSupport
import Testing

/// The reference client on the conformance vectors' own diffs: it must accept them all, and get to the finished
/// blocks.
@Suite struct ReplayTests {
  @Test(arguments: ConformanceFiles.all)
  func replaysTheVectorsDiffs(_ file: ConformanceFiles.File) async throws {
    for vector in try await ConformanceVector.read(file.url) {
      do {
        var expected = ExpectedState(vector)
        _ = try expected.advance(to: vector.source.count)
        var document = expected.document
        let to = OffsetToken(incarnation: 0, position: ByteOffset(vector.source.count + 1))
        try document.apply(
          BlockDocument.Update(
            from: document.at, to: to, pending: 0, operations: vector.finish + [.finish]))
        if let difference = StateDifference.between(vector.blocks, document.blocks) {
          Issue.record("\(vector.name)\n\(difference)")
        }
      } catch {
        Issue.record("\(vector.name): \(error)")
      }
    }
  }
}

extension ReplayTests {
  /// What the wire says is what the ops say: over the parser's own states, in random chunks.
  @Test(arguments: ConformanceFiles.all)
  func saysTheSameOverTheWire(_ file: ConformanceFiles.File) async throws {
    let failures = try await ConformanceVector.read(file.url).compactMap(wireFailure)
    if !failures.isEmpty {
      Issue.record("\(failures.count) failed\n\(failures.prefix(10).joined(separator: "\n"))")
    }
  }

  private func wireFailure(_ vector: ConformanceVector) -> String? {
    var parser = MarkupParser(dialect: vector.parse.dialect, options: vector.parse.options)
    var document = BlockDocument()
    var start: Int?
    var writer = JSONWriter()
    do {
      for end in Split.random(seed: 9).chunkEnds(of: vector.source) + [vector.source.count + 1] {
        if end > vector.source.count {
          parser.finish()
        } else {
          parser.append(vector.source.span.extracting((start ?? 0)..<end))
        }
        guard parser.blocks.position.value == end else {
          return "\(vector.name): position \(parser.blocks.position) after \(end) bytes"
        }
        let diff = parser.blocks.diff(since: start.map { ByteOffset($0) })
        start = end
        writer.removeAll()
        writer.write(diff, of: parser.blocks, in: Envelope(stream: "s"))
        let update = try BlockDocument.Update(json: writer.bytes)
        guard update == BlockDocument.Update(diff, of: parser.blocks) else {
          return "\(vector.name) at \(end): \(String(decoding: writer.bytes, as: UTF8.self))"
        }
        try document.apply(update)
      }
      writer.removeAll()
      writer.write(snapshotOf: parser.blocks, dialect: .chat, in: Envelope(stream: "s"))
      guard try BlockDocument(snapshot: writer.bytes) == document else {
        return "\(vector.name): \(String(decoding: writer.bytes, as: UTF8.self))"
      }
    } catch {
      return "\(vector.name): \(error) in \(String(decoding: writer.bytes, as: UTF8.self))"
    }
    for row in 0..<parser.blocks.count {
      let id = parser.blocks.id(of: BlockIndex(row))
      if parser.blocks.index(ofID: id) != BlockIndex(row) { return "\(vector.name): \(id) is not found" }
    }
    return nil
  }
}
