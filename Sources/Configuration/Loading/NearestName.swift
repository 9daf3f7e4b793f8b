/// The name among `names` that differs from `name` by the fewest inserted, removed and replaced letters,
/// case aside; `nil` if all differ by more than a third of it.
func nearest(_ name: String, among names: [String]) -> String? {
  let wanted = Array(name.lowercased().utf8.prefix(64))
  let rated = names.map { (name: $0, distance: distance(wanted, Array($0.lowercased().utf8))) }
  guard let best = rated.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance * 3 <= wanted.count ? best.name : nil
}

/// Levenshtein's distance, one row at a time.
private func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var row = Array(0...b.count)
  for (i, byte) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in b.enumerated() {
      let replaced = diagonal + (byte == other ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
    }
  }
  return row[b.count]
}
