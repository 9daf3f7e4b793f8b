/// Sizes as they are written in configuration: a whole number and `B`, `KiB`, `MiB`, `GiB` or `TiB`.
package enum ByteCountText {
  private static let units: [(name: String, factor: Int)] = [
    ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
  ]

  /// The bytes that `text` names; `nil` if it has no unit, another one, or is too large for an `Int`.
  package static func value(_ text: String) -> Int? { scaled(text, units) }

  /// The shortest exact form: the largest unit that leaves a whole number. Read back, it is the same value.
  package static func text(_ bytes: Int) -> String { shortest(bytes, units) }
}

/// Lengths of time as they are written in configuration: a whole number and `ms`, `s`, `m` or `h`.
package enum DurationText {
  private static let units: [(name: String, factor: Int)] = [
    ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  /// The duration that `text` names; `nil` if it has no unit, another one, or is too long for an `Int` of
  /// milliseconds.
  package static func value(_ text: String) -> Duration? {
    scaled(text, units).map { .milliseconds($0) }
  }

  /// The shortest exact form of a duration of whole milliseconds. Read back, it is the same value.
  package static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return shortest(Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000), units)
  }
}

private func scaled(_ text: String, _ units: [(name: String, factor: Int)]) -> Int? {
  let digits = text.prefix { $0.isASCII && $0.isWholeNumber }
  let unit = text.dropFirst(digits.count)
  guard let number = Int(digits), let factor = units.first(where: { $0.name == unit })?.factor else {
    return nil
  }
  let (value, overflow) = number.multipliedReportingOverflow(by: factor)
  return overflow ? nil : value
}

private func shortest(_ value: Int, _ units: [(name: String, factor: Int)]) -> String {
  let unit = value == 0 ? units.last : units.first { value % $0.factor == 0 }
  return unit.map { "\(value / $0.factor)\($0.name)" } ?? "\(value)"
}
