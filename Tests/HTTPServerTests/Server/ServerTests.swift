import Foundation
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct ServerTests {
  @Test func keepsTheConnectionBetweenRequests() async throws {
    try await withServer(handler: { exchange in
      try await exchange.send(.ok, fields: ["X-Path": String(decoding: exchange.request.path, as: UTF8.self)])
    }) { server in
      let client = try server.connect()
      for path in ["/one", "/two", "/three"] {
        let answer = try await client.get(path)
        #expect(answer.status == 200)
        #expect(answer["X-Path"] == path)
        #expect(answer["Connection"] == nil)
        #expect(answer["Date"]?.hasSuffix(" GMT") == true)
      }
    }
  }
}
