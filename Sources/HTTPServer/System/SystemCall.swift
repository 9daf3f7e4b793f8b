import Foundation

/// The one place where a system call's result is read.
package enum SystemCall {
  /// The calls made here, for error texts.
  package enum Name: String, Sendable {
    case accept4, bind, connect
    case epollControl = "epoll_ctl", epollCreate = "epoll_create1", epollWait = "epoll_wait"
    case eventfd, getaddrinfo, getsockname, listen, pipe, read, receive = "recv", send, sendmsg
    case setsockopt, sigaction, socket, threadCreate = "pthread_create", write
  }

  /// What a call gave that did not fail.
  enum Outcome: Equatable {
    /// The call's non-negative result.
    case value(Int)
    /// `EAGAIN`: nothing can be done until the descriptor is ready.
    case wouldBlock
  }

  /// Makes a call until it is not interrupted, and reads its result.
  ///
  /// - Throws: `SystemError` for every error number but `EINTR` (tried again), `EAGAIN` (`.wouldBlock`), and
  ///   `EBADF`, `EFAULT` and `ENOTSOCK`, which only a bug here can cause: those end the process.
  @inline(__always)
  static func perform(_ name: Name, _ call: () -> Int) throws(SystemError) -> Outcome {
    while true {
      let result = call()
      if result >= 0 { return .value(result) }
      let number = errno
      if number == EINTR { continue }
      if number == EAGAIN { return .wouldBlock }
      throw error(of: name, number)
    }
  }

  /// Makes a call that never waits, so that `EAGAIN` is a failure as any other.
  @inline(__always)
  @discardableResult
  static func value(_ name: Name, _ call: () -> Int) throws(SystemError) -> Int {
    switch try perform(name, call) {
    case .value(let value): return value
    case .wouldBlock: throw .failed(call: name, errno: EAGAIN)
    }
  }

  /// Closes a descriptor. On Linux it is closed whatever the call says, so nothing is reported or tried again.
  static func close(_ descriptor: Int32) {
    _ = Foundation.close(descriptor)
  }

  private static func error(of name: Name, _ number: Int32) -> SystemError {
    switch number {
    case EBADF, EFAULT, ENOTSOCK:
      fatalError("\(name.rawValue): errno \(number) can only come from a bug in this program")
    case ECONNRESET, ECONNREFUSED, EPIPE, ECONNABORTED, ETIMEDOUT, ENOTCONN, EHOSTUNREACH, ENETUNREACH:
      return .peerClosed
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      return .resourcesExhausted(errno: number)
    default:
      return .failed(call: name, errno: number)
    }
  }
}
