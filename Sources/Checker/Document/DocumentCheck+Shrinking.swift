extension DocumentCheck where Engine: ~Copyable {
  /// Gives each violation the smallest source and split that still break its promise.
  mutating func shrinkViolations() throws(CheckStop) {
    for place in report.violations.indices {
      if Task.isCancelled { throw .cancelled }
      let violation = report.violations[place]
      let (options, makeEngine) = (options, makeEngine)
      report.violations[place].shrunk = Shrinker.shrink(
        source, chunkEnds: violation.chunkEnds, work: options.shrinkingWork
      ) { source, ends in
        // Cancelled, nothing fails any more, so that shrinking comes to its end.
        if Task.isCancelled { return nil }
        return DocumentCheck(source, options: options, makeEngine: makeEngine)
          .violation(of: violation.promise, chunkEnds: ends)
      }
    }
  }

  /// The violation of one promise by the source in these chunks, if there is one.
  package consuming func violation(of promise: Promise, chunkEnds ends: [Int]) -> Violation? {
    do throws(CheckStop) {
      switch promise {
      case .cost: try checkCost()
      case .chunkIndependence:
        try readReference(Split.bytes.chunkEnds(of: source), thoroughly: false)
        try compare(ends, snapshots: true)
      case .permanence, .uniqueness, .sealing, .replay, .finishedEqualsStandard, .totality:
        let whole = ends.last == source.count ? ends : ends + [source.count]
        try readReference(whole, thoroughly: true)
        for offset in ends.dropLast() { try comparePrefix(offset, finishes: true) }
      }
    } catch {
      if case .violated(let violation) = error, violation.promise == promise { return violation }
    }
    return nil
  }
}
