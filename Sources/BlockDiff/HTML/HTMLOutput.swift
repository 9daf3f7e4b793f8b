import Markup

/// HTML as it is written: text, attributes and URLs, each escaped as it has to be.
struct HTMLOutput: Sendable {
  let options: HTMLOptions
  /// The first `count` bytes are what has been written, the others are room.
  private var buffer: [UInt8] = []
  /// The number of bytes written.
  private(set) var count = 0

  init(_ options: HTMLOptions) { self.options = options }

  /// What has been written.
  ///
  /// - Complexity: O(1) after `trim()`, else O(`count`).
  var bytes: [UInt8] { buffer.count == count ? buffer : Array(buffer[..<count]) }

  /// Gives back the room that is left.
  mutating func trim() { buffer.removeLast(buffer.count - count) }

  /// Whether what has been written is a number of whole lines.
  var endsLine: Bool { count == 0 || buffer[count - 1] == 0x0A }

  /// Gives away what has been written and begins anew; the buffer stays.
  mutating func drained() -> [UInt8] {
    defer { count = 0 }
    return Array(buffer[..<count])
  }

  /// Begins anew; the buffer stays, unless it holds more than so many bytes.
  mutating func removeAll(keepingUpTo limit: Int) {
    count = 0
    buffer.removeAll(keepingCapacity: buffer.capacity <= limit)
  }

  // MARK: - Room

  /// How much more room is made than is asked for. Little, as it is filled with zeros, and that is best done just before
  /// it is written to.
  private static let spareRoom = 1024

  /// Has memory for so many bytes, so that they need not be moved.
  mutating func reserveCapacity(_ bytes: Int) { buffer.reserveCapacity(bytes) }

  /// Makes room for so many bytes.
  @inline(__always)
  private mutating func reserve(_ room: Int) {
    if buffer.count &- count < room { grow(room) }
  }

  @inline(never)
  private mutating func grow(_ room: Int) {
    let added = count + room - buffer.count + Self.spareRoom
    buffer.append(addingCapacity: added) { output in output.append(repeating: 0, count: added) }
  }

  // MARK: - What is always the same

  /// Writes what is always the same.
  @inline(__always)
  mutating func write(_ text: StaticString) {
    reserve(text.utf8CodeUnitCount)
    var place = count
    var room = buffer.mutableSpan
    room.put(text: text, at: &place)
    count = place
  }

  /// Writes what is always the same, at the beginning of a line.
  @inline(__always)
  mutating func writeLine(_ text: StaticString) {
    reserve(text.utf8CodeUnitCount &+ 1)
    var place = count
    var room = buffer.mutableSpan
    if place > 0 && room[place &- 1] != 0x0A { room.put(0x0A as UInt8, at: &place) }
    room.put(text: text, at: &place)
    count = place
  }

  /// Begins a line, if something stands on the current one.
  mutating func startLine() { writeLine("") }

  /// Writes one byte as it is.
  @inline(__always)
  mutating func write(byte: UInt8) {
    reserve(1)
    buffer[count] = byte
    count &+= 1
  }

  /// Writes a number that is not negative.
  mutating func write(decimal number: Int) {
    reserve(MutableSpan<UInt8>.jsonRoom)
    var place = count
    var room = buffer.mutableSpan
    room.put(number, at: &place)
    count = place
  }

  /// Makes the letter at `place` a capital.
  mutating func capitalize(at place: Int) { buffer[place] -= 0x20 }

  /// Takes the last bytes back, if they are these.
  mutating func takeBack(_ end: [UInt8]) -> Bool {
    guard buffer[..<count].suffix(end.count).elementsEqual(end) else { return false }
    count -= end.count
    return true
  }

  // MARK: - Text

  /// Writes bytes as text: `&`, `<`, `>` and `"` become references.
  mutating func writeEscaped(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    var marks = EscapedMarks()
    _ = copy(source, range, &marks)
  }

  /// Writes a URL in an attribute: what HTML or URLs cannot hold is escaped, what is escaped stays.
  mutating func writeEscapedInURL(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    var marks = URLMarks()
    _ = copy(source, range, &marks)
  }

  /// Writes bytes as text.
  mutating func writeEscaped(_ source: borrowing Span<UInt8>) { writeEscaped(source, 0..<source.count) }

  /// Writes the content of a code span, in which line ends are spaces.
  mutating func writeCodeSpan(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    var marks = CodeSpanMarks()
    _ = copy(source, range, &marks)
  }

  /// Writes a leaf's text if it is plain, but for line ends; else nothing.
  ///
  /// - Returns: the place in `source` up to which nothing begins, which is the end where the text has been written.
  mutating func writePlain(
    _ source: borrowing Span<UInt8>, _ range: Range<Int>, as plainText: PlainText
  ) -> Int {
    let start = count
    var marks = PlainMarks(plainText, range.upperBound)
    let end = copy(source, range, &marks)
    if end == range.upperBound { return end }
    count = start
    return min(end, marks.firstLineEnd)
  }

  /// Writes bytes up to the first mark that stops it, the other marks as they are meant.
  ///
  /// Whole vectors are looked at and stored, whatever of them counts: what is behind is written over.
  ///
  /// - Parameter source: the bytes, best with what follows `range`, so that there is a vector at its end.
  /// - Returns: the place of that mark, or the end of `range`.
  @inline(__always)
  private mutating func copy<Marks: TextualMarks>(
    _ source: borrowing Span<UInt8>, _ range: Range<Int>, _ marks: inout Marks
  ) -> Int {
    var rest = source.extracting(range.lowerBound...)
    // What is left at the end of `range`, and at its last vector.
    let end = source.count &- range.upperBound
    let lastVector = max(end &+ 1, Span<UInt8>.markReach)
    while true {
      reserve(max(0, rest.count &- end) &+ MutableSpan<UInt8>.markRoom)
      var place = count
      var room = buffer.mutableSpan
      let lastPlace = room.count &- MutableSpan<UInt8>.markRoom
      while rest.count >= lastVector && place <= lastPlace {
        let (mark, bytes) = rest.firstMark(Marks.self)
        room.store(bytes, at: place)
        guard mark < Span<UInt8>.markWidth else {
          rest = rest.extracting(droppingFirst: Span<UInt8>.markWidth)
          place &+= Span<UInt8>.markWidth
          continue
        }
        rest = rest.extracting(droppingFirst: mark)
        place &+= mark
        if rest.count <= end { break }
        let index = source.count &- rest.count
        guard room.put(marks.meaning(of: source, at: index), rest[0], at: &place) else {
          count = place
          return index
        }
        rest = rest.extracting(droppingFirst: 1)
      }
      while rest.count > end && rest.count < lastVector && place <= lastPlace {
        let index = source.count &- rest.count
        let meaning = rest.beginsWithMark(Marks.self) ? marks.meaning(of: source, at: index) : .itself
        guard room.put(meaning, rest[0], at: &place) else {
          count = place
          return index
        }
        rest = rest.extracting(droppingFirst: 1)
      }
      count = place
      if rest.count <= end {
        // What belongs to the vector and not to the range.
        count &-= end &- rest.count
        return range.upperBound
      }
    }
  }

  /// Writes bytes as they are.
  mutating func write(_ source: borrowing Span<UInt8>, _ range: Range<Int>) {
    var marks = NoMarks()
    _ = copy(source, range, &marks)
  }
}
