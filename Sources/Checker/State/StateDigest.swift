import Markup

/// A rolling hash of bytes: that of a text that grew follows from the text before and what was added, however
/// it was cut. Polynomial modulo 2^61 − 1, which no source can be written against as one modulo 2^64 can.
struct TextHash: Equatable {
  private(set) var value: UInt64 = 0

  private static let modulus: UInt64 = (1 << 61) - 1
  private static let base: UInt64 = 0x0A1B_7C2E_93D5_48F3
  private static let base2 = reduced(UInt128(base) * UInt128(base))
  private static let base3 = reduced(UInt128(base2) * UInt128(base))
  private static let base4 = reduced(UInt128(base2) * UInt128(base2))

  init() {}

  init(_ bytes: borrowing Span<UInt8>) { append(bytes) }

  /// Adds bytes at the end.
  mutating func append(_ bytes: borrowing Span<UInt8>) {
    var place = 0
    let count = bytes.count
    if count >= 8 {
      let (base, base2, base3, base4) = (Self.base, Self.base2, Self.base3, Self.base4)
      while place + 4 <= count {
        var sum = UInt128(value) &* UInt128(base4)
        sum &+= UInt128(UInt64(bytes[place]) + 1) &* UInt128(base3)
        sum &+= UInt128(UInt64(bytes[place + 1]) + 1) &* UInt128(base2)
        sum &+= UInt128(UInt64(bytes[place + 2]) + 1) &* UInt128(base)
        sum &+= UInt128(UInt64(bytes[place + 3]) + 1)
        value = Self.reduced(sum)
        place += 4
      }
    }
    while place < count {
      value = Self.reduced(UInt128(value) &* UInt128(Self.base) &+ UInt128(UInt64(bytes[place]) + 1))
      place += 1
    }
  }

  @inline(__always)
  private static func reduced(_ number: UInt128) -> UInt64 {
    // Below 2^124, so the upper part fits in 63 bits.
    let sum = UInt64(truncatingIfNeeded: number) & modulus &+ UInt64(truncatingIfNeeded: number >> 61)
    let folded = (sum & modulus) &+ (sum >> 61)
    return folded >= modulus ? folded &- modulus : folded
  }
}

/// Mixes numbers into one, so that sums of such numbers tell states apart.
struct Mixer {
  private(set) var value: UInt64

  init(_ seed: UInt64) { value = seed }

  @inline(__always)
  mutating func mix(_ number: UInt64) {
    let product = (value ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: number ^ 0xD6E8_FEB8_6659_FD93)
    value = product.high ^ product.low ^ (number &* 0xA24B_AED4_963E_E407)
  }
}

/// What a block adds to the digest of a state. The digest is the sum over all blocks, so that it is kept up to
/// date by what changes: that is what makes all splits and all earlier offsets of a document cheap to compare.
enum BlockDigest {
  /// Of what never changes: place, ID, parent and begin.
  static func identity(row: Int, id: TextHash, parent: TextHash?, begin: Int) -> UInt64 {
    var mixer = Mixer(UInt64(truncatingIfNeeded: row))
    mixer.mix(id.value)
    mixer.mix(parent.map { $0.value } ?? .max)
    mixer.mix(UInt64(truncatingIfNeeded: begin))
    return mixer.value
  }

  /// Of a block as it is in one state.
  static func block(_ identity: UInt64, _ version: BlockVersion) -> UInt64 {
    var mixer = Mixer(identity)
    mixer.mix(UInt64(version.type.rawValue) | UInt64(UInt32(bitPattern: version.end)) << 8)
    mixer.mix(version.fieldsHash.value)
    mixer.mix(
      UInt64(UInt32(bitPattern: version.revision)) << 32 | UInt64(UInt32(bitPattern: version.textLength)))
    mixer.mix(version.textHash.value)
    return mixer.value
  }

  /// Of a whole snapshot.
  static func state(_ message: borrowing WireMessage) -> UInt64 {
    var digest: UInt64 = 0
    let bytes = message.bytes.span
    for row in message.ops.indices {
      let op = message.ops[row]
      let version = BlockVersion(opened: op, in: bytes, fields: 0, at: 0)
      digest &+= block(
        identity(
          row: row, id: TextHash(bytes.extracting(op.id)),
          parent: op.parent.map { TextHash(bytes.extracting($0)) }, begin: op.begin),
        version)
    }
    return digest
  }
}
