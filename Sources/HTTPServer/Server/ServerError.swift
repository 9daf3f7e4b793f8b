/// Why a server does not start.
package enum ServerError: Error, Equatable, Sendable {
  /// The host cannot be resolved; `code` is `getaddrinfo`'s.
  case unknownHost(String, code: Int32)
  /// No address of the host can be listened at.
  case cannotListen(host: String, port: UInt16, SystemError)
  /// A loop cannot be made or started.
  case system(SystemError)
}

extension ServerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownHost(let host, let code): "host \(host) cannot be resolved (code \(code))"
    case .cannotListen(let host, let port, let error): "cannot listen at \(host), port \(port): \(error)"
    case .system(let error): "\(error)"
    }
  }
}
