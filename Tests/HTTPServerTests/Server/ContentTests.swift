import Foundation
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct ContentTests {
  @Test func sendsContinueAtTheFirstRead() async throws {
    try await withServer(handler: { exchange in
      let content = try await exchange.collectContent()
      try await exchange.send(.ok, content: content)
    }) { server in
      let client = try server.connect()
      for _ in 0..<2 {
        try await client.send(
          "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try await client.receiveHead().status == 100)
        try await client.send("hi")
        #expect(try await client.receiveAnswer().content == "hi")
      }
    }
  }

  @Test func sendsNoContinueWhereContentIsNotWanted() async throws {
    try await withServer(handler: { try await $0.send(.forbidden) }) { server in
      let client = try server.connect()
      try await client.send("PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
      let answer = try await client.receiveAnswer()
      #expect(answer.status == 403)
      #expect(answer["Connection"] == "close")
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func refusesTooMuchContentWithoutContinue() async throws {
    try await withServer(
      { $0.limits.maxContentBytes = 10 },
      handler: { exchange in
        _ = try await exchange.collectContent()
        try await exchange.send(.ok)
      }
    ) { server in
      let client = try server.connect()
      try await client.send("PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n")
      let answer = try await client.receiveAnswer()
      #expect(answer.status == 413)
      #expect(answer["Connection"] == "close")
    }
  }

  @Test func answersAClientThatStillSendsTooMuch() async throws {
    try await withServer(
      { $0.limits.maxContentBytes = 1000 },
      handler: { exchange in
        _ = try await exchange.collectContent()
        try await exchange.send(.ok)
      }
    ) { server in
      let client = try server.connect()
      try await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\n\r\n")
      try await client.send([UInt8](repeating: 0x78, count: 4_000_000))
      #expect(try await client.receiveAnswer().status == 413)
    }
  }

  @Test func holdsTheHandlersOwnLimit() async throws {
    try await withServer(handler: { exchange in
      _ = try await exchange.collectContent(limit: 3)
      try await exchange.send(.ok)
    }) { server in
      for body in [
        "Content-Length: 4\r\n\r\nabcd", "Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
      ] {
        let client = try server.connect()
        try await client.send("PUT / HTTP/1.1\r\nHost: h\r\n" + body)
        #expect(try await client.receiveAnswer().status == 413)
      }
    }
  }

  @Test func boundsTheBytesInFlight() async throws {
    let holding = Occurrences<Void>()
    let release = Occurrences<Void>()
    try await withServer(
      { ($0.maxBytesInFlight, $0.loops) = (1000, 1) },
      handler: { exchange in
        _ = try await exchange.collectContent()
        if exchange.request.query != nil {
          await holding.add(())
          await release.next()
        }
        try await exchange.send(.ok)
      }
    ) { server in
      let content = String(repeating: "x", count: 600)
      let first = try server.connect()
      try await first.send("PUT /?hold HTTP/1.1\r\nHost: h\r\nContent-Length: 600\r\n\r\n" + content)
      await holding.next()
      let second = try server.connect()
      try await second.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 600\r\n\r\n" + content)
      let refused = try await second.receiveAnswer()
      #expect(refused.status == 503)
      #expect(refused["Retry-After"] == "1")
      await release.add(())
      #expect(try await first.receiveAnswer().status == 200)
      try await first.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 600\r\n\r\n" + content)
      #expect(try await first.receiveAnswer().status == 200)
    }
  }

  @Test func readsOnAfterContentThatTheHandlerLeft() async throws {
    try await withServer(handler: { try await $0.send(.ok) }) { server in
      let client = try server.connect()
      try await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello")
      #expect(try await client.receiveAnswer()["Connection"] == nil)
      try await client.send("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n")
      #expect(try await client.receiveAnswer().status == 200)
      try await client.send("hello\r\n0\r\n\r\n")
      #expect(try await client.get("/").status == 200)
    }
  }

  @Test func closesAfterTooMuchContentThatTheHandlerLeft() async throws {
    try await withServer({ $0.maxDiscardedBytes = 1000 }, handler: { try await $0.send(.ok) }) { server in
      let client = try server.connect()
      try await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
      try await client.send([UInt8](repeating: 0x78, count: 100_000))
      #expect(try await client.receiveAnswer()["Connection"] == "close")
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func givesContentChunkByChunkWhileTheAnswerStreams() async throws {
    try await withServer(handler: { exchange in
      try await exchange.startStream(.ok, fields: ["Content-Type": "application/x-ndjson"])
      while let chunk = try await exchange.nextContentChunk() {
        try await exchange.write(Array("{\"got\":\(chunk.count)}\n".utf8))
      }
      try await exchange.write(Array("{\"finished\":true}\n".utf8))
    }) { server in
      let client = try server.connect()
      for _ in 0..<2 {
        try await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        // The head and each line come while the request is still being sent.
        #expect(try await client.receiveHead().status == 200)
        for count in 1...20 {
          let content = String(repeating: "x", count: count)
          try await client.send(String(count, radix: 16) + "\r\n" + content + "\r\n")
          #expect(try await client.receiveChunk() == "{\"got\":\(count)}\n")
        }
        try await client.send("0\r\n\r\n")
        #expect(try await client.receiveChunk() == "{\"finished\":true}\n")
        #expect(try await client.receiveChunk() == nil)
      }
    }
  }

  @Test func sendsContinueBeforeAStreamThatIsToReadContent() async throws {
    try await withServer(handler: { exchange in
      try await exchange.startStream(.ok)
      while let chunk = try await exchange.nextContentChunk() { try await exchange.write(chunk) }
    }) { server in
      let client = try server.connect()
      try await client.send(
        "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n")
      #expect(try await client.receiveHead().status == 100)
      #expect(try await client.receiveHead().status == 200)
      try await client.send("1\r\nx\r\n0\r\n\r\n")
      #expect(try await client.receiveChunk() == "x")
    }
  }

  @Test func tellsOfContentThatIsCutOff() async throws {
    let errors = Occurrences<ExchangeError?>()
    try await withServer(handler: { exchange in
      do throws(ExchangeError) {
        _ = try await exchange.collectContent()
      } catch {
        await errors.add(error)
        throw error
      }
    }) { server in
      let client = try server.connect()
      try await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhel")
      client.halfClose()
      #expect(await errors.next() == .peerClosed)
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func cutsTheStreamWhereContentTurnsOutMalformed() async throws {
    try await withServer(handler: { exchange in
      try await exchange.startStream(.ok)
      while let chunk = try await exchange.nextContentChunk() { try await exchange.write(chunk) }
    }) { server in
      let client = try server.connect()
      try await client.send("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
      #expect(try await client.receiveHead().status == 200)
      #expect(try await client.receiveChunk() == "x")
      try await client.send("nonsense\r\n" + RequestRefusalTests.smuggled)
      // Neither the stream's proper end nor another answer.
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func closesWhereContentThatTheHandlerLeftIsMalformed() async throws {
    try await withServer(handler: { try await $0.send(.ok) }) { server in
      let client = try server.connect()
      try await client.send(
        "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"
          + RequestRefusalTests.smuggled)
      #expect(try await client.receiveAnswer().status == 200)
      #expect(try await client.isClosedByPeer())
    }
  }

  @Test func refusesMalformedChunksWhileTheHandlerReads() async throws {
    try await withServer(handler: { exchange in
      _ = try await exchange.collectContent()
      try await exchange.send(.ok)
    }) { server in
      let client = try server.connect()
      try await client.send(
        "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5 \r\nhello\r\n0\r\n\r\n"
          + RequestRefusalTests.smuggled)
      #expect(try await client.receiveAnswer().status == 400)
      #expect(try await client.isClosedByPeer())
    }
  }
}
