extension Range<Int> {
  /// The first place at which `isBefore` does not hold, or the upper bound; it holds for a first part of the places and
  /// for none after that.
  ///
  /// - Complexity: O(log count) calls.
  @inlinable
  package func partitionPoint(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
