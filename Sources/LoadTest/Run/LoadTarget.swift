package import HTTPServer
package import StreamStore

/// What a load test drives.
package enum LoadTarget: Sendable {
  /// A server, over sockets.
  case server(Server)
  /// The streams of this process.
  case store(StreamStore)

  /// A server's address, and the process that is measured as it.
  package struct Server: Sendable {
    let endpoint: Endpoint
    /// Host and port, for `Host`.
    let authority: String
    let process: ServerProcess
    /// Told of each stream that is not needed any more; without it, the server is asked to delete them.
    package var onEnd: (@Sendable (_ path: String) -> Void)?

    /// The server at a URL: `http://HOST:PORT`, and nothing behind it.
    ///
    /// - Throws: `.malformedURL`; `.unreachable` where the host is not known.
    package init(url: String, process: ServerProcess) throws(LoadError) {
      guard let (host, port) = Self.address(in: url) else { throw .malformedURL(url) }
      try self.init(host: host, port: port, process: process)
    }

    /// The server at an address.
    package init(host: String, port: UInt16, process: ServerProcess) throws(LoadError) {
      do throws(ServerError) {
        endpoint = try Endpoint(host: host, port: port)
      } catch {
        throw .unreachable("\(error)")
      }
      authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
      self.process = process
    }

    /// Host and port of a URL; 80 where it has no port.
    static func address(in url: String) -> (host: String, port: UInt16)? {
      let scheme = "http://"
      guard url.lowercased().hasPrefix(scheme) else { return nil }
      var rest = Substring(url.dropFirst(scheme.count))
      if rest.hasSuffix("/") { rest.removeLast() }
      guard !rest.contains(where: { "/?#@ ".contains($0) }) else { return nil }
      var host = rest
      var port: Substring = "80"
      if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
        host = rest[..<colon]
        port = rest[rest.index(after: colon)...]
      }
      if host.hasPrefix("["), host.hasSuffix("]") {
        host = host.dropFirst().dropLast()
      } else if host.contains(":") {
        return nil
      }
      guard !host.isEmpty, let number = UInt16(port), number > 0 else { return nil }
      return (String(host), number)
    }
  }
}

/// The process whose processor time and memory are the server's.
package enum ServerProcess: Equatable, Sendable {
  /// This one; the load test's own threads are taken off.
  case own
  /// Another one on this machine.
  case other(pid: Int32)
  /// One on another machine: nothing can be told of it.
  case unknown
}

/// Why a load test does not run.
package enum LoadError: Error, Equatable, Sendable {
  case malformedURL(String)
  /// The server is not there, or is no such server.
  case unreachable(String)
  case system(SystemError)
}

extension LoadError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformedURL(let url): "\"\(url)\" is no URL of a server; accepted: http://HOST:PORT"
    case .unreachable(let reason): reason
    case .system(let error): "\(error)"
    }
  }
}
