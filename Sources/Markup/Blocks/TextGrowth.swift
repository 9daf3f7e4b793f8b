import ByteStorage

/// The map from source offsets to the length of the shared text, kept so that a reader at any earlier offset
/// can be told what was added since.
///
/// Text mostly grows byte by byte with the source, so the map is a list of runs: from source offset `at` on,
/// at most `length` bytes were added one by one to a text of `start` bytes. An ordinary line is one run of one
/// byte; every `stride`th run is indexed.
///
/// What a run cannot say is worked out when it is asked: white space at the end and an incomplete UTF-8
/// sequence are not shown.
struct TextGrowth: Sendable {
  /// Whether anything is recorded: what is not asked for need not be.
  let isKept: Bool
  /// The encoded runs. A run that follows the one before after a line end and one character of one to three bytes,
  /// in source and text, is one byte, if it is short: its length, and the gap. Else `explicit` and three numbers: the
  /// gap in source offsets since the end of the run before, the gap in text length (zigzag: text can be cut where a
  /// paragraph's line becomes a table's header), and the run's length.
  private var runs = GrowingBytes()
  /// The absolute start of every `stride`th run.
  private var index: [Entry] = []
  /// Where the last encoded run ended.
  private var encodedAt = 0
  private var encodedText = 0
  /// The runs after the encoded ones: they are encoded many at a time, and a reader mostly asks for what one append has
  /// added. On the heap, since the history is copied for calls that are not inlined.
  private var recent: [Run] = []
  /// The run that still grows.
  private var at = 0
  private var start = 0
  private var length = 0

  private struct Run: Sendable {
    var at: UInt32
    var text: UInt32
    var length: UInt32
  }

  private struct Entry: Sendable {
    var at: UInt32
    var text: UInt32
    var runByte: UInt32
  }

  /// How many runs are encoded at a time, and how many of the newest are not.
  private static let stride = 32
  private static let newest = 8
  private static let explicit: UInt8 = 0xFF
  /// A line end and the character after it, which show at once.
  private static let lineGaps = 2...4
  /// How many lengths a run of one byte can have: three gaps' worth of them stay below `explicit`.
  private static let shortLengths = 85

  init(isKept: Bool = true) { self.isKept = isKept }

  /// Records that `bytes` bytes of text, which end at text length `end`, each showed with one source byte, the
  /// last one at offset `offset`.
  @inline(__always)
  mutating func grow(by bytes: Int, to end: Int, at offset: Int) {
    guard isKept else { return }
    if offset - bytes == at + length && end - bytes == start + length {
      length += bytes
    } else {
      seal()
      at = offset - bytes
      start = end - bytes
      length = bytes
    }
  }

  /// Records that the text has had the length `end` since offset `offset`, however long it was before.
  @inline(__always)
  mutating func jump(to end: Int, at offset: Int) {
    guard isKept else { return }
    if at == offset && length == 0 {
      start = end
      return
    }
    seal()
    at = offset
    start = end
    length = 0
  }

  private mutating func seal() {
    if recent.count == Self.stride + Self.newest { encode() }
    recent.append(
      Run(
        at: UInt32(truncatingIfNeeded: at), text: UInt32(truncatingIfNeeded: start),
        length: UInt32(truncatingIfNeeded: length)))
  }

  /// Encodes the oldest of the recent runs.
  private mutating func encode() {
    index.append(
      Entry(at: UInt32(encodedAt), text: UInt32(encodedText), runByte: UInt32(runs.count)))
    let most = Self.stride * Self.maxRunBytes
    var (at, text) = (encodedAt, encodedText)
    runs.append(addingCapacity: most) { output in
      for place in 0..<Self.stride {
        let run = recent[place]
        Self.encode(run, after: (at, text), to: &output)
        at = Int(run.at) + Int(run.length)
        text = Int(run.text) + Int(run.length)
      }
    }
    (encodedAt, encodedText) = (at, text)
    for place in 0..<Self.newest { recent[place] = recent[place + Self.stride] }
    recent.removeLast(Self.stride)
  }

  /// Encodes a run that comes after one which ended at `end`.
  @inline(__always)
  private static func encode(_ run: Run, after end: (at: Int, text: Int), to output: inout OutputSpan<UInt8>)
  {
    let gap = Int(run.at) - end.at
    let textGap = Int(run.text) - end.text
    let length = Int(run.length)
    if gap == textGap && lineGaps.contains(gap) && length < shortLengths {
      output.append(UInt8(truncatingIfNeeded: (gap - lineGaps.lowerBound) * shortLengths + length))
      return
    }
    output.append(explicit)
    output.append(leb128: zigzag(gap))
    output.append(leb128: zigzag(textGap))
    output.append(leb128: length)
  }

  /// Gives back the room that is kept for more.
  mutating func trim() {
    runs.trim()
    index.trim()
    recent.trim()
  }

  /// The bytes that the history takes.
  var footprint: Int {
    runs.capacity + index.capacity * MemoryLayout<Entry>.stride
      + recent.capacity * MemoryLayout<Run>.stride
  }

  private static func zigzag(_ number: Int) -> Int { (number << 1) ^ (number >> (Int.bitWidth - 1)) }

  /// The most bytes that a run takes: numbers have at most 32 bits.
  private static let maxRunBytes = 16

  /// The number of bytes of shared text that had been read at `offset`, held white space included.
  func physicalLength(at offset: Int) -> Int {
    if offset >= at { return start + min(offset - at, length) }
    var place = recent.count
    while place > 0 {
      place -= 1
      let run = recent[place]
      if offset >= Int(run.at) { return Int(run.text) + min(offset - Int(run.at), Int(run.length)) }
    }
    return encodedLength(at: offset)
  }

  /// The offset at which the text first had `length` bytes, of those after which it always had as many; `nil` where that
  /// is too long ago to be known at once.
  func offset(reaching length: Int) -> Int? {
    func reached(_ text: Int, _ at: Int, _ runLength: Int) -> Int? {
      text >= length ? at : text + runLength >= length ? at + length - text : nil
    }
    var earliest = reached(start, at, self.length)
    var place = recent.count
    while place > 0 {
      guard earliest != nil else { return nil }
      place -= 1
      let run = recent[place]
      guard let offset = reached(Int(run.text), Int(run.at), Int(run.length)) else { return earliest }
      earliest = offset
    }
    return nil
  }

  private func encodedLength(at offset: Int) -> Int {
    let later = index.indices.partitionPoint { Int(index[$0].at) <= offset }
    // The entry holds where the run before ended, so it is the last one at or before the offset that leads
    // to the run wanted; a run may begin later than its entry, but then the run before it answers.
    guard later > 0 else { return 0 }
    let entry = index[later - 1]
    var place = Place(at: Int(entry.at), text: Int(entry.text), runByte: Int(entry.runByte))
    var result = place.text
    while let length = nextLength(&place), place.at <= offset {
      result = place.text + min(offset - place.at, length)
      place.skip(length)
    }
    return result
  }

  /// Where a run begins, or the one before it has ended: in the source, in the text, and among the encoded runs.
  private struct Place {
    var at = 0
    var text = 0
    var runByte = 0

    mutating func skip(_ length: Int) {
      at += length
      text += length
    }
  }

  /// Goes from the end of a run to the next one's start, and gives its length; `nil` behind the last encoded one.
  private func nextLength(_ place: inout Place) -> Int? {
    guard place.runByte < runs.count else { return nil }
    let first = runs[place.runByte]
    place.runByte += 1
    if first == Self.explicit {
      let gap = runs.span.leb128(at: &place.runByte)
      let textGap = runs.span.leb128(at: &place.runByte)
      place.at += (gap >> 1) ^ -(gap & 1)
      place.text += (textGap >> 1) ^ -(textGap & 1)
      return runs.span.leb128(at: &place.runByte)
    }
    place.skip(Self.lineGaps.lowerBound + Int(first) / Self.shortLengths)
    return Int(first) % Self.shortLengths
  }

  /// The map as it was at `offset`.
  ///
  /// - Complexity: O(runs up to there).
  func prefix(at offset: Int) -> TextGrowth {
    var result = TextGrowth(isKept: isKept)
    var isFirst = true
    func add(_ place: Place, _ length: Int) {
      if !isFirst { result.seal() }
      isFirst = false
      result.at = place.at
      result.start = place.text
      result.length = min(length, offset - place.at)
    }
    var place = Place()
    while let length = nextLength(&place), place.at <= offset {
      add(place, length)
      place.skip(length)
    }
    for run in recent where Int(run.at) <= offset {
      add(Place(at: Int(run.at), text: Int(run.text)), Int(run.length))
    }
    if at <= offset { add(Place(at: at, text: start), length) }
    return result
  }

  /// The length of `block`'s text as it was shown at `offset`, at which the block was open.
  func textLength(of block: Block, at offset: Int, in text: GrowingBytes) -> Int {
    let first = Int(block.textStart)
    var end = min(physicalLength(at: offset), first + Int(block.textLength))
    guard end > first else { return 0 }
    // An incomplete sequence was not shown: leave a character that goes on behind the cut.
    if end < text.count {
      while end > first && text[end] & 0xC0 == 0x80 { end -= 1 }
    }
    switch block.type {
    case .paragraph, .heading, .definition, .table, .tableCell:
      while end > first && (text[end - 1] == 0x20 || text[end - 1] == 0x09) { end -= 1 }
    case .code, .html, .math, .yaml, .component, .thematicBreak, .blockquote, .list, .listItem, .tableRow,
      .footnoteDefinition:
      break
    }
    return end - first
  }
}
