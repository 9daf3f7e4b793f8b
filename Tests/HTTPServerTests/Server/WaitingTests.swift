import Foundation
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct WaitingTests {
  /// What a handler of these tests hands to its test.
  typealias Signals = Occurrences<Signal>

  @Test func aWakeEndsTheWait() async throws {
    let signals = Signals()
    try await withServer(handler: { exchange in
      let signal = exchange.makeSignal()
      await signals.add(signal)
      try await exchange.startStream(.ok)
      for _ in 0..<3 {
        let wakeup = await exchange.wait(for: signal, until: .never)
        try await exchange.write(Array("\(wakeup)".utf8))
      }
    }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      let signal = await signals.next()
      _ = try await client.receiveHead()
      for _ in 0..<3 {
        signal.wake()
        #expect(try await client.receiveChunk() == "signalled")
      }
      #expect(try await client.receiveChunk() == nil)
    }
  }

  @Test func wakesBeforeTheWaitCoalesceAndAreNotLost() async throws {
    try await withServer(handler: { exchange in
      let signal = exchange.makeSignal()
      for _ in 0..<100 { signal.wake() }
      let first = await exchange.wait(for: signal, until: .never)
      let second = await exchange.wait(for: signal, until: exchange.now.advanced(by: .milliseconds(1)))
      try await exchange.send(.ok, content: Array("\(first) \(second)".utf8))
    }) { server in
      let client = try server.connect()
      #expect(try await client.get("/").content == "signalled deadlinePassed")
    }
  }

  @Test func aDeadlineEndsTheWait() async throws {
    try await withServer(handler: { exchange in
      let deadline = exchange.now.advanced(by: .milliseconds(20))
      let wakeup = await exchange.wait(until: deadline)
      try await exchange.send(.ok, content: Array("\(wakeup) \(LoopInstant.now >= deadline)".utf8))
    }) { server in
      let client = try server.connect()
      #expect(try await client.get("/").content == "deadlinePassed true")
    }
  }

  @Test(arguments: [true, false])
  func theClientsLeavingEndsTheWait(halfCloses: Bool) async throws {
    let began = Occurrences<Void>()
    let wakeups = Occurrences<Wakeup>()
    try await withServer(handler: { exchange in
      try await exchange.startStream(.ok)
      await began.add(())
      await wakeups.add(await exchange.wait(for: exchange.makeSignal(), until: .never))
    }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      await began.next()
      if halfCloses { client.halfClose() } else { client.close() }
      #expect(await wakeups.next() == .peerClosed)
    }
  }

  @Test func anExchangeEndsWithItsHandler() async throws {
    let exchanges = Lock<[Exchange]>([])
    try await withServer(handler: { exchange in
      var outcome = "first"
      if let earlier = exchanges.withLock({ $0.first }) {
        do throws(ExchangeError) {
          try await earlier.send(.ok)
        } catch {
          outcome = "\(error)"
        }
      }
      exchanges.withLock { $0.append(exchange) }
      try await exchange.send(.ok, content: Array(outcome.utf8))
    }) { server in
      let client = try server.connect()
      #expect(try await client.get("/").content == "first")
      #expect(try await client.get("/").content == "ended")
    }
  }

  @Test func anAttendantAttendsToWakesWithinTheWait() async throws {
    let signals = Signals()
    try await withServer(handler: { exchange in
      let signal = exchange.makeSignal()
      await signals.add(signal)
      try await exchange.startStream(.ok)
      var count = 0
      let wakeup = await exchange.wait(for: signal, until: .never) {
        count += 1
        guard count < 3, (try? exchange.deliverAtOnce(Array("\(count)".utf8))) == true else { return nil }
        return .never
      }
      try await exchange.write(Array("\(wakeup) after \(count)".utf8))
    }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      let signal = await signals.next()
      _ = try await client.receiveHead()
      for expected in ["1", "2", "signalled after 3"] {
        signal.wake()
        #expect(try await client.receiveChunk() == expected)
      }
      #expect(try await client.receiveChunk() == nil)
    }
  }

  /// An attendant that puts the deadline off is not told of the first one; one that moves it closer is told of that.
  @Test(arguments: [true, false])
  func anAttendantMovesTheDeadline(putsItOff: Bool) async throws {
    try await withServer(handler: { exchange in
      let signal = exchange.makeSignal()
      try await exchange.startStream(.ok)
      let soon = exchange.now.advanced(by: .milliseconds(500))
      let late = exchange.now.advanced(by: .milliseconds(putsItOff ? 700 : 60_000))
      // From its own loop, so that the wake comes in the turn after this one.
      signal.wake()
      let wakeup = await exchange.wait(for: signal, until: putsItOff ? soon : late) {
        putsItOff ? late : soon
      }
      let isInTime = putsItOff ? LoopInstant.now >= late : LoopInstant.now < late
      try await exchange.write(Array("\(wakeup) \(isInTime)".utf8))
    }) { server in
      let client = try server.connect()
      #expect(try await client.get("/").content == "deadlinePassed true")
    }
  }

  @Test func theClientsLeavingEndsAnAttendedWait() async throws {
    let signals = Signals()
    let wakeups = Occurrences<Wakeup>()
    let attended = Lock(0)
    try await withServer(handler: { exchange in
      let signal = exchange.makeSignal()
      await signals.add(signal)
      try await exchange.startStream(.ok)
      let wakeup = await exchange.wait(for: signal, until: .never) {
        attended.withLock { $0 += 1 }
        return .never
      }
      // Nobody waits any more; it has come when this task is back from an actor.
      signal.wake()
      await signals.add(signal)
      await wakeups.add(wakeup)
    }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      _ = await signals.next()
      client.close()
      #expect(await wakeups.next() == .peerClosed)
      #expect(attended.withLock { $0 } == 0)
    }
  }

  /// Whoever wakes readers of its own loop has its answer before they are served, however many they are.
  @Test func whoWakesIsAnsweredBeforeThoseItWakes() async throws {
    let signals = Signals()
    let isAnswered = DispatchSemaphore(value: 0)
    try await withServer({ $0.loops = 1 }) { exchange in
      let signal = exchange.makeSignal()
      guard exchange.request.path.elementsEqual("/reader".utf8) else {
        await signals.next().wake()
        return try await exchange.send(.ok)
      }
      await signals.add(signal)
      try await exchange.startStream(.ok)
      _ = await exchange.wait(for: signal, until: .never) {
        let isFirst = isAnswered.wait(timeout: .now() + 10) == .success
        _ = try? exchange.deliverAtOnce(Array(isFirst ? "after".utf8 : "before".utf8))
        return nil
      }
    } _: { server in
      let reader = try server.connect()
      try await reader.send("GET /reader HTTP/1.1\r\nHost: h\r\n\r\n")
      _ = try await reader.receiveHead()
      let writer = try server.connect()
      #expect(try await writer.get("/").content == "")
      isAnswered.signal()
      #expect(try await reader.receiveChunk() == "after")
    }
  }

  @Test func wakesHundredsOfReaders() async throws {
    let count = 500
    let signals = Signals()
    try await withServer(handler: { exchange in
      let signal = exchange.makeSignal()
      await signals.add(signal)
      try await exchange.startStream(.ok)
      _ = await exchange.wait(for: signal, until: .never)
      try await exchange.write(Array("x".utf8))
    }) { server in
      var clients: [TestClient] = []
      var waiting: [Signal] = []
      for _ in 0..<count {
        let client = try server.connect()
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        clients.append(client)
      }
      for _ in 0..<count { waiting.append(await signals.next()) }
      for signal in waiting { signal.wake() }
      for client in clients { #expect(try await client.receiveAnswer().content == "x") }
    }
  }

  @Test func wakesFromManyThreadsAreNotLost() async throws {
    let rounds = 2000
    let signals = Signals()
    let counter = Lock(0)
    try await withServer(handler: { exchange in
      let signal = exchange.makeSignal()
      for _ in 0..<2 { await signals.add(signal) }
      var wakeup = Wakeup.signalled
      while wakeup == .signalled, counter.withLock({ $0 }) < 2 * rounds {
        wakeup = await exchange.wait(for: signal, until: .never)
      }
      try await exchange.send(.ok, content: Array("\(wakeup)".utf8))
    }) { server in
      let client = try server.connect()
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      await withDiscardingTaskGroup { tasks in
        for _ in 0..<2 {
          tasks.addTask {
            let signal = await signals.next()
            for _ in 0..<rounds {
              counter.withLock { $0 += 1 }
              signal.wake()
            }
          }
        }
      }
      #expect(try await client.receiveAnswer().content == "signalled")
    }
  }
}
