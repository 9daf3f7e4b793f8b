import Markup

/// A rolling hash of bytes: that of a text that grew follows from the text before and what was added, however
/// it was cut. Polynomial modulo 2^61 − 1, which no source can be written against as one modulo 2^64 can.
struct TextHash: Equatable {
  private(set) var value: UInt64 = 0

  private static var modulus: UInt64 { (1 << 61) - 1 }
  // The base and its powers, modulo the modulus; computed ones would be checked for at every use.
  private static var base: UInt64 { 0x0A1B_7C2E_93D5_48F3 }
  private static var base2: UInt64 { 0x1723_8806_180F_99AC }
  private static var base3: UInt64 { 0x178E_B5F5_E3DD_038F }
  private static var base4: UInt64 { 0x1408_1CD0_3085_E845 }
  private static var base5: UInt64 { 0x1D0F_1109_8F85_9A63 }
  private static var base6: UInt64 { 0x0CDE_5AD9_2773_ABA2 }
  private static var base7: UInt64 { 0x1904_6711_AD88_31C2 }
  private static var base8: UInt64 { 0x0675_2B57_C920_6745 }

  init() {}

  init(_ bytes: borrowing Span<UInt8>) { append(bytes) }

  /// Adds bytes at the end.
  mutating func append(_ bytes: borrowing Span<UInt8>) {
    var place = 0
    let count = bytes.count
    while place + 8 <= count {
      // Eight independent products, and one that waits for the value before.
      var sum = Self.term(bytes[place], Self.base7) &+ Self.term(bytes[place + 1], Self.base6)
      sum &+= Self.term(bytes[place + 2], Self.base5) &+ Self.term(bytes[place + 3], Self.base4)
      sum &+= Self.term(bytes[place + 4], Self.base3) &+ Self.term(bytes[place + 5], Self.base2)
      sum &+= Self.term(bytes[place + 6], Self.base) &+ UInt128(UInt64(bytes[place + 7]) + 1)
      value = Self.reduced(UInt128(value) &* UInt128(Self.base8) &+ sum)
      place += 8
    }
    while place < count {
      value = Self.reduced(UInt128(value) &* UInt128(Self.base) &+ UInt128(UInt64(bytes[place]) + 1))
      place += 1
    }
  }

  @inline(__always)
  private static func term(_ byte: UInt8, _ power: UInt64) -> UInt128 {
    UInt128(UInt64(byte) + 1) &* UInt128(power)
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
    for row in message.ops.indices { digest &+= block(row, of: message) }
    return digest
  }

  /// Of one block of a snapshot.
  static func block(_ row: Int, of message: borrowing WireMessage) -> UInt64 {
    let bytes = message.bytes.span
    let op = message.ops[row]
    let version = BlockVersion(opened: op, in: bytes, fields: 0, at: 0)
    let identity = identity(
      row: row, id: TextHash(bytes.extracting(op.id)),
      parent: op.parent.map { TextHash(bytes.extracting($0)) }, begin: op.begin)
    return block(identity, version)
  }
}
