/// How one kind of value is written: reading, writing, and the sentence that says what is accepted.
struct ValueFormat<Value: Sendable>: Sendable {
  /// The value that a scalar's text stands for; `nil` if it is not accepted.
  var read: @Sendable (String) -> Value?
  /// The text that `read` turns into the same value.
  var write: @Sendable (Value) -> String
  /// What is accepted, to stand after "accepted: ".
  var accepted: String
}

extension ValueFormat where Value == Int {
  /// A whole number in decimal digits.
  static func number(_ range: ClosedRange<Int>) -> Self {
    ValueFormat(
      read: { text in decimal(text).flatMap { range.contains($0) ? $0 : nil } },
      write: { String($0) },
      accepted: "a whole number from \(range.lowerBound) to \(range.upperBound)")
  }

  /// A size with its unit.
  static func byteCount(_ range: ClosedRange<Int>) -> Self {
    let (lowest, highest) = (ByteCountText.text(range.lowerBound), ByteCountText.text(range.upperBound))
    return ValueFormat(
      read: { text in ByteCountText.value(text).flatMap { range.contains($0) ? $0 : nil } },
      write: { ByteCountText.text($0) },
      accepted: "a size from \(lowest) to \(highest), such as 64KiB (units: B, KiB, MiB, GiB, TiB)")
  }
}

extension ValueFormat where Value == Int? {
  /// A whole number, or `auto` for `nil`.
  static func numberOrAuto(_ range: ClosedRange<Int>) -> Self {
    ValueFormat(
      read: { text in
        text == "auto" ? .some(nil) : decimal(text).flatMap { range.contains($0) ? .some($0) : nil }
      },
      write: { $0.map { String($0) } ?? "auto" },
      accepted: "auto, or a whole number from \(range.lowerBound) to \(range.upperBound)")
  }
}

extension ValueFormat where Value == Duration {
  /// A length of time with its unit.
  static func duration(_ range: ClosedRange<Duration>) -> Self {
    let (lowest, highest) = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
    return ValueFormat(
      read: { text in DurationText.value(text).flatMap { range.contains($0) ? $0 : nil } },
      write: { DurationText.text($0) },
      accepted: "a duration from \(lowest) to \(highest), such as 250ms or 30s (units: ms, s, m, h)")
  }
}

extension ValueFormat where Value == Bool {
  /// `true` or `false`; YAML 1.1's other words for them are refused.
  static var flag: Self {
    ValueFormat(
      read: { text in text == "true" ? true : text == "false" ? false : nil },
      write: { String($0) },
      accepted: "true or false")
  }
}

extension ValueFormat where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the type's names.
  static var choice: Self {
    ValueFormat(
      read: { Value(rawValue: $0) },
      write: { $0.rawValue },
      accepted: Value.allCases.map(\.rawValue).joined(separator: ", "))
  }
}

extension ValueFormat where Value == String {
  /// An address to listen on. `localhost` is read as 127.0.0.1, so that a start never waits for a name server.
  static var address: Self {
    ValueFormat(
      read: { text in text == "localhost" ? "127.0.0.1" : IPAddress(text).map { _ in text } },
      write: { $0 },
      accepted: "an IPv4 or IPv6 address, or localhost")
  }

  /// A dialect's name.
  static var dialectName: Self {
    ValueFormat(
      read: { isName($0, maxBytes: 64) ? $0 : nil },
      write: { $0 },
      accepted: "a letter, then letters, digits, -, _ or ., at most 64 in all")
  }

  /// A path in the file system, or nothing.
  static var path: Self {
    ValueFormat(
      read: { $0.utf8.count <= 4096 && !$0.utf8.contains(0) ? $0 : nil },
      write: { $0 },
      accepted: "the path of a directory of at most 4096 bytes, or \"\" for none")
  }

  /// A file's path.
  static var filePath: Self {
    ValueFormat(
      read: { !$0.isEmpty && $0.utf8.count <= 4096 && !$0.utf8.contains(0) ? $0 : nil },
      write: { $0 },
      accepted: "the path of a file of at most 4096 bytes")
  }
}

/// Whether `text` is an ASCII letter, then letters, digits, `-`, `_` or `.`: the names of elements and dialects.
func isName(_ text: String, maxBytes: Int) -> Bool {
  guard let first = text.utf8.first, text.utf8.count <= maxBytes, first.isASCIILetter else { return false }
  return text.utf8.allSatisfy {
    $0.isASCIILetter || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F || $0 == 0x2E
  }
}

extension UInt8 {
  var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}

/// Decimal digits alone: no sign, no space, no underscore.
private func decimal(_ text: String) -> Int? {
  text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
}
