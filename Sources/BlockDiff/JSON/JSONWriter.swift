import Markup

/// Writes JSON (RFC 8259) straight into bytes.
///
/// It keeps no structure: whoever writes an object writes its braces and commas. Text comes as UTF-8, is
/// well-formed because the parser made it so, and is copied up to the bytes that need an escape. A writer that is used
/// again allocates nothing once its buffer is large enough.
package struct JSONWriter: Sendable {
  /// The first `count` bytes are what has been written, the others are room.
  private var buffer: [UInt8]
  /// The number of bytes written.
  package private(set) var count = 0

  /// - Parameter capacity: the number of bytes to make room for.
  package init(capacity: Int = 256) { buffer = Array(repeating: 0, count: capacity) }

  /// What has been written.
  ///
  /// - Complexity: O(`count`); `finish()` copies nothing.
  package var bytes: [UInt8] { Array(buffer[..<count]) }

  /// Ends the writing, and gives what has been written.
  package consuming func finish() -> [UInt8] {
    buffer.removeLast(buffer.count - count)
    return buffer
  }

  /// Begins anew; the buffer stays.
  package mutating func removeAll() { count = 0 }

  /// The byte written last.
  var last: UInt8? { count > 0 ? buffer[count - 1] : nil }

  /// Takes the last byte back.
  mutating func removeLast() { count -= 1 }

  // MARK: - Room

  /// Makes room for so many bytes.
  @inline(__always)
  private mutating func reserve(_ room: Int) {
    if buffer.count &- count < room { grow(room) }
  }

  @inline(never)
  private mutating func grow(_ room: Int) {
    let added = max(count + room, 2 * buffer.count) - buffer.count
    buffer.append(addingCapacity: added) { output in output.append(repeating: 0, count: added) }
  }

  /// Has `body` write up to `room` bytes at a place, which it moves.
  @inline(__always)
  mutating func write(room: Int, _ body: (inout MutableSpan<UInt8>, inout Int) -> Void) {
    reserve(room)
    var place = count
    var span = buffer.mutableSpan
    body(&span, &place)
    count = place
  }

  // MARK: - Values

  /// Writes bytes as they are.
  package mutating func write(_ fragment: borrowing JSONFragment) {
    reserve(MutableSpan<UInt8>.jsonRoom)
    var place = count
    var span = buffer.mutableSpan
    span.put(fragment, at: &place)
    count = place
  }

  /// Writes one byte as it is.
  mutating func write(_ byte: UInt8) {
    reserve(1)
    buffer[count] = byte
    count &+= 1
  }

  /// Writes a number that is not negative.
  package mutating func write(_ number: Int) {
    write(room: MutableSpan<UInt8>.jsonRoom) { span, place in span.put(number, at: &place) }
  }

  /// Writes a token, without quotes.
  package mutating func write(_ token: OffsetToken) {
    write(room: MutableSpan<UInt8>.jsonRoom) { span, place in span.put(token, at: &place) }
  }

  /// Writes bytes that need no escape.
  mutating func write(plain source: borrowing Span<UInt8>) {
    reserve(source.count)
    for index in 0..<source.count {
      buffer[count] = source[index]
      count &+= 1
    }
  }

  /// Writes a number that is not negative, rounded to so many decimals, of which there are at most nine.
  package mutating func write(_ number: Double, decimals: Int) {
    precondition(number >= 0 && (0...9).contains(decimals))
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    // A half up, and not by `rounded()`: that would be the one thing here that needs the C library's mathematics.
    let (whole, rest) = Int(number * Double(scale) + 0.5).quotientAndRemainder(dividingBy: scale)
    write(whole)
    if decimals == 0 { return }
    // The 1 in front keeps the zeros; the point takes its place.
    let point = count
    write(scale + rest)
    buffer[point] = UInt8(ascii: ".")
  }

  /// Writes `true` or `false`.
  package mutating func write(_ flag: Bool) { write(flag ? .true : .false) }

  // MARK: - Strings

  /// Writes `text` as a string, with its quotes.
  package mutating func write(string text: String) { write(string: text.utf8Span.span) }

  /// Writes the bytes of `buffer` in `range`, which are well-formed UTF-8, as a string with its quotes.
  ///
  /// - Complexity: O(length).
  package mutating func write(string source: [UInt8], in range: Range<Int>) {
    write(string: source.span.extracting(range))
  }

  /// Writes bytes that are well-formed UTF-8 as a string with its quotes.
  ///
  /// - Complexity: O(length).
  package mutating func write(string source: borrowing Span<UInt8>) {
    var position = 0
    write(UInt8(ascii: "\""))
    while true {
      // And for the quote.
      reserve(source.count &- position &+ 1)
      var place = count
      var span = buffer.mutableSpan
      position = span.put(plain: source, from: position, at: &place)
      if position == source.count {
        span.put(UInt8(ascii: "\""), at: &place)
        count = place
        return
      }
      count = place
      writeEscape(source[position])
      position &+= 1
    }
  }

  private mutating func writeEscape(_ byte: UInt8) {
    let letter: UInt8
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
    case 0x08: letter = UInt8(ascii: "b")
    case 0x09: letter = UInt8(ascii: "t")
    case 0x0A: letter = UInt8(ascii: "n")
    case 0x0C: letter = UInt8(ascii: "f")
    case 0x0D: letter = UInt8(ascii: "r")
    default:
      write(.unicodeEscape)
      write(Self.hexDigit(byte >> 4))
      write(Self.hexDigit(byte & 15))
      return
    }
    write(UInt8(ascii: "\\"))
    write(letter)
  }

  private static func hexDigit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
  }
}
