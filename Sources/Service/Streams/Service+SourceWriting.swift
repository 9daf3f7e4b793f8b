import BlockDiff
import Configuration
import HTTPServer
import Markup
import StreamStore

// PUT and POST /v1/stream/{path}: creation, forks, appends, closure (§5.1 to §5.3, §4.2).
extension Service {
  // MARK: - Creation

  /// Answers a request that wants a stream to be there.
  func create(_ exchange: Exchange, _ path: StreamPath) async throws {
    let request = exchange.request
    let fields = try CreationFields(request.fields, dialects: dialects)
    let content = try await exchange.collectContent()
    var creation = fields.request
    // Whether a stream that is there is as asked for is looked at first: what it was forked from may be deleted.
    if let stream = try await existing(path) {
      let offset: ByteOffset?
      do {
        offset = try await forkOffset(fields, of: stream)
      } catch StreamError.forkBeyondTail {
        throw StreamError.streamDiffers(.forkOffset)
      }
      try stream.check(creation, source: fields.source, offset: offset)
      return try await sendCreated(exchange, Created(stream: stream, isNew: false))
    }
    creation.fork = try await fork(fields)
    let contentType =
      creation.configuration.contentType ?? creation.fork?.source.configuration.contentType
      ?? creation.defaultContentType
    creation.bytes = try Self.stored(content, contentType)
    try await sendCreated(exchange, try await store.create(creation, at: path))
  }

  private func existing(_ path: StreamPath) async throws(StreamError) -> BlockStream? {
    do throws(StreamError) {
      return try await store.existing(path)
    } catch .deleted(let path) {
      throw .pathInUse(path: path)
    }
  }

  private func sendCreated(_ exchange: Exchange, _ created: Created) async throws {
    var fields = Self.sourceFields
    fields.append("Content-Type", created.stream.configuration.contentType)
    fields.append(created.stream.status)
    fields.append(created.stream.lifetime)
    if created.isNew { fields.append("Location", Self.location(exchange.request)) }
    try await exchange.send(created.isNew ? .created : .ok, fields: fields)
  }

  /// The stream's URL as the client has it: a proxy says with which scheme.
  private static func location(_ request: Request) -> [UInt8] {
    guard let authority = request.authority else { return Array(request.path) }
    let isSecure = request.fields["x-forwarded-proto"]?.elementsEqual("https".utf8) ?? false
    return Array((isSecure ? "https://" : "http://").utf8) + authority + request.path
  }

  // MARK: - Forks

  private func fork(_ fields: CreationFields) async throws -> CreationRequest.Fork? {
    guard let path = fields.source else { return nil }
    let source: BlockStream
    do throws(StreamError) {
      source = try await store.stream(at: path)
    } catch .deleted(let path) {
      throw StreamError.forkOfDeleted(path: path)
    }
    // Before the offset, which is read by the type.
    try source.configuration.check(fields.request.configuration, hasContent: true)
    return CreationRequest.Fork(source: source, offset: try await forkOffset(fields, of: source))
  }

  /// The position that a fork's fields name, in its source, or in the fork itself, which has the same bytes up to
  /// there. `nil` where they name none.
  private func forkOffset(
    _ fields: CreationFields, of stream: BlockStream
  ) async throws -> ByteOffset? {
    guard fields.source != nil, fields.forkOffset != nil || fields.forkSubOffset ?? 0 > 0 else { return nil }
    let tail = stream.status.tail
    var offset = tail.position.value
    if let token = fields.forkOffset {
      do throws(StreamError) {
        offset = try stream.sourcePosition(of: token)
      } catch {
        throw StreamError.forkBeyondTail(tail: tail)
      }
    }
    try await SourceChunk.requireBoundary(stream, offset, name: "Stream-Fork-Offset")
    guard let count = fields.forkSubOffset, count > 0 else { return ByteOffset(offset) }
    if stream.configuration.isJSON {
      offset = try await Self.skip(
        count, messagesOf: stream, from: offset, limit: settings.streams.maxReadBytes)
    } else {
      guard count <= tail.position.value - offset else { throw StreamError.forkBeyondTail(tail: tail) }
      offset += count
    }
    return ByteOffset(offset)
  }

  private static func skip(
    _ count: Int, messagesOf stream: BlockStream, from start: Int, limit: Int
  ) async throws -> Int {
    var left = count
    var position = start
    while true {
      let chunk = try await SourceChunk.read(stream, from: position, limit: limit)
      for (place, byte) in chunk.bytes.enumerated() where byte == 0x0A {
        left -= 1
        if left == 0 { return position + place + 1 }
      }
      guard !chunk.isUpToDate else { throw StreamError.forkBeyondTail(tail: chunk.status.tail) }
      position = chunk.range.upperBound
    }
  }

  // MARK: - Appends

  /// Answers an append, or the wish to close the stream.
  func appendSource(_ exchange: Exchange, _ path: StreamPath) async throws {
    let request = exchange.request
    var append = try AppendFields.request(request.fields, dialects: dialects, of: .source)
    append.wantsDiff = false
    append.bytes = try await exchange.collectContent()
    let stream = try await store.stream(at: path)
    // A closed stream says that it is, whatever is wrong with the append besides.
    if !append.bytes.isEmpty, !stream.status.isFinished {
      guard let contentType = append.configuration.contentType else { throw ServiceError.missingContentType }
      try stream.configuration.check(append.configuration, hasContent: true)
      append.bytes = try Self.stored(append.bytes, contentType)
      if append.bytes.isEmpty { throw StreamError.emptyAppend }
    }
    let appended = try await stream.append(append)
    var fields = Self.sourceFields
    fields.append(appended.status)
    fields.append(appended.producer)
    // Producers tell new bytes from repeated ones by the status.
    let isNews = appended.producer != nil && !appended.isDuplicate && !append.bytes.isEmpty
    try await exchange.send(isNews ? .ok : .noContent, fields: fields)
  }

  /// What is stored of a request's content: of JSON, its messages.
  private static func stored(_ content: [UInt8], _ contentType: String) throws(ServiceError) -> [UInt8] {
    guard !content.isEmpty, StreamConfiguration.mediaType(of: contentType) == "application/json" else {
      return content
    }
    guard let lines = JSONMessages.lines(of: content) else { throw .malformedJSON }
    return lines
  }
}
