import BlockDiff
package import Configuration
package import HTTPServer
import Markup
package import StreamStore

/// The service's requests and answers (api.md): routes, and what each does with the streams.
package struct Service: Responder {
  package let store: StreamStore
  package let settings: Settings
  let dialects: [Dialect]
  let checks: CheckGate
  let loads: LoadJobs
  /// What of URLs and raw HTML is let through to readers.
  var policy: HTMLOptions { settings.html.options }

  /// A service over the streams of `store`.
  package init(configuration: LoadedConfiguration, store: StreamStore) {
    self.store = store
    settings = configuration.settings
    dialects = configuration.dialects
    checks = CheckGate(limit: configuration.settings.checks.maxConcurrent)
    loads = LoadJobs(settings: configuration.settings.load, store: store)
  }

  /// Answers one request.
  package func respond(to exchange: Exchange) async throws {
    do {
      try await dispatch(exchange)
    } catch let error as ServiceError where !exchange.hasBegun {
      try await exchange.send(Problem(error).response)
    } catch let error as StreamError where !exchange.hasBegun {
      try await exchange.send(Problem(.stream(error)).response)
    }
    // What fails later cuts the answer off: the client comes again, and is told.
  }

  private func dispatch(_ exchange: Exchange) async throws {
    let request = exchange.request
    let route = try Route(request.path)
    guard route.methods.contains(request.method) else {
      throw ServiceError.methodNotAllowed(
        method: request.method.name, allowed: route.methods.map(\.name))
    }
    if request.method == .options { return try await answerOptions(exchange, route) }
    switch route {
    case .blocks(let path):
      switch request.method {
      case .post: try await append(exchange, path)
      case .delete: try await delete(exchange, path)
      default: try await view(exchange, path)
      }
    case .source(let path): try await answerSource(exchange, path)
    case .live: try await viewMany(exchange)
    case .parse: try await parse(exchange)
    case .check: try await check(exchange)
    case .loads: try await startLoad(exchange)
    case .load(let job): try await answerLoad(exchange, job)
    case .livez: try await answerLiveness(exchange)
    case .readyz: try await answerReadiness(exchange)
    case .root: try await answerRoot(exchange)
    case .server: preconditionFailure("the asterisk form has only OPTIONS")
    }
  }

  private func answerOptions(_ exchange: Exchange, _ route: Route) async throws {
    let allowed = route.methods.map(\.name).joined(separator: ", ")
    var fields: Fields = ["X-Content-Type-Options": "nosniff"]
    fields.append("Allow", allowed)
    try await exchange.send(.noContent, fields: fields)
  }

  /// The answer to bytes that are no request, are too many, or come too late.
  package func response(to error: RequestError) -> Response { Problem(.request(error)).response }

  /// The answer where a handler failed.
  package func response(toFailure error: any Error) -> Response { Problem(.failure).response }
}
