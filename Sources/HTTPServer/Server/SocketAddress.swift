import Foundation

/// An IPv4 or IPv6 address and port.
package struct SocketAddress: Equatable, Hashable, Sendable {
  /// Whether the address is IPv6.
  package let isIPv6: Bool
  /// The port, in host byte order.
  package let port: UInt16
  private let scope: UInt32
  /// The address's 4 or 16 bytes, big-endian, in the low end.
  private let high: UInt64
  private let low: UInt64

  /// Reads what the kernel wrote.
  init(_ storage: sockaddr_storage) {
    var storage = storage
    isIPv6 = storage.ss_family == sa_family_t(AF_INET6)
    // The storage is large and aligned enough for either kind of address.
    if isIPv6 {
      let address = unsafe withUnsafeBytes(of: &storage) { unsafe $0.loadUnaligned(as: sockaddr_in6.self) }
      let bytes = unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe Array($0) }
      port = UInt16(bigEndian: address.sin6_port)
      scope = address.sin6_scope_id
      high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
      low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    } else {
      let address = unsafe withUnsafeBytes(of: &storage) { unsafe $0.loadUnaligned(as: sockaddr_in.self) }
      port = UInt16(bigEndian: address.sin_port)
      (scope, high) = (0, 0)
      low = UInt64(UInt32(bigEndian: address.sin_addr.s_addr))
    }
  }

  /// The address without its port, in numbers.
  package var host: String {
    let bytes: [UInt8] =
      (isIPv6 ? (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) } : [])
      + (isIPv6 ? 0..<8 : 4..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = isIPv6 ? AF_INET6 : AF_INET
    guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether the address is this machine's own, `127.0.0.0/8` or `::1`.
  package var isLoopback: Bool { isIPv6 ? high == 0 && low == 1 : low >> 24 == 127 }
}

extension SocketAddress: CustomStringConvertible {
  /// `host:port`, an IPv6 host in brackets.
  package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
