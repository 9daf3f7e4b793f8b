package import BlockDiff

/// Replays what a reader got, with the reference client, and compares with the snapshot of the finished stream.
package enum ReaderVerification {
  /// What is wrong with a reader's events; `nil` where they give the snapshot.
  package static func fault(in recording: Recording, against snapshot: BlockDocument) -> String? {
    var document: BlockDocument?
    var start = 0
    var isFinished = false
    for (place, event) in recording.events.enumerated() {
      let data = Array(recording.bytes[start..<event.end])
      start = event.end
      do throws(BlockDocumentError) {
        switch event.kind {
        case .snapshot: document = try BlockDocument(snapshot: data)
        case .diff:
          if document == nil { return "event \(place) is a diff, and none before it a snapshot" }
          try document?.apply(diff: data)
        case .finished: isFinished = true
        case .lagged: return "event \(place) says that the reader lags"
        }
      } catch {
        return "event \(place): \(error)"
      }
    }
    guard isFinished else { return "the stream's end did not come" }
    guard let document else { return "no state came" }
    return difference(document, snapshot)
  }

  private static func difference(_ document: BlockDocument, _ snapshot: BlockDocument) -> String? {
    if document == snapshot { return nil }
    if document.at != snapshot.at { return "it ends at \(document.at), the snapshot at \(snapshot.at)" }
    for (own, other) in zip(document.blocks, snapshot.blocks) where own != other {
      return "block \(own.id) differs from the snapshot's"
    }
    return "it has \(document.blocks.count) blocks, the snapshot \(snapshot.blocks.count)"
  }
}
