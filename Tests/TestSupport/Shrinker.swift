/// Makes failing sources shorter.
package enum Shrinker {
  /// The shortest source found for which `check` still fails, and that failure.
  ///
  /// Pieces of halving length are taken out, single bytes last, until nothing more can go or `work` is used
  /// up. A check of every split of a source costs about the square of its length, so that is the unit.
  package static func shrink(
    _ failure: TestFailure, work: Int = 20_000_000, check: ([UInt8]) -> TestFailure?
  ) -> TestFailure {
    var best = failure
    var left = work
    var length = max(1, best.source.count / 2)
    while left > 0 {
      var place = 0
      var isShorter = false
      while place < best.source.count && left > 0 {
        var candidate = best.source
        candidate.removeSubrange(place..<min(place + length, candidate.count))
        left -= candidate.count * candidate.count + 100
        if let smaller = check(candidate) {
          best = smaller
          isShorter = true
        } else {
          place += length
        }
      }
      if length > 1 {
        length /= 2
      } else if !isShorter {
        break
      }
    }
    return best
  }
}
