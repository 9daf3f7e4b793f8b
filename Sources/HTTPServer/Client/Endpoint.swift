import Foundation

/// A resolved address that clients connect to.
package struct Endpoint: Sendable {
  /// What the kernel takes: a `sockaddr` of one kind or another.
  let address: [UInt8]
  let family: Int32

  /// The first address of a host name or address.
  ///
  /// - Throws: `.unknownHost` where there is none.
  package init(host: String, port: UInt16) throws(ServerError) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard result == 0, let info = unsafe list else { throw .unknownHost(host, code: result) }
    defer { unsafe freeaddrinfo(list) }
    family = unsafe info.pointee.ai_family
    address = unsafe Array(
      UnsafeRawBufferPointer(start: info.pointee.ai_addr, count: Int(info.pointee.ai_addrlen)))
  }

  /// A socket that is on its way to the address: non-blocking, without delay for small segments.
  func connect(receiveBufferBytes: Int32?) throws(SystemError) -> Int32 {
    let descriptor = Int32(
      try SystemCall.value(.socket) {
        Int(
          socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0))
      })
    do throws(SystemError) {
      try ListeningSocket.setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
      if let receiveBufferBytes {
        try ListeningSocket.setOption(descriptor, SOL_SOCKET, SO_RCVBUF, receiveBufferBytes)
      }
      // The kernel goes on connecting; the descriptor becomes writable when it has, or failed.
      _ = try SystemCall.perform(.connect) {
        let result = unsafe address.withUnsafeBytes {
          unsafe Foundation.connect(
            descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        return result != 0 && errno == EINPROGRESS ? 0 : Int(result)
      }
      return descriptor
    } catch {
      SystemCall.close(descriptor)
      throw error
    }
  }
}
