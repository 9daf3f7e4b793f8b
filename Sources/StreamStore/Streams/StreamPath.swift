/// A stream's name: one or more segments of `A-Z a-z 0-9 . _ ~ -` with a slash between them, at most 512 bytes.
///
/// It can be looked up with while it still is a part of a request's buffer: `owned` copies it for keeping.
package struct StreamPath: Sendable {
  /// The most bytes a path has.
  package static let maxBytes = 512

  /// The path without a slash at its beginning.
  package let bytes: ArraySlice<UInt8>

  /// Reads a path. `nil` where a byte does not belong, a segment is empty, or one is `.` or `..`, which clients
  /// and proxies take out of URLs.
  ///
  /// - Complexity: O(length).
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty, bytes.count <= Self.maxBytes else { return nil }
    var segmentLength = 0
    var dots = 0
    for byte in bytes {
      if byte == UInt8(ascii: "/") {
        guard segmentLength > 0, dots != segmentLength || dots > 2 else { return nil }
        segmentLength = 0
        dots = 0
        continue
      }
      guard Self.isAllowed(byte) else { return nil }
      segmentLength += 1
      if byte == UInt8(ascii: ".") { dots += 1 }
    }
    guard segmentLength > 0, dots != segmentLength || dots > 2 else { return nil }
    self.bytes = bytes
  }

  /// Reads a path from text.
  package init?(_ text: String) { self.init(Array(text.utf8)[...]) }

  private init(copying bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes)[...] }

  /// The path with storage of its own.
  package var owned: StreamPath { StreamPath(copying: bytes) }

  @inline(__always)
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension StreamPath: Hashable {
  package static func == (one: StreamPath, other: StreamPath) -> Bool { one.bytes == other.bytes }

  /// Hashes eight bytes at a time.
  package func hash(into hasher: inout Hasher) {
    var word: UInt64 = UInt64(bytes.count)
    var filled = 1
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      filled += 1
      if filled == 8 {
        hasher.combine(word)
        filled = 0
      }
    }
    hasher.combine(word)
  }
}

extension StreamPath: CustomStringConvertible {
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}
