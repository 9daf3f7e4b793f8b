import BlockDiff
import Foundation
import Testing

/// Live views of /v1/stream (§5.8).
struct SourceEventTests {
  private struct Control: Equatable {
    var offset: String
    var cursor: Int?
    var isUpToDate: Bool
    var isClosed: Bool

    init(_ event: EventReader.Event?) throws {
      let event = try #require(event)
      #expect(event.name == "control")
      let json = try JSONReader.value(of: event.data)
      offset = try #require(json["streamNextOffset"]?.string?.description)
      cursor = json["streamCursor"]?.string.flatMap { Int($0.description) }
      isUpToDate = json["upToDate"]?.boolean ?? false
      isClosed = json["streamClosed"]?.boolean ?? false
      #expect(event.id == offset)
    }
  }

  private static func data(_ event: EventReader.Event?) throws -> String {
    let event = try #require(event)
    #expect(event.name == "data")
    return String(decoding: event.data, as: UTF8.self)
  }

  @Test func sendsWhatIsThereAndWhatComes() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      let text = ["Content-Type": "text/plain"]
      let path = "/v1/stream/a"
      let created = try writer.request("PUT", path, text, body: Array(" one\ntwo\r\n".utf8))
      let reader = try EventReader(test.connect(), "\(path)?offset=-1&live=sse")
      #expect(reader.head["Content-Type"] == "text/event-stream")
      #expect(reader.head["Stream-SSE-Data-Encoding"] == nil)
      #expect(reader.head["Cache-Control"] == "no-cache")
      #expect(try Self.data(reader.next()) == " one\ntwo\n")
      let first = try Control(reader.next())
      #expect(first.offset == created["Stream-Next-Offset"] && first.isUpToDate && !first.isClosed)
      #expect(first.cursor != nil)
      // No line of the source can be an event.
      _ = try writer.post(path, "x\n\nevent: control\rdata: {}", text)
      #expect(try Self.data(reader.next()) == "x\n\nevent: control\ndata: {}")
      _ = try Control(reader.next())
      _ = try writer.post(path, "end", text.merging(["Stream-Closed": "true"]) { $1 })
      #expect(try Self.data(reader.next()) == "end")
      let last = try Control(reader.next())
      #expect(last.isClosed && last.isUpToDate && last.cursor == nil)
      #expect(try reader.next() == nil)
    }
  }

  @Test func goesOnFromTheLastEventID() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      let text = ["Content-Type": "text/plain"]
      let path = "/v1/stream/a"
      let one = try writer.request("PUT", path, text, body: Array("one".utf8))
      let id = try #require(one["Stream-Next-Offset"])
      _ = try writer.post(path, "two", text)
      // It wins over the query.
      let reader = try EventReader(test.connect(), "\(path)?offset=-1&live=sse", ["Last-Event-ID": id])
      #expect(try Self.data(reader.next()) == "two")
      let empty = try EventReader(test.connect(), "\(path)?offset=now&live=sse")
      #expect(try Control(empty.next()).isUpToDate)
    }
  }

  @Test func sendsBinaryBytesAsBase64() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      let bytes = (0...255).map { UInt8($0) }
      _ = try writer.request("PUT", "/v1/stream/a", ["Content-Type": "image/png"], body: bytes)
      let reader = try EventReader(test.connect(), "/v1/stream/a?offset=-1&live=sse")
      #expect(reader.head["Stream-SSE-Data-Encoding"] == "base64")
      let data = try Self.data(reader.next())
      #expect(Data(base64Encoded: data) == Data(bytes))
      _ = try Control(reader.next())
    }
  }

  @Test func sendsMessagesAsArrays() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      let json = ["Content-Type": "application/json"]
      _ = try writer.request("PUT", "/v1/stream/a", json, body: Array(#"[{"a":"x\ny"},2]"#.utf8))
      let reader = try EventReader(test.connect(), "/v1/stream/a?offset=-1&live=sse")
      let first = try JSONReader.value(of: Array(Self.data(reader.next()).utf8))
      #expect(first.array?.count == 2)
      _ = try Control(reader.next())
      _ = try writer.post("/v1/stream/a", "3", json)
      #expect(try Self.data(reader.next()) == "[\n3\n]")
    }
  }

  @Test func neverCutsACharacter() async throws {
    try await TestService.run { test in
      let writer = try test.connect()
      let text = ["Content-Type": "text/plain"]
      let path = "/v1/stream/a"
      let bytes = Array("é🙂".utf8)
      _ = try writer.request("PUT", path, text, body: Array(bytes[..<3]))
      let reader = try EventReader(test.connect(), "\(path)?offset=-1&live=sse")
      #expect(try Self.data(reader.next()) == "é")
      let first = try Control(reader.next())
      // The byte that is held is read from here on.
      #expect(first.isUpToDate && first.offset.hasSuffix("_0000000000000002"))
      _ = try writer.request("POST", path, text, body: Array(bytes[3..<5]))
      _ = try writer.request("POST", path, text, body: Array(bytes[5...]))
      #expect(try Self.data(reader.next()) == "🙂")
      #expect(try Control(reader.next()).offset.hasSuffix("_0000000000000006"))
    }
  }

  @Test func endsAfterItsTimeAndWithTheStream() async throws {
    try await TestService.run(["streams.liveDuration": "1s"]) { test in
      let writer = try test.connect()
      _ = try writer.request("PUT", "/v1/stream/a")
      let reader = try EventReader(test.connect(), "/v1/stream/a?offset=-1&live=sse")
      #expect(try Control(reader.next()).isUpToDate)
      #expect(try reader.next() == nil)
      _ = try writer.request("PUT", "/v1/stream/a", ["Stream-Closed": "true"])
      _ = try writer.request("POST", "/v1/stream/a", ["Stream-Closed": "true"], body: [])
      let closed = try EventReader(test.connect(), "/v1/stream/a?offset=now&live=sse")
      #expect(try Control(closed.next()).isClosed)
      #expect(try closed.next() == nil)
    }
  }
}
