import Configuration
import Foundation
import HTTPServer
import Service

extension Command {
  /// `mooring serve`.
  static let serve = Command(
    words: ["serve"], summary: "Serves until SIGTERM or SIGINT",
    notes: """
      The first line on standard output, once connections are accepted, is
        mooring listening on http://HOST:PORT
      """,
    options: [.config, .listen, .storage]
  ) { arguments in
    let configuration = try arguments.configuration()
    let storage = try Storage(configuration.settings.storage)
    defer { storage.close() }
    let service = Service(configuration: configuration, engine: storage.engine)
    // A connection takes a descriptor: as many as the system's owner allows.
    _ = DescriptorLimit.raise()
    do {
      // Before the first line: whoever reads it may send a signal at once.
      let signals = try TerminationSignals()
      let server = try Server(options: service.serverOptions, responder: service)
      Output.print("mooring listening on http://\(server.address)\n")
      try await service.run(server, signals: signals)
    } catch let error as ServerError {
      throw CommandError.server("\(error)")
    } catch let error as SystemError {
      throw CommandError.server("\(error)")
    }
  }
}
