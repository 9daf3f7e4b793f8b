import BlockDiff
import Markup

// Appends, and the creation of streams: by an append, or by a request of its own.
extension StreamStore {
  // MARK: - Appending

  /// Appends to the stream at a path, and creates it where there is none and configuration allows.
  package func append(
    _ request: AppendRequest, to path: StreamPath
  ) async throws(StreamError) -> Appended {
    if let stream = findUnexpired(path) { return try await stream.append(request) }
    if let stream = try await claimUnlessThere(path) { return try await stream.append(request) }
    do throws(StreamError) {
      let (stream, appended) = try await create(path, request)
      endClaim(path, stream)
      return appended
    } catch {
      endClaim(path, nil)
      throw error
    }
  }

  /// Creates a stream with its first append, before which nobody can see it, so that a refused one leaves
  /// nothing. The path is claimed.
  private func create(
    _ path: StreamPath, _ request: AppendRequest
  ) async throws(StreamError) -> (BlockStream, Appended) {
    guard options.createOnAppend else { throw .noStream(path: path.description) }
    // There is no tail that could be the expected one.
    guard request.expectedOffset == nil else { throw .noStream(path: path.description) }
    guard !request.bytes.isEmpty || request.closes else { throw .emptyAppend }
    let configuration = try StreamConfiguration(
      request.configuration, defaultDialect: options.defaultDialect)
    guard configuration.isMarkup || !request.wantsDiff else {
      throw .notMarkup(type: configuration.mediaType)
    }
    return try await create(path, configuration, .unlimited, nil, request)
  }

  private func create(
    _ path: StreamPath, _ configuration: StreamConfiguration, _ lifetime: Lifetime,
    _ fork: (source: BlockStream, offset: ByteOffset)?, _ first: AppendRequest
  ) async throws(StreamError) -> (BlockStream, Appended) {
    guard let incarnation = takeIncarnation() else { throw .tooManyStreams(limit: options.maxStreams) }
    let path = path.owned
    let source = NewSource(
      path: path, incarnation: incarnation, configuration: configuration.encoded, lifetime: lifetime,
      fork: fork.map { .init(source: $0.source.log, offset: $0.offset.value) })
    let stream = BlockStream(
      path: path, incarnation: incarnation, configuration: configuration, lifetime: lifetime, fork: fork,
      log: engine.makeLog(source), budget: budget)
    do throws(StreamError) {
      return (stream, try await stream.append(first))
    } catch {
      locked { streamCount -= 1 }
      throw error
    }
  }

  // MARK: - Creating

  /// Creates a stream, or finds that it is there as the request asks.
  ///
  /// - Throws: what `BlockStream.check` throws where another is there.
  package func create(
    _ request: CreationRequest, at path: StreamPath
  ) async throws(StreamError) -> Created {
    if let stream = try await claimUnlessThere(path) { return try found(stream, request) }
    do throws(StreamError) {
      let stream = try await make(request, at: path)
      endClaim(path, stream)
      return Created(stream: stream, isNew: true)
    } catch {
      endClaim(path, nil)
      throw error
    }
  }

  private func found(_ stream: BlockStream, _ request: CreationRequest) throws(StreamError) -> Created {
    guard stream.isPresent else { throw .pathInUse(path: stream.path.description) }
    try stream.check(request, source: request.fork?.source.path, offset: request.fork?.offset)
    return Created(stream: stream, isNew: false)
  }

  private func make(
    _ request: CreationRequest, at path: StreamPath
  ) async throws(StreamError) -> BlockStream {
    var first = AppendRequest(bytes: request.bytes, closes: request.closes)
    first.wantsDiff = false
    first.isCreation = true
    guard let fork = request.fork else {
      var asked = request.configuration
      asked.contentType = asked.contentType ?? request.defaultContentType
      let configuration = try StreamConfiguration(asked, defaultDialect: options.defaultDialect)
      return try await create(path, configuration, request.lifetime ?? .unlimited, nil, first).0
    }
    let source = fork.source
    try source.configuration.check(request.configuration, hasContent: true)
    let tail = source.status.tail
    let offset = fork.offset ?? tail.position
    guard offset <= tail.position else { throw .forkBeyondTail(tail: tail) }
    guard source.forkDepth < Self.maxForkDepth else { throw .forkTooDeep(limit: Self.maxForkDepth) }
    do throws(StreamError) {
      return try await create(
        path, source.configuration, request.lifetime ?? source.lifetime, (source, offset), first
      ).0
    } catch {
      // The engine refuses a fork whose source was removed in between.
      switch source.locked({ source.presence }) {
      case .present: throw error
      case .discarded: throw .noStream(path: source.path.description)
      case .kept: throw .forkOfDeleted(path: source.path.description)
      }
    }
  }

  /// The most streams that a stream may have been forked from, one from the other: reading it looks at each.
  private static let maxForkDepth = 100
}
