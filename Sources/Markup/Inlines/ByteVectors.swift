// Looking at 16 bytes at once. A vector is compared with vectors of one byte: with a byte it would be one lane after
// another.

extension SIMD16<UInt8> {
  /// A vector of one byte.
  @inlinable @inline(__always)
  package static func all(_ byte: UInt8) -> SIMD16<UInt8> { SIMD16(repeating: byte) }

  /// A vector of one ASCII character.
  @inlinable @inline(__always)
  package static func all(_ character: Unicode.Scalar) -> SIMD16<UInt8> {
    SIMD16(repeating: UInt8(ascii: character))
  }
}

extension Span<UInt8> {
  /// The bytes of a vector.
  @inlinable package static var vectorWidth: Int { 16 }

  /// The first 16 bytes: one load.
  @inlinable package var vector: SIMD16<UInt8> {
    @inline(__always) get {
      precondition(count >= Self.vectorWidth)
      var vector = SIMD16<UInt8>()
      for lane in 0..<16 { vector[lane] = self[lane] }
      return vector
    }
  }

  /// The first 16 bytes, with zeros behind the last one.
  @inlinable package var paddedVector: SIMD16<UInt8> {
    @inline(__always) get { count >= Self.vectorWidth ? vector : lastBytes }
  }

  @usableFromInline var lastBytes: SIMD16<UInt8> {
    @inline(never) get {
      var vector = SIMD16<UInt8>()
      for lane in 0..<Swift.min(count, 16) { vector[lane] = self[lane] }
      return vector
    }
  }
}

extension SIMDMask where Storage == SIMD16<Int8> {
  /// A bit for each lane, the first lane's the lowest.
  @inlinable package var bits: UInt16 {
    @inline(__always) get {
      let marked = SIMD16.all(0).replacing(with: .all(0xFF), where: self)
      // Mostly there is none, and such a loop becomes one operation.
      var union: UInt8 = 0
      for lane in 0..<16 { union |= marked[lane] }
      guard union != 0 else { return 0 }
      let bits = marked & SIMD16(1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128)
      // Halves are put together until one is left.
      var eight = SIMD8<UInt16>()
      for lane in 0..<8 { eight[lane] = UInt16(bits[lane]) | UInt16(bits[lane + 8]) << 8 }
      let four = eight.lowHalf | eight.highHalf
      let two = four.lowHalf | four.highHalf
      return two[0] | two[1]
    }
  }
}
