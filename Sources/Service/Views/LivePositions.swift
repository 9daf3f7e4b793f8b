import BlockDiff
import Markup

/// The positions of a view of many streams, as its events' IDs carry them.
///
/// In the order of the request's `path` parameters, with a comma between them, each
/// `<incarnation>_<position>` in decimal digits without leading zeros, or `-` for a stream of which nothing has
/// been sent.
struct LivePositions: Equatable {
  var positions: [OffsetToken?]

  init(_ positions: [OffsetToken?]) { self.positions = positions }

  /// Reads what `bytes` wrote; `nil` for anything else.
  init?(_ bytes: ArraySlice<UInt8>) {
    positions = []
    for part in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      if part.elementsEqual([UInt8(ascii: "-")]) {
        positions.append(nil)
        continue
      }
      let numbers = part.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
      guard numbers.count == 2, let incarnation = Self.number(numbers[0]),
        incarnation <= OffsetToken.incarnationLimit, let position = Self.number(numbers[1]),
        position <= UInt64(ByteOffset.limit) + 1
      else { return nil }
      positions.append(OffsetToken(incarnation: incarnation, position: ByteOffset(Int(position))))
    }
  }

  /// The text of the ID.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    for (place, token) in positions.enumerated() {
      if place > 0 { result.append(UInt8(ascii: ",")) }
      guard let token else {
        result.append(UInt8(ascii: "-"))
        continue
      }
      result.appendDecimal(Int(token.incarnation))
      result.append(UInt8(ascii: "_"))
      result.appendDecimal(token.position.value)
    }
    return result
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    guard !digits.isEmpty, digits.count <= 16, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + UInt64($1 - 0x30) }
  }
}
