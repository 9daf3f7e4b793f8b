import ByteStorage

/// The bytes that have arrived and are not done with.
///
/// A value of its own, of a few words, since its queries are asked at every turn: one that belonged to the parser would
/// have the compiler copy the whole parser for each call that is not inlined.
struct InputBuffer {
  /// Those that are still there, and behind them room, which was others' before: to empty an array, and fill it anew,
  /// costs more than the few bytes that most appends have. A vector can be read at each of them.
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

  /// The number of bytes that are there.
  private var count: Int { total - begin }

  /// The byte at an offset that has arrived.
  @inline(__always)
  subscript(offset: Int) -> UInt8 {
    assert(offset < total)
    return bytes[offset &- begin]
  }

  /// The bytes at offsets that have arrived.
  subscript(range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[range.lowerBound - begin..<range.upperBound - begin]
  }

  /// Appends the bytes at offsets that have arrived to `output`, after a line feed if that is wanted.
  @inline(__always)
  func copy(_ range: Range<Int>, to output: inout GrowingBytes, afterLineEnd: Bool = false) {
    output.append(
      bytes.span.extracting(range.lowerBound &- begin..<range.upperBound &- begin),
      after: afterLineEnd ? 0x0A : nil)
  }

  // MARK: - Coming and going

  /// Takes `source[range]`, the next bytes.
  mutating func append(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    let used = count
    let missing = used + range.count + Span<UInt8>.vectorWidth - bytes.count
    if missing > 0 {
      bytes.append(addingCapacity: missing) { room in room.append(repeating: 0, count: missing) }
    }
    let added = source.extracting(range)
    var all = bytes.mutableSpan
    var room = all._mutatingExtracting(used...)
    for index in 0..<added.count { room[index] = added[index] }
    total += added.count
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
    if dropped == count {
      // A slice, and a line that began in the one before.
      if bytes.count > 2 * roomKept { bytes = [] }
    } else if dropped > 0 && dropped >= count / 2 {
      moved = count - dropped
      // These and no more: the room behind them may be much longer.
      var all = bytes.mutableSpan
      for index in 0..<moved { all[index] = all[dropped + index] }
    } else {
      return 0
    }
    begin = offset
    return moved
  }

  /// Gives back the room where there is nothing in it.
  mutating func trim() {
    if count == 0 { bytes = [] }
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
    var index = count - 1
    let stop = max(0, count - 3)
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
    var rest = bytes.span.extracting(droppingFirst: offset &- begin)
    /// What is behind the bytes that are looked at.
    let after = bytes.count &- (max(offset, available) &- begin)
    while rest.count > after {
      let marks = stops.marks(of: rest.vector)
      if marks == 0 {
        rest = rest.extracting(droppingFirst: Span<UInt8>.vectorWidth)
        continue
      }
      rest = rest.extracting(droppingFirst: marks.trailingZeroBitCount)
      if rest.count <= after { break }
      let length =
        rest[0] < 0x80 ? stops.contains(rest[0]) ? 0 : 1 : wellFormedLength(rest, rest.count &- after)
      if length == 0 { break }
      rest = rest.extracting(droppingFirst: length)
    }
    return min(begin &+ bytes.count &- rest.count, max(offset, available))
  }

  /// The length of some well-formed characters that `text`, of which `count` bytes are there, begins with: as many as
  /// are seen at once, at least one; 0 if it begins with none.
  @inline(__always)
  private func wellFormedLength(_ text: borrowing Span<UInt8>, _ count: Int) -> Int {
    let lead = text[0]
    if lead < 0xE0 {
      if count > 1 && lead >= 0xC2 && text[1] & 0xC0 == 0x80 { return 2 }
    } else if lead < 0xF0 {
      let length = text.shortCharactersLength(count)
      if length > 0 { return length }
    }
    let character = characterEnd(at: begin &+ bytes.count &- text.count)
    return character.isValid ? character.length : 0
  }

  /// The end of the bytes from `offset` on for which `isIn` holds, at most `available`.
  @inline(__always)
  func runEnd(from offset: Int, _ isIn: (UInt8) -> Bool) -> Int {
    let bytes = bytes.span.extracting(offset &- begin..<max(offset, available) &- begin)
    var index = 0
    while index < bytes.count && isIn(bytes[index]) { index &+= 1 }
    return offset &+ index
  }

  /// As `runEnd`, with a bit for each of 16 bytes that does not belong to the run, the first one's the lowest.
  @inline(__always)
  func runEnd(from offset: Int, others: (SIMD16<UInt8>) -> UInt16) -> Int {
    var rest = bytes.span.extracting(droppingFirst: offset &- begin)
    let after = bytes.count &- (max(offset, available) &- begin)
    while rest.count > after {
      let marks = others(rest.vector)
      if marks != 0 {
        rest = rest.extracting(droppingFirst: marks.trailingZeroBitCount)
        break
      }
      rest = rest.extracting(droppingFirst: Span<UInt8>.vectorWidth)
    }
    return min(begin &+ bytes.count &- rest.count, max(offset, available))
  }

  /// Whether the bytes at `range`, which have arrived, are these.
  func holds(_ other: borrowing Span<UInt8>, at range: Range<Int>) -> Bool {
    let own = bytes.span.extracting(range.lowerBound &- begin..<range.upperBound &- begin)
    guard own.count == other.count else { return false }
    for index in own.indices where own[index] != other[index] { return false }
    return true
  }

  /// The offset after the last byte in `first ..< last` that is no space or tab; `first` if there is none.
  func trimmedEnd(_ first: Int, _ last: Int) -> Int {
    var end = last
    while end > first && ASCII.isSpaceOrTab(Int(self[end - 1])) { end -= 1 }
    return end
  }
}

extension Span<UInt8> {
  /// The length of the characters of three bytes each that the first `count` bytes surely begin with (Unicode 15, table
  /// 3-7): most that are not ASCII are such, and stand beside each other.
  @inline(never)
  fileprivate func shortCharactersLength(_ count: Int) -> Int {
    var length = 0
    while length < count && self.count &- length >= Self.vectorWidth {
      let bytes = extracting(droppingFirst: length).vector
      // After E0 comes a second byte of the upper half, after ED one of the lower.
      let isSecondHigh = ((bytes & .all(0xE0)) .== .all(0xA0)).bits >> 1
      let misfits =
        (bytes .== .all(0xE0)).bits & ~isSecondHigh | (bytes .== .all(0xED)).bits & isSecondHigh
      let leads = ((bytes & .all(0xF0)) .== .all(0xE0)).bits & ~misfits
      let continuations = ((bytes & .all(0xC0)) .== .all(0x80)).bits
      let fitting = leads & 0b001_001_001_001_001 | continuations & 0b110_110_110_110_110
      let found = (~fitting).trailingZeroBitCount / 3 * 3
      length &+= found
      if found < 15 { break }
    }
    return length <= count ? length : count / 3 * 3
  }
}
