import BlockDiff
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
