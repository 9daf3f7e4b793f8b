import Foundation

extension Span where Element == UInt8 {
  /// Whether the bytes are those of `text`.
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where unsafe self[index] != text.utf8Start[index] { return false }
    return true
  }

  /// Whether the bytes are those of `text`, which is in small letters, without regard to ASCII case.
  func equalsIgnoringCase(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where unsafe ByteClass.lowercased(self[index]) != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// A copy of the bytes.
  var array: [UInt8] {
    unsafe withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// The index of the first `byte` in `range`, or `nil`.
  ///
  /// - Complexity: O(`range.count`), by `memchr`.
  @inline(__always)
  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    guard !range.isEmpty else { return nil }
    return unsafe withUnsafeBufferPointer { buffer -> Int? in
      // Not empty, so there is a base address; `memchr` stays inside the range just checked.
      let base = unsafe UnsafeRawPointer(buffer.baseAddress!)
      guard let found = unsafe memchr(base + range.lowerBound, Int32(byte), range.count) else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }
}

extension [UInt8] {
  /// Appends the text's UTF-8.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    unsafe append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a number in decimal digits.
  mutating func append(decimal number: Int) {
    precondition(number >= 0)
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(0x30 + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }

  /// Appends a number in small hexadecimal digits.
  mutating func append(hexadecimal number: Int) {
    precondition(number >= 0)
    var shift = 0
    while shift < 60, number >> (shift + 4) > 0 { shift += 4 }
    while shift >= 0 {
      let digit = UInt8(number >> shift & 15)
      append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
      shift -= 4
    }
  }
}
