package import Markup

/// A position in one incarnation of a stream, as clients hold it: `<incarnation>_<position>`, 16 digits each,
/// zero-padded, so that tokens sort as text (api.md §1).
package struct OffsetToken: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Which of the streams that had this path: 0 where there is no stream, else counted from 1.
  package var incarnation: UInt64
  /// The number of source bytes before the position, or one more than the source has once it is finished.
  package var position: ByteOffset

  /// The largest number that 16 digits hold.
  package static let incarnationLimit: UInt64 = 9_999_999_999_999_999

  package init(incarnation: UInt64, position: ByteOffset) {
    precondition(incarnation <= Self.incarnationLimit, "an incarnation has at most 16 digits")
    self.incarnation = incarnation
    self.position = position
  }

  /// Reads a token; `nil` for anything that `append(to:)` would not write, and for positions that no stream
  /// can have.
  package init?(_ token: some Collection<UInt8>) {
    guard token.count == 33 else { return nil }
    var numbers: (UInt64, UInt64) = (0, 0)
    for (place, byte) in token.enumerated() {
      if place == 16 {
        guard byte == UInt8(ascii: "_") else { return nil }
        numbers = (numbers.1, 0)
        continue
      }
      guard byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") else { return nil }
      numbers.1 = numbers.1 * 10 + UInt64(byte - UInt8(ascii: "0"))
    }
    guard numbers.1 <= UInt64(ByteOffset.limit) + 1 else { return nil }
    incarnation = numbers.0
    position = ByteOffset(Int(numbers.1))
  }

  /// Appends the token's 33 bytes to `output`.
  package func append(to output: inout [UInt8]) {
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: Self.byteCount))
    var place = start
    var span = output.mutableSpan
    span.put(self, at: &place)
  }

  private static let byteCount = 33

  package static func < (a: OffsetToken, b: OffsetToken) -> Bool {
    (a.incarnation, a.position) < (b.incarnation, b.position)
  }

  package var description: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Whose state a snapshot or a diff describes.
package struct Envelope: Sendable, Equatable {
  /// The stream's path as UTF-8; `nil` where a document was parsed that belongs to no stream.
  package var stream: [UInt8]?
  /// The stream's incarnations, for offset tokens.
  package var lineage: Lineage

  package init(stream: String? = nil, lineage: Lineage) {
    self.stream = stream.map { Array($0.utf8) }
    self.lineage = lineage
  }

  /// The envelope of a stream that is no fork, or of no stream.
  package init(stream: String? = nil, incarnation: UInt64 = 0) {
    self.init(stream: stream, lineage: Lineage(incarnation: incarnation))
  }
}
