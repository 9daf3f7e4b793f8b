import Foundation
import Testing

@testable import HTTPServer

/// Content that goes out within the wait of its exchange.
@Suite(.timeLimit(.minutes(1))) struct DeliveryTests {
  @Test(arguments: ["1.0", "1.1"])
  func aChunkIsContentInBothVersions(version: String) async throws {
    let chunk = ChunkedCoding.chunk(of: Array("a\r\nb".utf8))
    try await withServer(handler: { exchange in
      try await exchange.startStream(.ok)
      // The first goes behind the head, which has not been sent.
      for _ in 0..<2 { #expect(try exchange.deliverAtOnce(chunk: chunk)) }
    }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/\(version)\r\nHost: h\r\n\r\n")
      #expect(try await client.receiveHead().status == 200)
      if version == "1.0" {
        #expect(try await client.receiveAll() == "a\r\nba\r\nb")
      } else {
        for _ in 0..<2 { #expect(try await client.receiveChunk() == "a\r\nb") }
        #expect(try await client.receiveChunk() == nil)
      }
    }
  }

  @Test func theAnswerToHeadHasNoChunks() async throws {
    let chunk = ChunkedCoding.chunk(of: Array("x".utf8))
    try await withServer(handler: { exchange in
      try await exchange.startStream(.ok)
      for _ in 0..<2 { _ = try exchange.deliverAtOnce(chunk: chunk) }
    }) { server in
      let client = try server.connect()
      try await client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.receiveAnswer(hasContent: false).status == 200)
      #expect(try await client.receiveAnswer().content == "xx")
    }
  }

  /// A peer that takes a part of a chunk gets the rest of it, then what was sent after it.
  @Test func chunksThatArePartlyTakenArriveWhole() async throws {
    let contents = (0..<12).map { [UInt8](repeating: 0x61 + UInt8($0), count: 900_000 + $0) }
    let outcomes = Lock<[Bool]>([])
    let isSent = Occurrences<Void>()
    try await withServer(handler: { exchange in
      try await exchange.startStream(.ok)
      for content in contents {
        let hasTaken = try exchange.deliverAtOnce(chunk: ChunkedCoding.chunk(of: content))
        outcomes.withLock { $0.append(hasTaken) }
      }
      await isSent.add(())
      #expect(try await exchange.deliver([], stallTimeout: .seconds(20)))
    }) { server in
      let client = try server.connect(receiveBufferBytes: 16 << 10)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      // The peer begins to read when all of it has been tried.
      await isSent.next()
      #expect(outcomes.withLock { $0.contains(false) })
      _ = try await client.receiveHead()
      for content in contents {
        let chunk = try await client.receiveChunk()
        #expect(chunk.map { Array($0.utf8) == content } == true)
      }
      #expect(try await client.receiveChunk() == nil)
    }
  }
}
