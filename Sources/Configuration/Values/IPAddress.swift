/// An IPv4 or IPv6 address in text (RFC 4291 §2.2), as far as configuration has to understand one.
struct IPAddress: Equatable {
  /// 4 or 16 bytes in network order.
  var bytes: [UInt8]

  /// `nil` if `text` is no address. Host names, zones and brackets are none.
  init?(_ text: String) {
    if let bytes = Self.version4(text[...]) {
      self.bytes = bytes
    } else if let bytes = Self.version6(text) {
      self.bytes = bytes
    } else {
      return nil
    }
  }

  /// Whether only this machine can reach it: 127.0.0.0/8, also mapped into IPv6, and `::1`.
  var isLoopback: Bool {
    if bytes.count == 4 { return bytes[0] == 127 }
    if bytes.dropLast().allSatisfy({ $0 == 0 }) { return bytes[15] == 1 }
    return bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127])
  }

  private static func version4(_ text: Substring) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      // A leading zero is octal to some readers and decimal to others.
      guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), part.count == 1 || part.first != "0",
        let byte = UInt8(part)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func version6(_ text: String) -> [UInt8]? {
    guard let gap = text.firstRange(of: "::") else {
      return groups(text[...]).flatMap { $0.count == 16 ? $0 : nil }
    }
    let head = text[..<gap.lowerBound]
    let tail = text[gap.upperBound...]
    guard let before = head.isEmpty ? [] : groups(head, isLast: false),
      let after = tail.isEmpty ? [] : groups(tail)
    else {
      return nil
    }
    // The gap stands for at least one group.
    guard before.count + after.count <= 14 else { return nil }
    return before + [UInt8](repeating: 0, count: 16 - before.count - after.count) + after
  }

  /// Groups of hexadecimal digits; the last 32 bits of an address may be written as IPv4 does.
  private static func groups(_ text: Substring, isLast: Bool = true) -> [UInt8]? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 8 else { return nil }
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if isLast, index == parts.count - 1, part.contains(".") {
        guard let last = version4(part) else { return nil }
        bytes += last
        continue
      }
      guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
        let group = UInt16(part, radix: 16)
      else { return nil }
      bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
    }
    return bytes
  }
}
