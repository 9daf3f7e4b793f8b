import CLinux
import Foundation

/// The socket that clients connect to.
struct ListeningSocket {
  let descriptor: Int32
  let address: SocketAddress

  /// Binds to the first address of `host` that can be bound to. Port 0 takes a free one.
  init(host: String, port: UInt16, backlog: Int32) throws(ServerError) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard result == 0 else { throw .unknownHost(host, code: result) }
    defer { unsafe freeaddrinfo(list) }
    var failure = SystemError.failed(call: .bind, errno: EADDRNOTAVAIL)
    var next = unsafe list
    while let info = unsafe next {
      do throws(SystemError) {
        self = try unsafe Self(info.pointee, backlog)
        return
      } catch {
        failure = error
      }
      unsafe next = info.pointee.ai_next
    }
    throw .cannotListen(host: host, port: port, failure)
  }

  private init(_ info: addrinfo, _ backlog: Int32) throws(SystemError) {
    let descriptor = Int32(
      try SystemCall.value(.socket) {
        unsafe Int(
          socket(
            info.ai_family,
            Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0))
      })
    self.descriptor = descriptor
    do throws(SystemError) {
      // A restarted server takes its port again while connections of the last one linger.
      try Self.setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
      try SystemCall.value(.bind) { unsafe Int(bind(descriptor, info.ai_addr, info.ai_addrlen)) }
      try SystemCall.value(.listen) { Int(listen(descriptor, backlog)) }
      address = try Self.address(of: descriptor)
    } catch {
      SystemCall.close(descriptor)
      throw error
    }
  }

  /// The address that a socket is bound to.
  static func address(of descriptor: Int32) throws(SystemError) -> SocketAddress {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    try SystemCall.value(.getsockname) {
      unsafe withUnsafeMutablePointer(to: &storage) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe Int(getsockname(descriptor, $0, &length))
        }
      }
    }
    return SocketAddress(storage)
  }

  static func setOption(
    _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32
  ) throws(SystemError) {
    var value = value
    try SystemCall.value(.setsockopt) {
      unsafe Int(setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)))
    }
  }

  /// Takes one connection from the queue: non-blocking, without delay for small segments. `nil` where the queue
  /// is empty.
  func accept() throws(SystemError) -> (descriptor: Int32, peer: SocketAddress)? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let outcome = try SystemCall.perform(.accept4) {
      unsafe withUnsafeMutablePointer(to: &storage) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe Int(
            accept4(descriptor, $0, &length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)))
        }
      }
    }
    guard case .value(let accepted) = outcome else { return nil }
    // A connection that is reset already refuses the option; reading it will tell.
    try? Self.setOption(Int32(accepted), Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    return (Int32(accepted), SocketAddress(storage))
  }
}
