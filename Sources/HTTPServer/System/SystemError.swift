/// A system call that failed for a reason outside this program.
package enum SystemError: Error, Equatable, Sendable {
  /// The peer is gone: `ECONNRESET`, `ECONNREFUSED`, `EPIPE`, `ECONNABORTED`, `ETIMEDOUT`, `ENOTCONN` or an unreachable host.
  case peerClosed
  /// Descriptors or kernel memory ran out: `EMFILE`, `ENFILE`, `ENOBUFS` or `ENOMEM`.
  case resourcesExhausted(errno: Int32)
  /// Any other error number, with the call that gave it.
  case failed(call: SystemCall.Name, errno: Int32)
}

extension SystemError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .peerClosed: "the peer closed the connection"
    case .resourcesExhausted(let number): "out of descriptors or kernel memory (errno \(number))"
    case .failed(let call, let number): "\(call.rawValue) failed (errno \(number))"
    }
  }
}
