/// The receiving half of HTTP/1.1 (RFC 9112): bytes in, requests and their content out.
///
/// No sockets and no clocks. Any way of splitting the bytes over calls gives the same events; a body's
/// `.content` events may be split differently, their bytes are the same. After a refusal the decoder reads
/// nothing more: what follows a request that cannot be framed is never taken for another one.
package struct RequestDecoder: ~Copyable {
  /// How much a client may send before it is refused.
  package struct Limits: Equatable, Sendable {
    /// Bytes of a request line, its CRLF not counted.
    package var maxRequestLineBytes = 8 << 10
    /// Bytes of a request line and its field lines, line ends and the empty line counted; of a trailer section.
    package var maxHeadBytes = 32 << 10
    /// Field lines of a head or of a trailer section.
    package var maxFields = 128
    /// Bytes of content, transfer coding removed.
    package var maxContentBytes = 8 << 20
    /// Bytes of one chunk's extensions, from the first `;`. All chunks of a body together may have 64 times as
    /// many: else one-byte chunks would cost 256 times their size to read.
    package var maxChunkExtensionBytes = 256

    /// The default limits.
    package init() {}
  }

  /// What the bytes so far mean.
  package enum Event: Equatable, Sendable {
    /// All input is used; more decides.
    case needsInput
    /// A request begins.
    case head(Request)
    /// These bytes of the input are content.
    case content(Range<Int>)
    /// The request is complete. The next byte begins another one.
    case end
    /// The input is no acceptable request. Given again on every further call.
    case refused(RequestError)
  }

  enum State: Equatable {
    case requestLine
    case fieldLines
    case content(remaining: Int)
    case chunkSize(digits: Int)
    case chunkExtension(bytes: Int)
    case chunkSizeLineFeed
    case chunkData(remaining: Int)
    case chunkEndCarriageReturn
    case chunkEndLineFeed
    case trailerLines
    case ended
    case refused(RequestError)
  }

  /// The limits that hold for the next byte.
  package var limits: Limits
  /// Bytes looked at so far, over all calls: a test holds it to a constant for each byte of input.
  package private(set) var examinedBytes = 0

  private(set) var state = State.requestLine
  /// The head or trailer section so far.
  private var head: [UInt8] = []
  private var lineStart = 0
  private var entries: [Fields.Entry] = []
  private var requestLine: RequestLine?
  private var fields = FramingFields()
  private var hasSkippedEmptyLine = false
  private var chunkSize = 0
  private var contentBytes = 0
  private var extensionBytes = 0

  /// A decoder at the start of a connection.
  package init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Whether the next byte would begin a request.
  package var isBetweenRequests: Bool { state == .requestLine && head.isEmpty }

  /// Takes bytes of `input` from `position` on up to the next event, and moves `position` behind them.
  ///
  /// - Complexity: O(bytes taken).
  package mutating func next(in input: Span<UInt8>, at position: inout Int) -> Event {
    let start = position
    defer { examinedBytes += position - start }
    do throws(RequestError) {
      while true {
        if let event = try step(input, &position) { return event }
      }
    } catch {
      state = .refused(error)
      (head, entries) = ([], [])
      return .refused(error)
    }
  }

  /// Takes at least one byte, changes the state, or gives an event.
  private mutating func step(_ input: Span<UInt8>, _ position: inout Int) throws(RequestError) -> Event? {
    switch state {
    case .requestLine:
      guard try takeLine(input, &position) else { return .needsInput }
      try endRequestLine()
      return nil
    case .fieldLines:
      guard try takeLine(input, &position) else { return .needsInput }
      return try endFieldLine()
    case .trailerLines:
      guard try takeLine(input, &position) else { return .needsInput }
      try endTrailerLine()
      return nil
    case .content(let remaining):
      return try takeContent(input, &position, remaining)
    case .chunkData(let remaining):
      return try takeContent(input, &position, remaining)
    case .ended:
      state = .requestLine
      hasSkippedEmptyLine = false
      return .end
    case .refused(let error):
      throw error
    case .chunkSize, .chunkExtension, .chunkSizeLineFeed, .chunkEndCarriageReturn, .chunkEndLineFeed:
      guard position < input.count else { return .needsInput }
      try takeChunkByte(input[position])
      position += 1
      return nil
    }
  }

  // MARK: - Lines

  /// Adds input to `head` up to the end of a line. False where the line has not ended yet.
  private mutating func takeLine(
    _ input: Span<UInt8>, _ position: inout Int
  ) throws(RequestError) -> Bool {
    guard position < input.count else { return false }
    let isRequestLine = state == .requestLine
    if isRequestLine, head.isEmpty {
      // Refused at the first byte: a TLS handshake has no line end to wait for.
      let byte = input[position]
      guard ByteClass.isToken(byte) || byte == ByteClass.carriageReturn || byte == ByteClass.lineFeed else {
        throw .malformed(.method)
      }
      head.reserveCapacity(512)
    }
    let limit = isRequestLine ? limits.maxRequestLineBytes + 2 : limits.maxHeadBytes
    let budget = limit - head.count
    let available = min(input.count - position, max(budget, 0))
    let lineFeed = input.firstIndex(of: ByteClass.lineFeed, in: position..<position + available)
    let end = lineFeed.map { $0 + 1 } ?? position + available
    unsafe input.extracting(position..<end).withUnsafeBufferPointer { unsafe head.append(contentsOf: $0) }
    position = end
    if lineFeed == nil {
      guard available < budget else {
        throw isRequestLine
          ? .requestLineTooLong(limit: limits.maxRequestLineBytes)
          : .headTooLarge(limit: limits.maxHeadBytes)
      }
      return false
    }
    guard head.count - lineStart >= 2, head[head.count - 2] == ByteClass.carriageReturn else {
      throw .malformed(.bareLineFeed)
    }
    return true
  }

  /// The line just taken, without its CRLF.
  private var line: Range<Int> { lineStart..<head.count - 2 }

  private mutating func endRequestLine() throws(RequestError) {
    if line.isEmpty {
      // RFC 9112 §2.2: an empty line before the request line is ignored. One, so that a client cannot go on.
      guard !hasSkippedEmptyLine else { throw .malformed(.requestLine) }
      hasSkippedEmptyLine = true
      head.removeAll(keepingCapacity: true)
      return
    }
    requestLine = try RequestLine(head.span, in: line)
    lineStart = head.count
    state = .fieldLines
    fields = FramingFields()
    contentBytes = 0
    extensionBytes = 0
    entries.reserveCapacity(16)
  }

  private mutating func parseFieldLine() throws(RequestError) -> Fields.Entry {
    guard entries.count < limits.maxFields else { throw .tooManyFields(limit: limits.maxFields) }
    do {
      let entry = try FieldLine.parse(head.span, in: line)
      lineStart = head.count
      entries.append(entry)
      return entry
    } catch {
      throw .malformed(error)
    }
  }

  private mutating func endFieldLine() throws(RequestError) -> Event? {
    if line.isEmpty { return try endHead() }
    let entry = try parseFieldLine()
    var fields = fields
    do {
      try fields.read(head.span.extracting(entry.name), head.span.extracting(entry.value))
    } catch {
      throw .malformed(error)
    }
    self.fields = fields
    return nil
  }

  private mutating func endTrailerLine() throws(RequestError) {
    guard line.isEmpty else {
      _ = try parseFieldLine()
      return
    }
    clearHead()
    state = .ended
  }

  private mutating func clearHead() {
    head = []
    entries = []
    lineStart = 0
  }

  private mutating func endHead() throws(RequestError) -> Event {
    guard let requestLine else { preconditionFailure("field lines follow a request line") }
    try fields.check(requestLine)
    let framing = fields.framing
    // Moved out and not copied: the request owns its head from here on.
    let request = Request(
      method: requestLine.method, version: requestLine.version, targetForm: requestLine.form,
      fields: Fields(bytes: head, entries: entries), framing: framing,
      isPersistent: fields.isPersistent(requestLine.version),
      expectsContinue: fields.expectsContinue && requestLine.version == .http11 && framing != .none,
      pathRange: requestLine.path, queryRange: requestLine.query, authorityRange: requestLine.authority)
    clearHead()
    self.requestLine = nil
    switch framing {
    case .none, .length(0): state = .ended
    case .length(let count): state = .content(remaining: count)
    case .chunked: state = .chunkSize(digits: 0)
    }
    return .head(request)
  }

  // MARK: - Content

  private mutating func takeContent(
    _ input: Span<UInt8>, _ position: inout Int, _ remaining: Int
  ) throws(RequestError) -> Event {
    // Refused before any of it is read, and so before `100 Continue`.
    guard remaining <= limits.maxContentBytes - contentBytes else {
      throw .contentTooLarge(limit: limits.maxContentBytes)
    }
    let count = min(remaining, input.count - position)
    guard count > 0 else { return .needsInput }
    let range = position..<position + count
    position += count
    contentBytes += count
    if case .chunkData = state {
      state = count == remaining ? .chunkEndCarriageReturn : .chunkData(remaining: remaining - count)
    } else {
      state = count == remaining ? .ended : .content(remaining: remaining - count)
    }
    return .content(range)
  }

  private mutating func takeChunkByte(_ byte: UInt8) throws(RequestError) {
    switch state {
    case .chunkSize(let digits):
      if let value = ByteClass.hexValue(byte) {
        guard digits < 16, chunkSize >> 59 == 0 else { throw .malformed(.chunkSize) }
        chunkSize = chunkSize << 4 | Int(value)
        state = .chunkSize(digits: digits + 1)
      } else if digits > 0, byte == 0x3B {
        state = .chunkExtension(bytes: 1)
      } else if digits > 0, byte == ByteClass.carriageReturn {
        state = .chunkSizeLineFeed
      } else {
        throw .malformed(byte == ByteClass.lineFeed ? .bareLineFeed : .chunkSize)
      }
    case .chunkExtension(let bytes):
      if byte == ByteClass.carriageReturn {
        state = .chunkSizeLineFeed
        return
      }
      if byte == ByteClass.lineFeed { throw .malformed(.bareLineFeed) }
      extensionBytes += 1
      guard ByteClass.isFieldValue(byte), bytes < limits.maxChunkExtensionBytes,
        extensionBytes <= limits.maxChunkExtensionBytes * 64
      else { throw .malformed(.chunkExtension) }
      state = .chunkExtension(bytes: bytes + 1)
    case .chunkSizeLineFeed:
      guard byte == ByteClass.lineFeed else { throw .malformed(.bareCarriageReturn) }
      state = chunkSize == 0 ? .trailerLines : .chunkData(remaining: chunkSize)
      chunkSize = 0
    case .chunkEndCarriageReturn:
      guard byte == ByteClass.carriageReturn else { throw .malformed(.chunkEnd) }
      state = .chunkEndLineFeed
    case .chunkEndLineFeed:
      guard byte == ByteClass.lineFeed else { throw .malformed(.chunkEnd) }
      state = .chunkSize(digits: 0)
    default:
      preconditionFailure("only chunk framing is read byte by byte")
    }
  }
}
