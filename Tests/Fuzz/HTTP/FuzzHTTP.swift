import Checker
import FuzzSupport
import HTTPServer

/// The HTTP codec: any bytes, in any pieces, give the same events, and each byte is looked at a bounded number
/// of times.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  guard let input = unsafe FuzzInput(data, size) else { return 0 }
  var limits = RequestDecoder.Limits()
  if input.flags & 1 != 0 {
    limits.maxRequestLineBytes = 64
    limits.maxHeadBytes = 128
    limits.maxFields = 4
    limits.maxContentBytes = 40
    limits.maxChunkExtensionBytes = 8
  }
  let whole = events(of: input, ends: [input.bytes.count], limits)
  for split in [Split.bytes, .random(seed: UInt64(input.seed)), .two(at: Int(input.seed))] {
    let found = events(of: input, ends: split.chunkEnds(of: input.bytes), limits)
    if found != whole { input.fail("whole: \(whole)\n\(split): \(found)") }
  }
  return 0
}

/// What a decoder makes of some bytes.
private enum DecodedEvent: Equatable {
  case head(Request)
  case content([UInt8])
  case end
  case refused(RequestError)
}

/// What a decoder makes of the input, pieces of content joined.
private func events(
  of input: FuzzInput, ends: [Int], _ limits: RequestDecoder.Limits
) -> [DecodedEvent] {
  var decoder = RequestDecoder(limits: limits)
  var events: [DecodedEvent] = []
  var content: [UInt8] = []
  var start = 0
  for end in ends {
    let piece = Array(input.bytes[start..<end])
    start = end
    var position = 0
    var turns = 0
    reading: while true {
      turns += 1
      if turns > 3 * piece.count + 8 { input.fail("\(turns) events from \(piece.count) bytes") }
      let event = decoder.next(in: piece.span, at: &position)
      if case .content(let range) = event {
        content += piece[range]
        continue
      }
      if event == .needsInput { break reading }
      if !content.isEmpty { events.append(.content(content)) }
      content = []
      switch event {
      case .head(let request): events.append(.head(request))
      case .end: events.append(.end)
      case .refused(let error): return events + [.refused(error)]
      case .needsInput, .content: break
      }
    }
  }
  if decoder.examinedBytes > 4 * input.bytes.count + 16 {
    input.fail("\(decoder.examinedBytes) bytes looked at, of \(input.bytes.count)")
  }
  return content.isEmpty ? events : events + [.content(content)]
}

/// Writes the seed corpus where that is asked for.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
  SeedCorpus.writeIfAsked(requests)
  return 0
}

@Sendable private func requests() -> [[UInt8]] {
  [
    "GET /a/b?x=1&y HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET http://o:8/p?q HTTP/1.1\r\nHost: h\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: [::1]:80\r\nConnection: te , Close\r\n\r\n",
    "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nHost: h\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
      + "5\r\nhello\r\n00A;x=\"y\";z\r\n0123456789\r\n0\r\nT: u\r\nV: w\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\nx",
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "\r\nBREW / HTTP/1.2\r\nHost: h\r\nA:\tb \r\n\r\n",
    "GET / HTTP/1.1\r\nHost : h\r\n a\r\n\r\n",
  ].map { [0, 7] + Array($0.utf8) } + [[1, 3] + Array("GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n".utf8)]
}
