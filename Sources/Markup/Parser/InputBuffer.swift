/// The bytes that have arrived and are not done with.
///
/// A value of its own, of a few words, since its queries are asked at every turn: one that belonged to the parser would
/// have the compiler copy the whole parser for each call that is not inlined.
struct InputBuffer {
  private var bytes: [UInt8] = []
  /// The offset of the first byte that is still there.
  private(set) var begin = 0
  /// The offset after the last byte that has arrived.
  private(set) var total = 0
  /// `total`, less an incomplete UTF-8 sequence at the end: no decision sees part of a character.
  private(set) var available = 0

  init() {}

  /// One that has been done with everything before `offset`.
  init(from offset: Int) {
    begin = offset
    total = offset
    available = offset
  }

  /// The byte at an offset that has arrived.
  @inline(__always)
  subscript(offset: Int) -> UInt8 { bytes[offset - begin] }

  /// The bytes at offsets that have arrived.
  subscript(range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[range.lowerBound - begin..<range.upperBound - begin]
  }

  /// Appends the bytes at offsets that have arrived to `output`.
  func copy(_ range: Range<Int>, to output: inout [UInt8]) {
    output.append(copying: bytes.span.extracting(range.lowerBound - begin..<range.upperBound - begin))
  }

  // MARK: - Coming and going

  /// Takes `source[range]`, the next bytes.
  mutating func append(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    bytes.append(copying: source.extracting(range))
    total += range.count
    available = total - incompleteCharacterLength()
  }

  /// There are no more bytes: an incomplete sequence at the end is all there is.
  mutating func end() { available = total }

  /// Forgets the bytes before `offset` where there are enough of them, and the room that many took.
  ///
  /// - Returns: the number of bytes that were moved.
  mutating func drop(before offset: Int, roomKept: Int) -> Int {
    let dropped = offset - begin
    var moved = 0
    if dropped == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= roomKept)
    } else if dropped > 0 && dropped >= bytes.count / 2 {
      moved = bytes.count - dropped
      bytes.removeSubrange(0..<dropped)
    } else {
      return 0
    }
    begin = offset
    return moved
  }

  /// Forgets all bytes.
  mutating func clear() {
    bytes = []
    begin = total
  }

  /// The bytes that it takes.
  var footprint: Int { bytes.capacity }

  // MARK: - UTF-8

  /// The length of the character, or of the maximal ill-formed subpart (Unicode 15, §3.9, U+FFFD
  /// substitution), that begins with the non-ASCII byte at `offset`; whether it is well-formed; and the offset
  /// at which that is known.
  func characterEnd(at offset: Int) -> (length: Int, isValid: Bool, decidedAt: Int) {
    guard let lead = UTF8Text.lead(self[offset]) else { return (1, false, offset + 1) }
    let length = lead.length
    var (low, high) = (lead.low, lead.high)
    for index in 1..<length {
      guard offset + index < total else { return (index, false, total + 1) }
      let next = self[offset + index]
      guard next >= low && next <= high else { return (index, false, offset + index + 1) }
      (low, high) = (0x80, 0xBF)
    }
    return (length, true, offset + length)
  }

  /// The offset after the character, or ill-formed subpart, at `offset`.
  @inline(__always)
  func nextCharacter(after offset: Int) -> Int {
    self[offset] < 0x80 ? offset + 1 : offset + characterEnd(at: offset).length
  }

  /// The number of bytes at the end of the input that may be the beginning of one character.
  private func incompleteCharacterLength() -> Int {
    var index = bytes.count - 1
    let stop = max(0, bytes.count - 3)
    while index >= stop {
      let byte = bytes[index]
      if byte < 0x80 { return 0 }
      if byte >= 0xC0 {
        let character = characterEnd(at: begin + index)
        return character.decidedAt > total ? total - begin - index : 0
      }
      index -= 1
    }
    return 0
  }

  // MARK: - Scans

  /// The end of the well-formed text from `offset` on that holds no byte of `stops`, at most `available`.
  @inline(__always)
  func plainEnd(from offset: Int, _ stops: StopSet) -> Int {
    let span = bytes.span
    let end = available - begin
    var index = offset - begin
    while index < end {
      if !stops.isWide {
        var plain = 8
        while plain == 8 && end &- index >= 8 {
          plain = stops.plainPrefix(span.word(at: index))
          index &+= plain
        }
        if plain == 8 && index < end && end >= 8 {
          // The last word, but what is known of it: the zeros that come behind it are no plain bytes.
          index &+= stops.plainPrefix(span.word(at: end &- 8) &>> UInt64(8 &* (8 &- (end &- index))))
        }
        if index == end { break }
      }
      if span[index] < 0x80 {
        if stops.contains(span[index]) { break }
        index += 1
      }
      while index < end && span[index] >= 0x80 {
        let wellFormed = span.shortCharacterLength(at: index, before: end)
        if wellFormed > 0 {
          index &+= wellFormed
          continue
        }
        let character = characterEnd(at: begin + index)
        guard character.isValid else { return begin + index }
        index += character.length
      }
    }
    return begin + index
  }

  /// The offset after the last byte in `first ..< last` that is no space or tab; `first` if there is none.
  func trimmedEnd(_ first: Int, _ last: Int) -> Int {
    var end = last
    while end > first && ASCII.isSpaceOrTab(Int(self[end - 1])) { end -= 1 }
    return end
  }
}

extension Span<UInt8> {
  /// The length of the character at `index`, if it is surely a well-formed one of two or three bytes, as nearly all are
  /// that are not ASCII; else 0.
  @inline(__always)
  fileprivate func shortCharacterLength(at index: Int, before end: Int) -> Int {
    let lead = self[index]
    guard end &- index >= 3 else { return 0 }
    let second = self[index &+ 1] ^ 0x80
    if lead < 0xE0 { return lead >= 0xC2 && second < 0x40 ? 2 : 0 }
    // E0 and ED allow fewer second bytes.
    guard lead < 0xF0 && lead != 0xE0 && lead != 0xED else { return 0 }
    return second | (self[index &+ 2] ^ 0x80) < 0x40 ? 3 : 0
  }
}
