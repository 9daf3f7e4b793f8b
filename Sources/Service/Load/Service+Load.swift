import Configuration
import HTTPServer
import LoadTest

// POST /v1/load, and what came of it (api.md §7).
extension Service {
  /// Bytes of a request for a load test; its members take some hundred.
  private static let maxLoadRequestBytes = 16 << 10

  /// Starts a load test of this server, at the address that the client has reached it at.
  func startLoad(_ exchange: Exchange) async throws {
    guard settings.load.enabled else { throw ServiceError.noResource(path: "/v1/load") }
    _ = try Query(exchange.request, known: [])
    let content = try await exchange.collectContent(limit: Self.maxLoadRequestBytes)
    let options = try Self.loadOptions(content.isEmpty ? Array("{}".utf8) : content, limits: loadLimits)
    guard let address = exchange.localAddress else { return }
    let job = try loads.start(options, host: address.host, port: address.port)
    var fields = Answer.json
    fields.append("Location", "/v1/load/\(job)".utf8)
    try await exchange.send(.accepted, fields: fields, content: try loads.json(job))
  }

  private static func loadOptions(
    _ json: [UInt8], limits: LoadOptions.Limits
  ) throws(ServiceError) -> LoadOptions {
    do throws(LoadOptions.Refusal) {
      return try LoadOptions(json: json, limits: limits)
    } catch {
      switch error {
      case .notAnObject: throw .notAnObject
      case .unknownMember(let name, let known): throw .unknownMember(name: name, known: known)
      case .invalidValue(let name, let value, let accepted):
        throw .invalidValue(name: name, value: value, accepted: accepted)
      }
    }
  }

  private var loadLimits: LoadOptions.Limits {
    var limits = LoadOptions.Limits()
    let load = settings.load
    limits.streams = 1...load.maxStreams
    limits.readers = 0...load.maxReaders
    limits.rate = limits.rate.lowerBound...Double(load.maxRate)
    limits.seconds = limits.seconds.lowerBound...(load.maxDuration / .seconds(1))
    // The other half is the clients'.
    limits.connections = max(1, settings.http.maxConnections / 2)
    return limits
  }

  /// Tells how far a load test is; with `DELETE`, ends or forgets it.
  func answerLoad(_ exchange: Exchange, _ job: String) async throws {
    guard settings.load.enabled else { throw ServiceError.noResource(path: "/v1/load/\(job)") }
    _ = try Query(exchange.request, known: [])
    if exchange.request.method == .delete, try !loads.delete(job) {
      return try await exchange.send(.noContent, fields: ["X-Content-Type-Options": "nosniff"])
    }
    var fields = Answer.json
    fields.append("Cache-Control", "no-store".utf8)
    try await exchange.send(.ok, fields: fields, content: try loads.json(job))
  }
}
