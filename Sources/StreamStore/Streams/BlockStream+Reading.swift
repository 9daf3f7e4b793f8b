package import BlockDiff
package import Markup

// Reading: whatever is asked for is computed from the blocks, which are read from the source where they are gone.
extension BlockStream {
  /// The position that a token names.
  ///
  /// - Throws: `.offsetGone` where it is of another incarnation or was not reached.
  package func position(of token: OffsetToken) throws(StreamError) -> ByteOffset {
    let current = status.position
    guard lineage.contains(token), token.position <= current.position else {
      throw .offsetGone(current: current)
    }
    return token.position
  }

  /// Writes the snapshot.
  ///
  /// - Complexity: O(bytes written), and O(source) where the blocks had been dropped.
  package func snapshot(
    shape: SnapshotShape, inline: InlineOutput = .none
  ) async throws(StreamError) -> (json: [UInt8], status: StreamStatus) {
    try await reading { parsed in
      var writer = JSONWriter()
      writer.write(
        snapshotOf: parsed.parser.blocks, shape: shape, inlines: &parsed.inlines, as: inline, in: envelope)
      return (writer.finish(), shown)
    }
  }

  /// What has changed since an earlier position, which `position(of:)` gave. Readers at the same position share
  /// the JSON.
  package func changes(
    since position: ByteOffset, inline: InlineOutput = .none
  ) async throws(StreamError) -> BlockChanges {
    try await reading { changes(in: $0, since: position, inline) }
  }

  /// What a live reader has to be told, as far as that takes no asynchronous call.
  package enum News {
    /// The stream is there no more.
    case absent
    /// It has everything.
    case none(StreamStatus)
    case changes(BlockChanges)
    /// The blocks have to be read first, as `changes(since:inline:)` does.
    case needsBlocks
  }

  /// What has changed since an earlier position, as `changes(since:inline:)` gives it: for the many readers of one
  /// append, who find it written.
  package func news(since position: ByteOffset, inline: InlineOutput = .none) -> News {
    locked {
      guard presence == .present else { return .absent }
      guard shown.position.position > position else { return .none(shown) }
      return use().map { .changes(changes(in: $0, since: position, inline)) } ?? .needsBlocks
    }
  }

  /// Within the lock.
  private func changes(
    in parsed: ParsedSource, since position: ByteOffset, _ inline: InlineOutput
  ) -> BlockChanges {
    if let recent, recent.from == position, recent.status == shown, recent.inline == inline { return recent }
    var writer = JSONWriter()
    let diff = parsed.parser.writeDiff(
      since: position, inlines: &parsed.inlines, as: inline, in: envelope, to: &writer)
    let result = BlockChanges(diff, inline, json: writer.finish(), status: shown)
    if !readers.isEmpty { recent = result }
    return result
  }

  /// Writes one block, the IDs of its children and the source bytes that it spans.
  package func block(
    _ id: [UInt8], inline: InlineOutput = .none
  ) async throws(StreamError) -> (json: [UInt8], status: StreamStatus) {
    var source: [UInt8] = []
    while true {
      let view = try await reading { parsed -> Result<BlockView, StreamError> in
        guard let index = parsed.parser.blocks.index(ofID: id) else {
          return .failure(.noBlock(id: String(decoding: id, as: UTF8.self)))
        }
        let block = parsed.parser.blocks[index]
        let range = block.begin.value..<(block.end?.value ?? shown.tail.position.value)
        // The end of a block may be before where it was open: what is read is more than it spans.
        guard source.count >= range.count else { return .success(.needs(range.dropFirst(source.count))) }
        var writer = JSONWriter()
        writer.write(
          viewOf: index, in: parsed.parser.blocks, source: Array(source[..<range.count]),
          inlines: &parsed.inlines, as: inline, envelope: envelope)
        return .success(.written(writer.finish(), shown))
      }
      switch try view.get() {
      case .written(let json, let status): return (json, status)
      // An open block may have grown when its bytes are there; only what was added is read then.
      case .needs(let range): source += try await read(range)
      }
    }
  }

  private enum BlockView {
    case written([UInt8], StreamStatus)
    case needs(Range<Int>)
  }

  /// The source up to a position that `position(of:)` gave, to be read anew, and whether the stream is finished
  /// there.
  package func source(
    upTo position: ByteOffset
  ) async throws(StreamError) -> (bytes: [UInt8], isFinished: Bool) {
    let length = status.tail.position.value
    return (try await read(0..<min(position.value, length)), position.value > length)
  }

  /// Where the appends ended that came since the blocks are in memory, as far as they are remembered.
  package var appendEnds: [Int] { locked { parsed?.ends.offsets ?? [] } }

  /// Runs `body` on the blocks, within the lock.
  private func reading<Value>(_ body: (ParsedSource) -> Value) async throws(StreamError) -> Value {
    guard isMarkup else { throw .notMarkup(type: configuration.mediaType) }
    while true {
      if let value = locked({ use().map(body) }) { return value }
      try await load()
    }
  }

  /// Source bytes, all of which are shown.
  package func read(_ range: Range<Int>) async throws(StreamError) -> [UInt8] {
    if range.isEmpty { return [] }
    if let bytes = locked({ recentBytes.bytes(in: range) }) { return bytes }
    do throws(SourceLogError) {
      return try await log.read(range)
    } catch {
      throw failure(error)
    }
  }
}

extension BlockStream {
  /// Why the source cannot be read: that of a stream which was removed meanwhile is not damaged.
  func failure(_ error: SourceLogError) -> StreamError {
    locked { presence == .present ? StreamError(error) : absence }
  }

  /// Why the stream is not there. Within the lock.
  var absence: StreamError {
    presence == .kept ? .deleted(path: path.description) : .noStream(path: path.description)
  }
}

extension StreamError {
  init(_ error: SourceLogError) {
    switch error {
    case .unavailable: self = .storageUnavailable
    case .damaged: self = .storageDamaged
    }
  }
}
