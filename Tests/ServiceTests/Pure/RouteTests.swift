import HTTPServer
import StreamStore
import Testing

@testable import Service

struct RouteTests {
  private func route(_ path: String) throws -> Route { try Route(Array(path.utf8)[...]) }

  @Test func findsEveryRoute() throws {
    #expect(try route("/") == .root)
    #expect(try route("/v1/blocks/a/b") == .blocks(try #require(StreamPath("a/b"))))
    #expect(try route("/v1/blocks/%61%2D%7e") == .blocks(try #require(StreamPath("a-~"))))
    #expect(try route("/v1/stream/a/b") == .source(try #require(StreamPath("a/b"))))
    #expect(try route("/v1/live") == .live)
    #expect(try route("/v1/parse") == .parse)
    #expect(try route("/livez") == .livez)
    #expect(try route("/readyz") == .readyz)
    #expect(try route("*") == .server)
  }

  @Test(arguments: ["/v1", "/v1/stream/__ds/a", "/v1/parse/", "/LIVEZ", "//", "/v1/block"])
  func knowsNoOther(path: String) {
    #expect(throws: ServiceError.noResource(path: path)) { try route(path) }
  }

  @Test(arguments: ["", "a//b", "a/", "..", "a b", "a%20b", "a%2", "%zz", "ä", "a%2F%2Fb", "%2e%2e/a"])
  func refusesPathsOfNoStream(path: String) {
    #expect(throws: ServiceError.malformedPath(path)) { try route("/v1/blocks/" + path) }
  }

  @Test func everyRouteHasOptionsAndHeadWithGet() throws {
    for path in ["/", "/v1/blocks/a", "/v1/stream/a", "/v1/live", "/v1/parse", "/livez", "/readyz", "*"] {
      let methods = try route(path).methods
      #expect(methods.contains(.options))
      #expect(methods.contains(.get) == methods.contains(.head))
    }
  }
}
