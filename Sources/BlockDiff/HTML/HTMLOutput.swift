import ByteStorage
import Markup

/// HTML as it is written: text, attributes and URLs, each escaped as it has to be.
struct HTMLOutput: Sendable {
  let options: HTMLOptions
  private var buffer = GrowingBytes()

  init(_ options: HTMLOptions) { self.options = options }

  /// The number of bytes written.
  var count: Int { buffer.count }

  /// What has been written, in memory that is shared until more is.
  var bytes: GrowingBytes { buffer }

  /// Whether what has been written is a number of whole lines.
  var endsLine: Bool { count == 0 || buffer[count - 1] == 0x0A }

  /// Gives away what has been written and begins anew; the buffer stays.
  mutating func drained() -> [UInt8] {
    defer { buffer.truncate(to: 0) }
    return buffer[0...]
  }

  /// Begins anew; the buffer stays, unless it holds more than so many bytes.
  mutating func removeAll(keepingUpTo limit: Int) {
    if buffer.capacity <= limit { buffer.truncate(to: 0) } else { buffer = GrowingBytes() }
  }

  // MARK: - Room

  /// Has memory for so many more bytes, so that they need not be moved.
  mutating func reserveCapacity(_ bytes: Int) { buffer.reserve(bytes) }

  /// Makes room for so many bytes.
  @inline(__always)
  private mutating func reserve(_ room: Int) { buffer.makeRoom(room) }

  /// Writes at most so many bytes: `body` puts them into the memory at the place that it is given, and moves that behind
  /// them.
  @inline(__always)
  private mutating func write(atMost most: Int, _ body: (inout MutableSpan<UInt8>, inout Int) -> Void) {
    reserve(most)
    var place = count
    var room = buffer.room
    body(&room, &place)
    buffer.setCount(place)
  }

  // MARK: - What is always the same

  /// Writes what is always the same.
  @inline(__always)
  mutating func write(_ text: StaticString) {
    write(atMost: text.utf8CodeUnitCount) { room, place in room.put(text: text, at: &place) }
  }

  /// Writes what is always the same and short.
  mutating func write(short text: ShortText) {
    write(atMost: MutableSpan<UInt8>.markRoom) { room, place in room.put(text, at: &place) }
  }

  /// Writes what is always the same, at the beginning of a line.
  @inline(__always)
  mutating func writeLine(_ text: StaticString) {
    write(atMost: text.utf8CodeUnitCount &+ 1) { room, place in
      if place > 0 && room[place &- 1] != 0x0A { room.put(0x0A as UInt8, at: &place) }
      room.put(text: text, at: &place)
    }
  }

  /// Begins a line, if something stands on the current one.
  mutating func startLine() { writeLine("") }

  /// Writes one byte as it is.
  @inline(__always)
  mutating func write(byte: UInt8) {
    buffer.append(byte)
  }

  /// Writes a number that is not negative.
  mutating func write(decimal number: Int) {
    write(atMost: MutableSpan<UInt8>.jsonRoom) { room, place in room.put(number, at: &place) }
  }

  /// Makes the letter at `place` a capital.
  mutating func capitalize(at place: Int) {
    reserve(0)
    var room = buffer.room
    room[place] -= 0x20
  }

  /// Takes the last bytes back, if they are these.
  mutating func takeBack(_ end: [UInt8]) -> Bool {
    guard count >= end.count, buffer[(count - end.count)...] == end else { return false }
    buffer.truncate(to: count - end.count)
    return true
  }

  // MARK: - Text

  /// Writes bytes as text: `&`, `<`, `>` and `"` become references.
  mutating func writeEscaped(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    copy(source, range, EscapedMarks.self)
  }

  /// Writes a URL in an attribute: what HTML or URLs cannot hold is escaped, what is escaped stays.
  mutating func writeEscapedInURL(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    copy(source, range, URLMarks.self)
  }

  /// Writes bytes as text.
  mutating func writeEscaped(_ source: borrowing Span<UInt8>) { writeEscaped(source, 0..<source.count) }

  /// Writes the content of a code span, in which line ends are spaces.
  mutating func writeCodeSpan(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    copy(source, range, CodeSpanMarks.self)
  }

  /// Writes a leaf's text if it is plain, but for line ends, between its tags; else only the opening one.
  ///
  /// Whole vectors are looked at and stored, whatever of them counts: what is behind is written over.
  ///
  /// - Parameters:
  ///   - source: the text, best with what follows it, so that there is a vector at its end.
  ///   - end: the text's end.
  ///   - beginsLine: whether the opening tag does.
  /// - Returns: the place up to which nothing begins, which is the end where all has been written.
  mutating func writePlain(
    _ source: borrowing Span<UInt8>, to end: Int, as plainText: PlainText, from opening: ShortText,
    to closing: ShortText, beginsLine: Bool
  ) -> Int {
    var start = -1
    /// What is left at the end, and before the last vector.
    let after = source.count &- end
    let wholeVector = max(0, after) &+ Span<UInt8>.vectorWidth
    var rest = source.extracting(0...)
    var firstLineEnd = end
    var stop = end
    while true {
      reserve(rest.count &- after &+ 3 &* MutableSpan<UInt8>.markRoom)
      var place = count
      var room = buffer.room
      if start < 0 {
        if beginsLine && place > 0 && room[place &- 1] != 0x0A { room.put(0x0A as UInt8, at: &place) }
        room.put(opening, at: &place)
        start = place
        // Something may begin in any vector: it is left to the parser.
        if plainText.hasUnmarkedStops && end > 0 {
          buffer.setCount(place)
          return 0
        }
      }
      vectors: while rest.count > after {
        var (bytes, marks) = TextMarks.first(of: rest)
        room.store(bytes, at: place)
        if marks == 0 && rest.count > wholeVector {
          rest = rest.extracting(droppingFirst: Span<UInt8>.vectorWidth)
          place &+= Span<UInt8>.vectorWidth
          continue
        }
        let left = min(Span<UInt8>.vectorWidth, rest.count &- after)
        var taken = 0
        while marks != 0 {
          let distance = marks.trailingZeroBitCount
          if distance >= left { break }
          let index = source.count &- rest.count &+ distance
          let byte = source[index]
          if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ">") {
            place &+= distance &- taken
            taken = distance &+ 1
            room.put(.reference, byte, at: &place)
            // That takes more room than the mark.
            if room.count &- place < rest.count &- after &+ 2 &* MutableSpan<UInt8>.markRoom {
              rest = rest.extracting(droppingFirst: taken)
              break vectors
            }
            room.store(rest.extracting(droppingFirst: taken).paddedVector, at: place)
          } else if let begin = plainText.beginning(markedAt: index, ofFinal: source, before: end) {
            stop = begin
            break vectors
          } else if byte == 0x0A {
            firstLineEnd = min(firstLineEnd, index)
          }
          marks &= marks &- 1
        }
        place &+= left &- taken
        rest = rest.extracting(droppingFirst: left)
      }
      if rest.count <= after { room.put(closing, at: &place) }
      buffer.setCount(place)
      if rest.count <= after { return end }
      if stop < end {
        buffer.setCount(start)
        return min(stop, firstLineEnd)
      }
    }
  }

  /// Writes bytes, the marks among them as they are meant.
  ///
  /// Whole vectors are looked at and stored, whatever of them counts: what is behind is written over.
  ///
  /// - Parameter source: the bytes, best with what follows `range`, so that there is a vector at its end.
  @inline(__always)
  private mutating func copy<Marks: TextualMarks>(
    _ source: borrowing Span<UInt8>, _ range: Range<Int>, _ marks: Marks.Type
  ) {
    var rest = source.extracting(range.lowerBound...)
    /// What is left at the end, and before the last vector.
    let after = source.count &- range.upperBound
    let wholeVector = max(0, after) &+ Span<UInt8>.vectorWidth
    while rest.count > after {
      reserve(rest.count &- after &+ MutableSpan<UInt8>.markRoom)
      var place = count
      var room = buffer.room
      vectors: while rest.count > after {
        let isWhole = rest.count > wholeVector
        let bytes = isWhole ? rest.vector : rest.paddedVector
        room.store(bytes, at: place)
        var marks = Marks.marks(of: bytes).bits
        if isWhole && marks == 0 {
          rest = rest.extracting(droppingFirst: Span<UInt8>.vectorWidth)
          place &+= Span<UInt8>.vectorWidth
          continue
        }
        let left = min(Span<UInt8>.vectorWidth, rest.count &- after)
        var taken = 0
        while marks != 0 {
          let distance = marks.trailingZeroBitCount
          if distance >= left { break }
          place &+= distance &- taken
          taken = distance &+ 1
          room.put(Marks.meaning(of: rest[distance]), rest[distance], at: &place)
          // That takes more room than the mark.
          if room.count &- place < rest.count &- after &+ MutableSpan<UInt8>.markRoom {
            rest = rest.extracting(droppingFirst: taken)
            break vectors
          }
          room.store(rest.extracting(droppingFirst: taken).paddedVector, at: place)
          marks &= marks &- 1
        }
        place &+= left &- taken
        rest = rest.extracting(droppingFirst: left)
      }
      buffer.setCount(place)
    }
  }

  /// Writes bytes as they are.
  mutating func write(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    reserve(range.count &+ MutableSpan<UInt8>.markRoom)
    var rest = source.extracting(range.lowerBound...)
    let after = source.count &- range.upperBound
    var place = count
    var room = buffer.room
    // All but the last vector have another one behind them.
    let wholeVector = max(0, after) &+ Span<UInt8>.vectorWidth
    while rest.count > wholeVector {
      room.store(rest.vector, at: place)
      rest = rest.extracting(droppingFirst: Span<UInt8>.vectorWidth)
      place &+= Span<UInt8>.vectorWidth
    }
    room.store(rest.paddedVector, at: place)
    buffer.setCount(count &+ range.count)
  }
}
