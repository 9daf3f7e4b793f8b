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
    options: [
      .config, .listen, .storage,
      Option("--until-eof", "Stop, as at SIGTERM, when standard input ends"),
    ]
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
      if arguments.isSet("--until-eof") { Self.stopAtEndOfInput() }
      let server = try Server(options: service.serverOptions, responder: service)
      Output.print("mooring listening on http://\(server.address)\n")
      try await service.run(server, signals: signals)
    } catch let error as ServerError {
      throw CommandError.server("\(error)")
    } catch let error as SystemError {
      throw CommandError.server("\(error)")
    }
  }

  /// Ends the process as SIGTERM does when standard input ends. A pipe's other end is closed however its process came to
  /// its end, while a signal at a parent's death would come at that of the thread that started this process.
  private static func stopAtEndOfInput() {
    Thread.detachNewThread {
      while !FileHandle.standardInput.availableData.isEmpty {}
      kill(getpid(), SIGTERM)
    }
  }
}
