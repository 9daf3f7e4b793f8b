/// Makes a source and its split smaller as long as they break the same promise.
package struct Shrinker {
  /// The smallest case so far.
  package private(set) var best: ShrunkCase
  private var source: [UInt8]
  private var ends: [Int]
  private var workLeft: Int
  private let check: ([UInt8], [Int]) -> Violation?

  /// - Parameters:
  ///   - work: the bytes of candidates that may be checked.
  ///   - check: the violation of the promise, with a source and the ends of its chunks, if there is one.
  private init(
    _ source: [UInt8], _ ends: [Int], detail: String, work: Int,
    check: @escaping ([UInt8], [Int]) -> Violation?
  ) {
    self.source = source
    self.ends = ends
    self.check = check
    workLeft = work
    best = ShrunkCase(source: source, chunkEnds: ends, detail: detail)
  }

  /// The smallest case found: lines are taken out first, then spans of halving length down to single bytes,
  /// then chunks are joined, until nothing smaller fails or `work` is used up.
  ///
  /// - Returns: `nil` if `check` finds nothing in the case as it is.
  package static func shrink(
    _ source: [UInt8], chunkEnds: [Int], work: Int,
    check: @escaping ([UInt8], [Int]) -> Violation?
  ) -> ShrunkCase? {
    guard let violation = check(source, chunkEnds) else { return nil }
    var shrinker = Shrinker(source, chunkEnds, detail: violation.detail, work: work, check: check)
    shrinker.cut(shrinker.source.count, from: min(violation.offset, source.count))
    var isSmaller = true
    while isSmaller && shrinker.workLeft > 0 {
      isSmaller = shrinker.removeLines()
      isSmaller = shrinker.removeSpans() || isSmaller
      isSmaller = shrinker.joinChunks() || isSmaller
    }
    return shrinker.best
  }

  /// Takes a candidate if it still fails.
  private mutating func take(_ source: [UInt8], _ ends: [Int]) -> Bool {
    guard workLeft > 0 else { return false }
    workLeft -= source.count + 64
    guard let violation = check(source, ends) else { return false }
    self.source = source
    self.ends = ends
    best = ShrunkCase(source: source, chunkEnds: ends, detail: violation.detail)
    return true
  }

  /// Takes the bytes from `begin` to `end` out, and the chunk ends with them.
  @discardableResult
  private mutating func cut(_ end: Int, from begin: Int) -> Bool {
    guard begin < end else { return false }
    var candidate = source
    candidate.removeSubrange(begin..<end)
    var newEnds: [Int] = []
    for old in ends {
      let new = old <= begin ? old : max(begin, old - (end - begin))
      if new > (newEnds.last ?? 0) { newEnds.append(new) }
    }
    if newEnds.last != candidate.count { newEnds.append(candidate.count) }
    return take(candidate, newEnds)
  }

  private mutating func removeLines() -> Bool {
    var isSmaller = false
    var count = max(1, source.count(where: { $0 == 0x0A }) / 2)
    while workLeft > 0 {
      var begin = 0
      while begin < source.count && workLeft > 0 {
        var end = begin
        for _ in 0..<count { end = (source[end...].firstIndex(of: 0x0A) ?? source.count - 1) + 1 }
        if cut(end, from: begin) { isSmaller = true } else { begin = lineEnd(after: begin) }
      }
      if count == 1 { break }
      count /= 2
    }
    return isSmaller
  }

  private func lineEnd(after offset: Int) -> Int {
    (source[offset...].firstIndex(of: 0x0A) ?? source.count - 1) + 1
  }

  private mutating func removeSpans() -> Bool {
    var isSmaller = false
    var length = max(1, source.count / 2)
    while workLeft > 0 {
      var begin = 0
      while begin < source.count && workLeft > 0 {
        if cut(min(begin + length, source.count), from: begin) { isSmaller = true } else { begin += length }
      }
      if length == 1 { break }
      length /= 2
    }
    return isSmaller
  }

  private mutating func joinChunks() -> Bool {
    var isSmaller = false
    var count = max(1, ends.count - 1)
    while workLeft > 0 {
      var place = 0
      while place < ends.count - 1 && workLeft > 0 {
        var candidate = ends
        candidate.removeSubrange(place..<min(place + count, ends.count - 1))
        if take(source, candidate) { isSmaller = true } else { place += count }
      }
      if count == 1 { break }
      count /= 2
    }
    return isSmaller
  }
}
