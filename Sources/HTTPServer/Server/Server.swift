import Foundation

/// An HTTP/1.1 server: one listening socket, and event loops that serve its connections.
package final class Server: Sendable {
  private let loops: [EventLoop]
  private let groups: [ConnectionGroup]
  private let acceptor: Acceptor
  /// The address listened at, with the port that was taken for port 0.
  package let address: SocketAddress

  /// Binds and listens, so that clients can connect from here on; `run()` serves them.
  package init(options: Options = Options(), responder: any Responder) throws(ServerError) {
    precondition(options.loops > 0 && options.maxConnections > 0)
    let listener = try ListeningSocket(host: options.host, port: options.port, backlog: options.backlog)
    do throws(SystemError) {
      var loops: [EventLoop] = []
      for _ in 0..<options.loops { loops.append(try EventLoop()) }
      self.loops = loops
    } catch {
      SystemCall.close(listener.descriptor)
      throw .system(error)
    }
    groups = loops.map { ConnectionGroup(loop: $0, options: options, responder: responder) }
    acceptor = Acceptor(listener, groups: groups)
    address = listener.address
  }

  /// Serves until `shutdown(grace:)` is called and all connections have ended. Called once.
  ///
  /// - Throws: `.system` where a loop does not start or the listening socket fails.
  package func run() async throws(ServerError) {
    var started: [EventLoop] = []
    defer { for loop in started { loop.stop() } }
    do throws(SystemError) {
      for loop in loops {
        try loop.start()
        started.append(loop)
      }
      try await serve()
    } catch {
      throw .system(error)
    }
  }

  private func serve() async throws(SystemError) {
    let result = await withTaskGroup(of: SystemError?.self) { tasks -> SystemError? in
      for group in groups {
        tasks.addTask(executorPreference: group.loop) {
          await group.run()
          return nil
        }
      }
      tasks.addTask(executorPreference: loops[0]) { [self] in
        do throws(SystemError) {
          try await acceptor.run()
          return nil
        } catch {
          shutdown(grace: .zero)
          return error
        }
      }
      var failure: SystemError?
      for await error in tasks { failure = failure ?? error }
      return failure
    }
    if let result { throw result }
  }

  /// Stops accepting, closes idle connections at once, tells busy ones to close after their answer, and cuts
  /// those that are left after `grace`. From any thread; again to shorten the grace.
  package func shutdown(grace: Duration) {
    let deadline = LoopInstant.now.advanced(by: grace)
    loops[0].submit { [acceptor] in acceptor.stop() }
    for group in groups {
      group.loop.submit { group.drain(until: deadline) }
    }
  }
}
