public import CVectors

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
    @inline(__always) get { mooring_sign_bits(SIMD16(repeating: 0).replacing(with: -1, where: self)) }
  }
}
