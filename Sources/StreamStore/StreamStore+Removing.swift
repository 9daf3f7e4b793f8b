import Markup

// What goes: streams that are deleted or whose time is over, and from memory those that nobody uses.
extension StreamStore {
  // MARK: - Removing

  /// Removes the stream at a path. Appends to it are refused from then on, and live readers woken; a later append to
  /// the path creates another stream, which refuses this one's tokens. A stream that has forks keeps its path.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `.deleted` where it had been removed before, and is kept for its forks.
  @discardableResult
  package func remove(_ path: StreamPath) async throws(StreamError) -> Bool {
    while let stream = try await existing(path) {
      // Another may have removed it, and even created the next, in between.
      if try await remove(stream) { return true }
    }
    return false
  }

  /// Removes a stream. False where another has it, who may remove it.
  @discardableResult
  func remove(_ stream: BlockStream) async throws(StreamError) -> Bool {
    guard claim(stream.path, from: stream) else { return false }
    stream.discard()
    let removal: Removal
    do throws(SourceLogError) {
      removal = try await stream.log.remove()
    } catch {
      // It is still stored, and is loaded again.
      endClaim(stream.path, nil)
      throw StreamError(error)
    }
    // All that was on its way has settled before the removal.
    stream.showStored()
    switch removal {
    case .kept:
      stream.keep()
      endClaim(stream.path, stream)
    case .removed(let kept):
      forget(byteCount: stream.ownBytes)
      endClaim(stream.path, nil)
      for source in kept { await forget(source) }
    }
    return true
  }

  private func forget(byteCount: Int) {
    budget.release(byteCount)
    locked { streamCount -= 1 }
  }

  /// Forgets a stream that had been kept for its forks, the last of which is gone. Its path is free.
  private func forget(_ source: Removal.KeptSource) async {
    forget(byteCount: source.byteCount)
    guard let stream = await turn(source.path) else { return endClaim(source.path, nil) }
    locked {
      if stream.incarnation == source.incarnation, streams[source.path] === stream {
        streams[source.path] = nil
      }
    }
  }

  /// Removes the streams whose time is over. Whoever asks for one finds that out by himself; this is for those that
  /// nobody asks for. Called every few seconds: it also has it stored that live readers keep streams.
  package func removeExpired() async {
    let loaded = locked { Array(streams.values) }
    for stream in loaded { stream.noteReaders() }
    var paths = loaded.filter(\.isExpired).map(\.path)
    if let stored = try? await engine.expiredPaths(at: budget.now, limit: Self.maxExpiredAtOnce) {
      paths += stored
    }
    for path in paths {
      // What cannot be removed now is found again.
      _ = try? await existing(path)
    }
  }

  private static let maxExpiredAtOnce = 1000

  private func claim(_ path: StreamPath, from stream: BlockStream) -> Bool {
    locked {
      guard streams[path] === stream, claims[path] == nil else { return false }
      streams[path] = nil
      claims[path.owned] = []
      return true
    }
  }

  // MARK: - Idle streams

  /// Drops the blocks of streams that nobody has used since the sweep before the last one, and forgets streams
  /// without blocks that can be loaded again. Called twice within the time after which idle blocks go.
  ///
  /// - Returns: the number of streams whose blocks were dropped.
  @discardableResult
  package func sweep() -> Int {
    if engine.isLasting { forgetIdle() }
    let tick = budget.nextTick() - 1
    var dropped = 0
    for stream in locked({ Array(streams.values) }) {
      if stream.dropParsed(unusedSince: tick) {
        dropped += 1
      } else {
        stream.trimParsed(unusedSince: tick + 1)
      }
    }
    return dropped
  }

  /// Forgets the streams that nobody holds: whoever loads one then has the only one of its path.
  private func forgetIdle() {
    var paths = locked { Array(streams.keys) }[...]
    // In slices, so that nobody waits long for the lock.
    while !paths.isEmpty {
      locked {
        for path in paths.prefix(256) {
          guard var stream = streams.removeValue(forKey: path) else { continue }
          if !isKnownUniquelyReferenced(&stream) || !stream.isIdle() { streams[path] = stream }
        }
      }
      paths = paths.dropFirst(256)
    }
  }
}
