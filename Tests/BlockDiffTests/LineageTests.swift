import BlockDiff
import Markup
import Testing

struct LineageTests {
  private func token(_ incarnation: UInt64, _ position: Int) -> OffsetToken {
    OffsetToken(incarnation: incarnation, position: ByteOffset(position))
  }

  @Test func aForkHasItsSourcesTokensUpToWhereItBranchesOff() {
    let fork = Lineage(incarnation: 1).fork(at: ByteOffset(5), incarnation: 2)
    for position in 0...5 { #expect(fork.token(at: ByteOffset(position)) == token(1, position)) }
    for position in 6...9 { #expect(fork.token(at: ByteOffset(position)) == token(2, position)) }
    #expect(fork.contains(token(1, 5)) && fork.contains(token(2, 6)))
    #expect(!fork.contains(token(1, 6)) && !fork.contains(token(2, 5)) && !fork.contains(token(3, 1)))
    #expect(fork.begin == ByteOffset(5))
  }

  @Test func forksOfForksSkipThoseOfWhichTheyHaveNothing() {
    let one = Lineage(incarnation: 1).fork(at: ByteOffset(5), incarnation: 2)
    // From before the first fork, at it, and after it.
    let early = one.fork(at: ByteOffset(3), incarnation: 3)
    let same = one.fork(at: ByteOffset(5), incarnation: 4)
    let late = one.fork(at: ByteOffset(8), incarnation: 5)
    #expect(early.ancestors.map(\.incarnation) == [1] && early.token(at: ByteOffset(4)) == token(3, 4))
    #expect(same.ancestors.map(\.incarnation) == [1] && same.token(at: ByteOffset(6)) == token(4, 6))
    #expect(late.ancestors.map(\.incarnation) == [1, 2])
    #expect([5, 6, 8, 9].map { late.token(at: ByteOffset($0)).incarnation } == [1, 2, 2, 5])
  }

  @Test func tokensSortByPosition() {
    var lineage = Lineage(incarnation: 1)
    for number in 2...9 {
      lineage = lineage.fork(at: ByteOffset(number * 7 % 10 * number), incarnation: UInt64(number))
    }
    let tokens = (0..<200).map { lineage.token(at: ByteOffset($0)) }
    #expect(tokens == tokens.sorted() && tokens.map(\.description) == tokens.map(\.description).sorted())
  }
}
