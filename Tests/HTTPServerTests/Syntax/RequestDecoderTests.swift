import Testing

@testable import HTTPServer

@Suite struct RequestDecoderTests {
  // MARK: - Requests that are taken

  struct Accepted: CustomTestStringConvertible, Sendable {
    let name: String
    let input: String
    let events: [Decoded]
    var testDescription: String { name }
  }

  static let accepted = [
    Accepted(
      name: "origin form", input: "GET /a/b?x=1&y HTTP/1.1\r\nHost: h\r\n\r\n",
      events: [.head("GET /a/b ?x=1&y http11 origin none for h Host=h"), .end]),
    Accepted(
      name: "empty query", input: "GET /a? HTTP/1.1\r\nHost: h\r\n\r\n",
      events: [.head("GET /a ? http11 origin none for h Host=h"), .end]),
    Accepted(
      name: "absolute form wins over Host", input: "GET http://o:8/p?q HTTP/1.1\r\nHost: h\r\n\r\n",
      events: [.head("GET /p ?q http11 absolute none for o:8 Host=h"), .end]),
    Accepted(
      name: "absolute form without a path", input: "GET HTTPS://o?q HTTP/1.1\r\nHost: h\r\n\r\n",
      events: [.head("GET / ?q http11 absolute none for o Host=h"), .end]),
    Accepted(
      name: "asterisk form", input: "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
      events: [.head("OPTIONS * http11 asterisk none for h Host=h"), .end]),
    Accepted(
      name: "empty Host", input: "GET / HTTP/1.1\r\nHost:\r\n\r\n",
      events: [.head("GET / http11 origin none for  Host="), .end]),
    Accepted(
      name: "IPv6 Host", input: "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
      events: [.head("GET / http11 origin none for [::1]:80 Host=[::1]:80"), .end]),
    Accepted(
      name: "one empty line before", input: "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
      events: [.head("GET / http11 origin none for h Host=h"), .end]),
    Accepted(
      name: "white space around values", input: "GET / HTTP/1.1\r\nHost: \t h \t\r\nA:b c\r\n\r\n",
      events: [.head("GET / http11 origin none for h Host=h A=b c"), .end]),
    Accepted(
      name: "own method", input: "BREW / HTTP/1.1\r\nHost: h\r\n\r\n",
      events: [.head("BREW / http11 origin none for h Host=h"), .end]),
    Accepted(
      name: "HTTP/1.0 without Host closes", input: "GET / HTTP/1.0\r\n\r\n",
      events: [.head("GET / http10 origin none close"), .end]),
    Accepted(
      name: "HTTP/1.0 that stays", input: "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
      events: [.head("GET / http10 origin none Connection=Keep-Alive"), .end]),
    Accepted(
      name: "HTTP/1.2 counts as 1.1", input: "GET / HTTP/1.2\r\nHost: h\r\n\r\n",
      events: [.head("GET / http11 origin none for h Host=h"), .end]),
    Accepted(
      name: "close among options", input: "GET / HTTP/1.1\r\nHost: h\r\nConnection: te , Close\r\n\r\n",
      events: [.head("GET / http11 origin none close for h Host=h Connection=te , Close"), .end]),
    Accepted(
      name: "content by length", input: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
      events: [
        .head("POST / http11 origin length(5) for h Host=h Content-Length=5"), .content("hello"), .end,
      ]),
    Accepted(
      name: "content of length 0", input: "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
      events: [.head("POST / http11 origin length(0) for h Host=h Content-Length=0"), .end]),
    Accepted(
      name: "chunks, extensions and trailers",
      input: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
        + "5\r\nhello\r\n00A;x=\"y\";z\r\n0123456789\r\n0\r\nT: u\r\nV: w\r\n\r\n",
      events: [
        .head("POST / http11 origin chunked for h Host=h Transfer-Encoding=Chunked"),
        .content("hello0123456789"), .end,
      ]),
    Accepted(
      name: "Expect",
      input: "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\nx",
      events: [
        .head("POST / http11 origin length(1) continue for h Host=h Expect=100-Continue Content-Length=1"),
        .content("x"), .end,
      ]),
    Accepted(
      name: "Expect without content", input: "GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n",
      events: [.head("GET / http11 origin none for h Host=h Expect=100-continue"), .end]),
    Accepted(
      name: "Expect in HTTP/1.0 is ignored", input: "GET / HTTP/1.0\r\nExpect: miracles\r\n\r\n",
      events: [.head("GET / http10 origin none close Expect=miracles"), .end]),
    Accepted(
      name: "bytes over 127 in values", input: "GET / HTTP/1.1\r\nHost: h\r\nA: é\r\n\r\n",
      events: [.head("GET / http11 origin none for h Host=h A=é"), .end]),
    Accepted(
      name: "pipelined requests",
      input: "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n"
        + "POST /2 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
        + "PUT /3 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nyz"
        + "HEAD /4 HTTP/1.1\r\nHost: h\r\n\r\n",
      events: [
        .head("GET /1 http11 origin none for h Host=h"), .end,
        .head("POST /2 http11 origin chunked for h Host=h Transfer-Encoding=chunked"), .content("x"), .end,
        .head("PUT /3 http11 origin length(2) for h Host=h Content-Length=2"), .content("yz"), .end,
        .head("HEAD /4 http11 origin none for h Host=h"), .end,
      ]),
  ]

  @Test(arguments: accepted)
  func takes(_ example: Accepted) {
    #expect(Decoded.events(example.input) == example.events)
  }

  @Test(arguments: accepted)
  func givesTheSameEventsForEverySplitInTwo(_ example: Accepted) {
    let bytes = Array(example.input.utf8)
    for split in 0...bytes.count {
      let events = Decoded.events([Array(bytes[..<split]), Array(bytes[split...])])
      #expect(events == example.events, "split at \(split)")
    }
  }

  @Test(arguments: accepted)
  func givesTheSameEventsByteByByte(_ example: Accepted) {
    #expect(Decoded.events(example.input.utf8.map { [$0] }) == example.events)
  }

  @Test(arguments: 1...40)
  func givesTheSameEventsForRandomSplits(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for example in Self.accepted {
      var rest = Array(example.input.utf8)[...]
      var pieces: [[UInt8]] = []
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(rest.count, 20), using: &random)
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(Decoded.events(pieces) == example.events, "seed \(seed), \(example.name)")
    }
  }

  /// Requests with bytes changed, left out, repeated and moved: whatever they mean, splits do not change it.
  @Test(arguments: 1...20)
  func givesTheSameEventsForDamagedRequests(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sources = Self.accepted.map(\.input) + RequestRefusalTests.all.map(\.input)
    let bytes = Array("\r\n :;,0159aAfF\t\u{0}\u{7F}".utf8)
    for _ in 0..<200 {
      var input = Array(
        (sources.randomElement(using: &random)! + sources.randomElement(using: &random)!).utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<input.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: input[index] = bytes.randomElement(using: &random)!
        case 1 where input.count > 1: input.remove(at: index)
        case 2: input.insert(bytes.randomElement(using: &random)!, at: index)
        default: input.insert(contentsOf: input[index...].prefix(9), at: index)
        }
      }
      let whole = Decoded.events([input])
      let split = Int.random(in: 0...input.count, using: &random)
      let text = String(decoding: input, as: UTF8.self).debugDescription
      #expect(Decoded.events(input.map { [$0] }) == whole, "seed \(seed): \(text)")
      #expect(
        Decoded.events([Array(input[..<split]), Array(input[split...])]) == whole,
        "seed \(seed), split at \(split): \(text)")
    }
  }

  @Test func tellsWhetherARequestHasBegun() {
    var decoder = RequestDecoder()
    var states = [decoder.isBetweenRequests]
    for piece in ["G", "ET / HTTP/1.1\r\nHost: h\r\n\r\n"] {
      _ = Decoded.events([Array(piece.utf8)], &decoder)
      states.append(decoder.isBetweenRequests)
    }
    #expect(states == [true, false, true])
  }

  // MARK: - Cost

  /// A head with many fields, and content in one-byte chunks, with so many of both.
  static func input(_ count: Int) -> [UInt8] {
    let fields = (0..<count).map { "field-\($0): \($0)\r\n" }.joined()
    let chunks = String(repeating: "1\r\nx\r\n", count: count)
    return Array(
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n" + fields + "\r\n" + chunks
        + "0\r\n\r\n").utf8)
  }

  @Test(arguments: [1, 7, 100_000])
  func looksAtEachByteOnce(pieceBytes: Int) {
    for count in [50, 100] {
      let bytes = Self.input(count)
      let pieces = stride(from: 0, to: bytes.count, by: pieceBytes).map {
        Array(bytes[$0..<min($0 + pieceBytes, bytes.count)])
      }
      var decoder = RequestDecoder()
      #expect(Decoded.events(pieces, &decoder).last == .end)
      let examinedBytes = decoder.examinedBytes
      #expect(examinedBytes == bytes.count)
    }
  }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
