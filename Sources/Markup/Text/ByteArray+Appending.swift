// Appending to bytes with one check for room. The library's own ways take several times as many instructions for the few
// bytes that most of what is appended has.

extension [UInt8] {
  /// Appends the bytes of `source`.
  @inlinable
  package mutating func append(copying source: borrowing Span<UInt8>) {
    append(addingCapacity: source.count) { output in
      if source.count < 16 {
        for index in 0..<source.count { output.append(source[index]) }
        return
      }
      // Room first and a loop over it, which becomes one move.
      output.append(repeating: 0, count: source.count)
      var room = output.mutableSpan
      for index in 0..<source.count { room[index] = source[index] }
    }
  }

  /// A copy of bytes.
  package init(copying source: borrowing Span<UInt8>) {
    self = []
    append(copying: source)
  }

  /// Appends `number`, which is not negative, in decimal digits.
  package mutating func appendDecimal(_ number: Int) {
    if number < 10 { return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)) }
    var digits: InlineArray<20, UInt8> = .init(repeating: 0)
    var first = 20
    var rest = number
    while rest > 0 {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    for index in first..<20 { append(digits[index]) }
  }
}

extension Array {
  /// Removes all elements and keeps their room. Costs next to nothing where there are none.
  @inline(__always)
  mutating func empty() {
    if !isEmpty { removeAll(keepingCapacity: true) }
  }
}
