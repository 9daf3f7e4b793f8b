/// At most 16 bytes that are always the same, and are stored as one vector.
struct ShortText: ExpressibleByStringLiteral {
  let bytes: SIMD16<UInt8>
  let count: Int

  @inline(__always)
  init(stringLiteral text: StaticString) {
    count = text.utf8CodeUnitCount
    precondition(count <= 16)
    var bytes = SIMD16<UInt8>()
    for index in 0..<count { unsafe bytes[index] = text.utf8Start[index] }
    self.bytes = bytes
  }
}
