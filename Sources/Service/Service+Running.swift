package import Configuration
package import Foundation
package import HTTPServer
package import StreamStore

extension Service {
  /// A service with streams as the configuration says, but for the engine: which one that is, is the caller's part.
  ///
  /// - Parameter now: the wall clock, which numbers the streams' incarnations: those of an earlier run, whose
  ///   streams are gone, are below.
  /// - Parameter clock: the wall clock, by which streams end.
  package init(
    configuration: LoadedConfiguration, engine: any SourceLogEngine = MemorySourceLogEngine(),
    now: Date = Date(), clock: @escaping @Sendable () -> Timestamp = { Timestamp(Date()) }
  ) {
    var options = StreamStore.Options()
    let settings = configuration.settings
    options.maxStreams = settings.streams.maxCount
    options.maxStreamBytes = settings.streams.maxBytes
    options.maxTotalBytes = settings.streams.maxTotalBytes
    options.maxParsedBytes = settings.streams.maxParsedBytes
    options.createOnAppend = settings.blocks.createOnAppend
    options.defaultDialect = configuration.defaultDialect
    options.clock = clock
    // Microseconds: no process creates a million streams a second for long, and 16 digits last until 2286.
    options.firstIncarnation = UInt64(max(now.timeIntervalSince1970, 0) * 1_000_000)
    self.init(configuration: configuration, store: StreamStore(options: options, engine: engine))
  }

  /// What the server is started with.
  package var serverOptions: Server.Options {
    var options = Server.Options()
    let http = settings.http
    options.host = settings.listen.host
    options.port = UInt16(settings.listen.port)
    if let loops = http.loops { options.loops = loops }
    options.maxConnections = http.maxConnections
    options.maxBytesInFlight = http.maxBytesInFlight
    options.limits.maxRequestLineBytes = http.maxRequestLineBytes
    options.limits.maxHeadBytes = http.maxHeadBytes
    options.limits.maxFields = http.maxFields
    options.limits.maxContentBytes = http.maxBodyBytes
    options.limits.maxChunkExtensionBytes = http.maxChunkExtensionBytes
    options.headTimeout = http.headTimeout
    options.contentTimeout = http.bodyTimeout
    options.idleTimeout = http.idleTimeout
    options.writeTimeout = http.writeTimeout
    return options
  }

  /// Runs the server until a signal to stop has come and what was under way has ended, or the time of grace is
  /// over. A second signal ends it at once.
  package func run(_ server: Server, signals: TerminationSignals) async throws(ServerError) {
    let result = await withTaskGroup(of: ServerError?.self) { tasks -> ServerError? in
      tasks.addTask {
        guard await signals.next() != nil else { return nil }
        loads.cancelAll()
        server.shutdown(grace: settings.shutdown.grace)
        guard await signals.next() != nil else { return nil }
        server.shutdown(grace: .zero)
        return nil
      }
      tasks.addTask {
        await sweep()
        return nil
      }
      tasks.addTask {
        await removeExpired()
        return nil
      }
      tasks.addTask {
        await runLoads()
        return nil
      }
      let error = await Self.run(server)
      tasks.cancelAll()
      return error
    }
    if let result { throw result }
  }

  private static func run(_ server: Server) async -> ServerError? {
    do throws(ServerError) {
      try await server.run()
      return nil
    } catch {
      return error
    }
  }

  /// Runs the load tests that are asked for, until the task is cancelled.
  package func runLoads() async { await loads.run() }

  /// Has idle streams forget their blocks, until the task is cancelled.
  private func sweep() async {
    // A stream is idle when two sweeps in a row find it so.
    let interval = settings.streams.parsedIdleTimeout / 2
    while (try? await Task.sleep(for: interval)) != nil { store.sweep() }
  }

  /// Whoever asks for a stream whose time is over finds out at once: this only gives its place back.
  private static let expiryInterval = Duration.seconds(5)

  /// Removes streams whose time is over, until the task is cancelled.
  private func removeExpired() async {
    while (try? await Task.sleep(for: Self.expiryInterval)) != nil { await store.removeExpired() }
  }
}
